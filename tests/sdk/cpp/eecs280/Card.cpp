// A student's own cards, which take the place of the SDK's: both together could not be linked.
#include ".upcard/eecs280/course/Card.cpp"

bool cards_are_brought_along() { return true; }
