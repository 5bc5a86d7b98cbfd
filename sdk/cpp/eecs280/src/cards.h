// The course's cards as the SDK's and the other way round, and both in words.
#pragma once

#include <upcard/upcard.h>

#include <optional>
#include <string>

#include "Card.hpp"

namespace upcard::eecs280 {

::Suit course_suit(Suit suit);
::Card course_card(Card card);

/// Nothing for a number that is no suit.
std::optional<Suit> sdk_suit(::Suit suit);
/// Nothing for what is no card.
std::optional<Card> sdk_card(const ::Card& card);

/// `Hearts`, `Jack of Hearts`, `Jack of Hearts, Nine of Spades`.
std::string in_words(Suit suit);
std::string in_words(Card card);
std::string in_words(Cards cards);

}  // namespace upcard::eecs280
