#include "whist.h"

#include <algorithm>
#include <optional>

#include "table_sense.h"

using upcard::Card;
using upcard::Cards;
using upcard::Suit;
using upcard::View;

namespace whist {
namespace {

/// Whether to take the others' trumps away: when they do not have twice as many.
bool should_draw(const View& view, Cards trumps) {
  const auto out = view.still_out(view.trump()).size();
  return trumps.size() >= 2 && out > 0 && out <= 2 * trumps.size();
}

/// Whether an opponent has shown to be void of a suit while there are trumps about.
bool may_be_ruffed(const View& view, Suit suit) {
  return !view.still_out(view.trump()).empty() &&
         (view.is_void(left_of(view.seat()), suit) || view.is_void(left_of(view.partner()), suit));
}

std::vector<Card> safe_winners(const View& view, Cards side) {
  auto winners = table_sense::masters(view, side);
  std::erase_if(winners, [&](Card card) { return may_be_ruffed(view, card.suit()); });
  return winners;
}

/// Our cards of the side suit partner led first: it is likely to be her longest.
Cards partners_suit(const View& view) {
  const auto led = std::ranges::find(view.tricks(), view.partner(), &upcard::Trick::leader);
  if (led == view.tricks().end()) return {};
  const Suit suit = led->cards.front().suit();
  return suit == view.trump() ? Cards() : view.holding(suit);
}

/// A card that leaves us without its suit, so that we ruff the next one.
std::optional<Card> singleton(const View& view, Cards side) {
  const auto alone = [&](Card card) { return view.holding(card.suit()).size() == 1; };
  const auto found = std::ranges::find_if(side, alone);
  if (found == side.end() || view.holding(view.trump()).empty()) return std::nullopt;
  return *found;
}

Cards longest_side_suit(const View& view) {
  const auto length = [&](Suit suit) {
    return suit == view.trump() ? 0 : view.holding(suit).size();
  };
  return view.holding(std::ranges::max(upcard::suits, {}, length));
}

bool is_partners(const View& view) {
  return view.partner_is_winning() &&
         (view.last_to_play() || table_sense::is_master(view, *view.winning_card()));
}

/// Our best, unless partner's own card is next to it and does as well.
Card third_hand_high(const View& view, Cards takers) {
  const Card best = std::ranges::max(takers, {}, [&](Card card) { return view.strength(card); });
  const bool next_to_partners =
      view.partner_is_winning() && view.strength(best) == view.strength(*view.winning_card()) + 1;
  return next_to_partners ? table_sense::cheapest(view, view.legal_cards()) : best;
}

}  // namespace

Card lead(const View& view) {
  const Cards trumps = view.holding(view.trump());
  const auto side = table_sense::side_cards(view);
  if (side.empty() || should_draw(view, trumps)) {
    return table_sense::is_master(view, trumps.front()) ? trumps.front() : trumps.back();
  }
  const auto winners = safe_winners(view, side);
  if (!winners.empty()) return table_sense::from_shortest(view, winners);
  const Cards partners = partners_suit(view);
  if (!partners.empty()) return partners.front();
  return singleton(view, side).value_or(longest_side_suit(view).back());
}

Card follow(const View& view) {
  const auto takers = table_sense::takers(view);
  if (takers.empty() || is_partners(view)) return table_sense::cheapest(view, view.legal_cards());
  const bool ruffs = view.suit_led() != view.trump() && table_sense::is_trump(view, takers[0]);
  if (view.last_to_play() || ruffs) return table_sense::cheapest(view, takers);
  const auto masters = table_sense::masters(view, takers);
  if (!masters.empty()) return masters.front();
  const bool second = view.trick().size() == 1;
  return second ? table_sense::cheapest(view, view.legal_cards()) : third_hand_high(view, takers);
}

}  // namespace whist
