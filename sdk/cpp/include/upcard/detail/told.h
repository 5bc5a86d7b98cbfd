// A turn as the referee told it, without the library that read it.
#pragma once

#include <cstdint>
#include <span>

#include "upcard/tricks.h"

namespace upcard::detail {

/// Numbers as they are in the protocol, where 0 is no card, suit or seat. The lists belong to
/// the maker of this.
struct Told {
  Game game = Game::euchre;
  std::uint32_t table = 0;
  std::uint32_t turn = 0;
  std::uint32_t time_left_ms = 0;
  std::uint32_t hand_number = 0;
  std::uint32_t points_north_south = 0;
  std::uint32_t points_east_west = 0;
  int phase = 3;
  int seat = 0;
  int dealer = 0;
  bool dealer_stuck = false;
  int upcard = 0;
  int trump_card = 0;
  int trump = 0;
  int maker = 0;
  int sits_out = 0;
  int discard = 0;
  std::span<const int> calls;
  std::span<const int> hand;
  std::span<const int> played;
  std::span<const int> leaders;
  std::span<const int> legal_calls;
  std::span<const int> legal_cards;
};

}  // namespace upcard::detail
