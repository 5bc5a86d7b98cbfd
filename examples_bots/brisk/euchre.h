// Brisk's euchre: count the hand, call on a good count, draw trump as makers, else cash aces.
#pragma once

#include <upcard/upcard.h>

namespace euchre {

upcard::Action call(const upcard::View& view);
upcard::Card card_to_discard(const upcard::View& view);
upcard::Card lead(const upcard::View& view);
upcard::Card follow(const upcard::View& view);

}  // namespace euchre
