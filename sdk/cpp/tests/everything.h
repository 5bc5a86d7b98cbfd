// All that a view tells, in the form of what all SDKs agree on.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "testdata.h"

namespace upcard::testdata {

inline Json told(Seat seat) { return int(seat); }
inline Json told(Card card) { return to_string(card); }
inline Json told(Suit suit) { return to_string(suit); }
inline Json told(Action action) { return to_string(action); }
inline Json told(Game game) { return to_string(game); }
inline Json told(Phase phase) { return to_string(phase); }
inline Json told(Sides sides) { return {sides.us, sides.them}; }
inline Json told(const Play& play) { return {told(play.seat), told(play.card)}; }
inline Json told(std::chrono::milliseconds time) { return time.count(); }
inline Json told(const Trick& trick);

template <class Value>
inline Json told(std::span<const Value> values) {
  Json list = Json::array();
  for (const Value& value : values) list.push_back(told(value));
  return list;
}

inline Json told(const Trick& trick) {
  return {
      {"leader", told(trick.leader)}, {"cards", told(trick.cards)}, {"winner", told(trick.winner)}};
}

template <class Value>
inline Json told(const std::optional<Value>& value) {
  return value ? told(*value) : Json();
}

inline Json by_suit(const std::function<Cards(Suit)>& cards) {
  Json found;
  for (const Suit suit : suits) found[to_string(suit)] = told(cards(suit));
  return found;
}

inline Json voids(const View& view) {
  Json found = Json::array();
  for (const Seat seat : seats) found.push_back(told(view.void_suits(seat)));
  return found;
}

inline Json takes_trick(const View& view) {
  Json found = Json::object();
  if (view.phase() != Phase::playing) return found;
  for (const Card card : view.legal_cards()) found[to_string(card)] = view.takes_trick(card);
  return found;
}

inline Json everything(const View& view) {
  return {
      {"game", told(view.game())},
      {"phase", told(view.phase())},
      {"table", view.table()},
      {"turn", view.turn()},
      {"time_left_ms", told(view.time_left())},
      {"hand_number", view.hand_number()},
      {"seat", told(view.seat())},
      {"partner", told(view.partner())},
      {"dealer", told(view.dealer())},
      {"score", told(view.score())},
      {"target", view.target()},
      {"hand", told(view.hand())},
      {"legal", told(view.legal())},
      {"legal_cards", told(view.legal_cards())},
      {"upcard", told(view.upcard())},
      {"trump_card", told(view.trump_card())},
      {"trump", told(view.trump())},
      {"calls", told(view.calls())},
      {"dealer_stuck", view.dealer_stuck()},
      {"maker", told(view.maker())},
      {"we_made_trump", view.we_made_trump()},
      {"picked_up", view.picked_up()},
      {"sits_out", told(view.sits_out())},
      {"discard", told(view.discard())},
      {"leader", told(view.leader())},
      {"trick", told(view.trick())},
      {"suit_led", told(view.suit_led())},
      {"winning_card", told(view.winning_card())},
      {"winning_seat", told(view.winning_seat())},
      {"partner_is_winning", view.partner_is_winning()},
      {"last_to_play", view.last_to_play()},
      {"tricks", told(view.tricks())},
      {"tricks_won", told(view.tricks_won())},
      {"plays", told(view.plays())},
      {"cards_still_out", told(view.cards_still_out())},
      {"holding", by_suit([&view](Suit suit) { return view.holding(suit); })},
      {"still_out", by_suit([&view](Suit suit) { return view.still_out(suit); })},
      {"void_suits", voids(view)},
      {"takes_trick", takes_trick(view)},
  };
}

}  // namespace upcard::testdata
