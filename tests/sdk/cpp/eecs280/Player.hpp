// The course's header, as a student may bring it along.
#include "Card.hpp"

#include ".upcard/eecs280/course/Player.hpp"
