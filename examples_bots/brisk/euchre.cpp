#include "euchre.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <utility>

#include "table_sense.h"

using upcard::Action;
using upcard::Card;
using upcard::CardList;
using upcard::Cards;
using upcard::Rank;
using upcard::Seat;
using upcard::Suit;
using upcard::View;

namespace euchre {
namespace {

// About how many tenths of a trick a card is worth to the maker. Trumps are counted by their
// strength: 9 T J Q K A, left bower, right bower; a jack of trump's colour is always a bower.
constexpr std::array trump_worth{4, 4, 0, 4, 5, 6, 7, 11};
constexpr int side_ace = 4;
constexpr int empty_suit = 2;

// The count it takes. The dealer gets the upcard, so her side needs less.
constexpr int dealer_orders = 19;
constexpr int partner_orders = 15;
constexpr int opponent_orders = 24;
constexpr int names = 15;
constexpr int goes_alone = 26;
// Who turned a card down is likely to be weak in its colour, and her opponents strong.
constexpr int next_bonus = 2;

int count_hand(const View& view, Cards cards, Suit trump) {
  int count = 0;
  std::bitset<4> held;
  for (const Card card : cards) {
    const Suit suit = view.effective_suit(card, trump);
    held.set(std::size_t(suit));
    if (suit == trump) count += trump_worth[std::size_t(view.strength(card, trump))];
    if (suit != trump && card.rank() == Rank::ace) count += side_ace;
  }
  // A void is worth something only to those who can ruff.
  return held.test(std::size_t(trump)) ? count + empty_suit * int(4 - held.count()) : count;
}

CardList without(Cards cards, Card away) {
  CardList kept;
  for (const Card card : cards) {
    if (card != away) kept.push_back(card);
  }
  return kept;
}

/// The card whose loss leaves most; of equal ones the lowest.
Card least_missed(const View& view, Cards six, Suit trump) {
  return std::ranges::max(six, {}, [&](Card card) {
    return std::pair(count_hand(view, without(six, card), trump), -view.strength(card, trump));
  });
}

/// What our hand is worth with the upcard in it and the least missed card away.
int count_as_dealer(const View& view) {
  CardList six{*view.upcard()};
  for (const Card card : view.hand()) six.push_back(card);
  const Suit trump = view.upcard()->suit();
  return count_hand(view, without(six, least_missed(view, six, trump)), trump);
}

/// Makes trump if the count is good enough, alone if it is very good. A stuck dealer has to; and
/// house rules may let a partner order up only alone.
Action spoken(const View& view, int count, int needed, Action plain, Action alone) {
  if (count >= goes_alone && view.may(alone)) return alone;
  const bool must = !view.may(Action::pass());
  return view.may(plain) && (count >= needed || must) ? plain : Action::pass();
}

Action first_round(const View& view) {
  const Suit trump = view.upcard()->suit();
  const auto order = [&](int count, int needed) {
    return spoken(view, count, needed, Action::order_up(), Action::order_up_alone());
  };
  if (view.seat() == view.dealer()) return order(count_as_dealer(view), dealer_orders);
  const bool for_partner = view.partner() == view.dealer();
  return order(count_hand(view, view.hand(), trump),
               for_partner ? partner_orders : opponent_orders);
}

Action second_round(const View& view) {
  const auto count = [&](Suit suit) {
    return suit == view.upcard()->suit() ? -1 : count_hand(view, view.hand(), suit);
  };
  const Suit best = std::ranges::max(upcard::suits, {}, count);
  const bool next = best == same_colour(view.upcard()->suit());
  const bool against_dealer = !same_team(view.seat(), view.dealer());
  const int needed = names - (next == against_dealer ? next_bonus : 0);
  return spoken(view, count(best), needed, Action::name(best), Action::name_alone(best));
}

/// Whether to take the defenders' trumps away: the maker with two or the highest, partner always.
bool should_draw(const View& view, Cards trumps) {
  if (trumps.empty() || view.still_out(view.trump()).empty()) return false;
  if (view.maker() == view.seat()) {
    return trumps.size() >= 2 || table_sense::is_master(view, trumps.front());
  }
  return view.maker() == view.partner();
}

/// Whether partner's card is likely to win: it is last, unbeatable, or an ace or better.
bool is_partners(const View& view) {
  if (!view.partner_is_winning()) return false;
  const Card card = *view.winning_card();
  return view.last_to_play() || table_sense::is_master(view, card) || view.strength(card) >= 5;
}

}  // namespace

Action call(const View& view) {
  return view.calls().size() < 4 ? first_round(view) : second_round(view);
}

Card card_to_discard(const View& view) { return least_missed(view, view.hand(), *view.trump()); }

Card lead(const View& view) {
  const Cards trumps = view.holding(view.trump());
  const auto side = table_sense::side_cards(view);
  if (side.empty() || should_draw(view, trumps)) return trumps.front();
  const auto masters = table_sense::masters(view, side);
  return table_sense::from_shortest(view, masters.empty() ? side : masters);
}

Card follow(const View& view) {
  const auto takers = table_sense::takers(view);
  if (takers.empty() || is_partners(view)) return table_sense::cheapest(view, view.legal_cards());
  const bool ruffs = view.suit_led() != view.trump() && table_sense::is_trump(view, takers[0]);
  if (view.last_to_play() || ruffs) return table_sense::cheapest(view, takers);
  const auto masters = table_sense::masters(view, takers);
  if (!masters.empty()) return table_sense::cheapest(view, masters);
  // Second to play and unable to make sure of it: partner is still to come.
  const bool third = view.trick().size() == 2;
  return table_sense::cheapest(view, third ? Cards(takers) : view.legal_cards());
}

}  // namespace euchre
