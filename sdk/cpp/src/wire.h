// Numbers of the protocol, where 0 is nothing, as the values they stand for.
#pragma once

#include <array>
#include <optional>

#include "upcard/actions.h"
#include "upcard/cards.h"
#include "upcard/seats.h"
#include "upcard/view.h"

namespace upcard::detail {

constexpr std::optional<Card> card_of(int number) {
  return number ? std::optional(Card::numbered(number)) : std::nullopt;
}

constexpr std::optional<Suit> suit_of(int number) {
  return number ? std::optional(Suit(number - 1)) : std::nullopt;
}

constexpr std::optional<Seat> seat_of(int number) {
  return number ? std::optional(Seat(number - 1)) : std::nullopt;
}

/// By the number of a call; the first one is never sent.
inline constexpr std::array call_of{
    Action{},
    Action::pass(),
    Action::order_up(),
    Action::order_up_alone(),
    Action::name(Suit::clubs),
    Action::name(Suit::diamonds),
    Action::name(Suit::hearts),
    Action::name(Suit::spades),
    Action::name_alone(Suit::clubs),
    Action::name_alone(Suit::diamonds),
    Action::name_alone(Suit::hearts),
    Action::name_alone(Suit::spades),
};

constexpr bool is_call(int number) { return 0 < number && number < int(call_of.size()); }

constexpr bool is_card(int number) { return 0 < number && number <= 52; }

constexpr bool is_phase(int number) { return 0 < number && number <= int(Phase::playing); }

}  // namespace upcard::detail
