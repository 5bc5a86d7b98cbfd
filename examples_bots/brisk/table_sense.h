// What a player of any trick game watches: which cards cannot be beaten, and what a card costs.
#pragma once

#include <upcard/upcard.h>

#include <vector>

namespace table_sense {

/// Whether nobody else can hold a higher card of its suit any more.
bool is_master(const upcard::View& view, upcard::Card card);

/// Whether a card counts as a trump.
bool is_trump(const upcard::View& view, upcard::Card card);

/// The cards that would be winning the trick if we played them.
std::vector<upcard::Card> takers(const upcard::View& view);

/// The cards of our hand that are no trumps.
std::vector<upcard::Card> side_cards(const upcard::View& view);

/// Those of some cards that are masters.
std::vector<upcard::Card> masters(const upcard::View& view, upcard::Cards cards);

/// The card to miss least: rather no trump, no master, a low one, from a short suit.
upcard::Card cheapest(const upcard::View& view, upcard::Cards cards);

/// A card of our shortest suit, the highest: others follow there longest, and we ruff soon.
upcard::Card from_shortest(const upcard::View& view, upcard::Cards cards);

}  // namespace table_sense
