#include "cards.h"

#include <array>

namespace upcard::eecs280 {
namespace {

// By the SDK's numbers of suits and ranks.
constexpr std::array course_suits{::CLUBS, ::DIAMONDS, ::HEARTS, ::SPADES};
constexpr std::array suit_words{"Clubs", "Diamonds", "Hearts", "Spades"};
constexpr std::array rank_words{"Two",  "Three", "Four", "Five",  "Six",  "Seven", "Eight",
                                "Nine", "Ten",   "Jack", "Queen", "King", "Ace"};

}  // namespace

::Suit course_suit(Suit suit) { return course_suits.at(std::size_t(suit)); }

::Card course_card(Card card) {
  return {static_cast<::Rank>(int(card.rank())), course_suit(card.suit())};
}

std::optional<Suit> sdk_suit(::Suit suit) {
  for (const Suit each : suits) {
    if (course_suit(each) == suit) return each;
  }
  return std::nullopt;
}

std::optional<Card> sdk_card(const ::Card& card) {
  const std::optional<Suit> suit = sdk_suit(card.get_suit());
  const int rank = card.get_rank();
  if (!suit || rank < ::TWO || rank > ::ACE) return std::nullopt;
  return Card(Rank(rank), *suit);
}

std::string in_words(Suit suit) { return suit_words.at(std::size_t(suit)); }

std::string in_words(Card card) {
  return rank_words.at(std::size_t(card.rank())) + (" of " + in_words(card.suit()));
}

std::string in_words(Cards cards) {
  std::string words;
  for (const Card card : cards) words += (words.empty() ? "" : ", ") + in_words(card);
  return words;
}

}  // namespace upcard::eecs280
