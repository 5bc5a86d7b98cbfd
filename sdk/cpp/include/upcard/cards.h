// Cards: a rank and a suit, printed and parsed as "JD".
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "upcard/list.h"

namespace upcard {

enum class Suit : std::uint8_t { clubs, diamonds, hearts, spades };

inline constexpr std::array suits{Suit::clubs, Suit::diamonds, Suit::hearts, Suit::spades};

enum class Rank : std::uint8_t {
  two,
  three,
  four,
  five,
  six,
  seven,
  eight,
  nine,
  ten,
  jack,
  queen,
  king,
  ace,
};

/// The other suit of the same colour: spades for clubs, hearts for diamonds.
constexpr Suit same_colour(Suit suit) { return Suit(3 - int(suit)); }

/// A card as it is printed: the left bower is still a jack of the other suit.
class Card {
 public:
  /// The two of clubs, so that there can be arrays of cards.
  constexpr Card() = default;
  constexpr Card(Rank rank, Suit suit) : place_(std::uint8_t(13 * int(suit) + int(rank))) {}

  /// The card with a number of the protocol: 1, the two of clubs, to 52, the ace of spades.
  static constexpr Card numbered(int number) {
    return Card(Rank((number - 1) % 13), Suit((number - 1) / 13));
  }

  constexpr int number() const { return place_ + 1; }
  constexpr Rank rank() const { return Rank(place_ % 13); }
  constexpr Suit suit() const { return Suit(place_ / 13); }

  /// In the order of the pack: clubs, diamonds, hearts, spades, each from the lowest rank up.
  friend constexpr auto operator<=>(Card, Card) = default;

 private:
  std::uint8_t place_ = 0;
};

/// Cards that somebody else keeps.
using Cards = std::span<const Card>;
/// Cards to keep: never more than a pack.
using CardList = List<Card, 52>;

inline constexpr std::string_view rank_letters = "23456789TJQKA";
inline constexpr std::string_view suit_letters = "CDHS";

/// The suit of a letter out of `CDHS`.
constexpr std::optional<Suit> parse_suit(std::string_view text) {
  const auto place = text.size() == 1 ? suit_letters.find(text[0]) : std::string_view::npos;
  if (place == std::string_view::npos) return std::nullopt;
  return Suit(place);
}

/// The card of a rank out of `23456789TJQKA` and a suit: `JD` is the jack of diamonds.
constexpr std::optional<Card> parse_card(std::string_view text) {
  if (text.size() != 2) return std::nullopt;
  const auto rank = rank_letters.find(text[0]);
  const auto suit = parse_suit(text.substr(1));
  if (rank == std::string_view::npos || !suit) return std::nullopt;
  return Card(Rank(rank), *suit);
}

std::string to_string(Suit suit);
std::string to_string(Rank rank);
std::string to_string(Card card);
/// The cards with spaces between them.
std::string to_string(Cards cards);
std::ostream& operator<<(std::ostream& out, Suit suit);
std::ostream& operator<<(std::ostream& out, Rank rank);
std::ostream& operator<<(std::ostream& out, Card card);

inline namespace literals {

/// A card that is known when the program is compiled: `"JD"_card`.
consteval Card operator""_card(const char* text, std::size_t size) {
  return parse_card({text, size}).value();
}

}  // namespace literals
}  // namespace upcard
