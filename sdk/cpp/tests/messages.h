// Messages as the referee sends them.
#pragma once

#include "upcard/v1/referee.pb.h"

namespace upcard::v1 {

inline Welcome euchre_welcome() {
  Welcome welcome;
  welcome.set_protocol_revision(1);
  welcome.set_seat(SEAT_NORTH);
  welcome.mutable_euchre()->set_target(10);
  welcome.mutable_euchre()->set_alone(true);
  return welcome;
}

/// North is to speak first, at table 1.
inline void add_turn(Frame& frame, std::uint32_t turn_id, std::uint32_t table_id = 1) {
  Turn& turn = *frame.add_turns();
  turn.set_turn_id(turn_id);
  turn.set_table_id(table_id);
  EuchreView& view = *turn.mutable_euchre();
  view.set_phase(EUCHRE_PHASE_BIDDING);
  view.set_seat(SEAT_NORTH);
  view.set_dealer(SEAT_WEST);
  view.set_upcard(CARD_JACK_OF_SPADES);
  for (const Card card : {CARD_NINE_OF_CLUBS, CARD_TEN_OF_CLUBS, CARD_JACK_OF_CLUBS}) {
    view.add_hand(card);
  }
  view.add_legal_calls(EUCHRE_CALL_PASS);
  view.add_legal_calls(EUCHRE_CALL_ORDER_UP);
}

/// Turns from number 10 up.
inline Frame turns(int number) {
  Frame frame;
  for (int place = 0; place < number; ++place) add_turn(frame, std::uint32_t(10 + place));
  return frame;
}

inline Frame opening(std::initializer_list<std::uint32_t> tables, std::uint64_t seed = 99) {
  Frame frame;
  for (const std::uint32_t table : tables) {
    frame.add_opened()->set_table_id(table);
    frame.mutable_opened()->rbegin()->set_seed(seed);
  }
  return frame;
}

}  // namespace upcard::v1
