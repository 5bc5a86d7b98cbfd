// The cards, for bots that have no Card.cpp of their own.
#include "Card.hpp"

#include <algorithm>
#include <array>
#include <cassert>

namespace {

const std::array<std::string, 13> rank_names{"Two",   "Three", "Four", "Five", "Six",
                                             "Seven", "Eight", "Nine", "Ten",  "Jack",
                                             "Queen", "King",  "Ace"};
const std::array<std::string, 4> suit_names{"Spades", "Hearts", "Clubs", "Diamonds"};

template <class Value, std::size_t Count>
Value named(const std::array<std::string, Count>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  assert(found != names.end());
  return static_cast<Value>(found - names.begin());
}

/// The place of a card among the trumps: below 100 it is none.
int trump_value(const Card& card, Suit trump) {
  if (card.is_right_bower(trump)) return 300;
  if (card.is_left_bower(trump)) return 200;
  return card.get_suit() == trump ? 100 + card.get_rank() : 0;
}

}  // namespace

Rank string_to_rank(const std::string& str) { return named<Rank>(rank_names, str); }

Suit string_to_suit(const std::string& str) { return named<Suit>(suit_names, str); }

std::ostream& operator<<(std::ostream& os, Rank rank) { return os << rank_names.at(rank); }

std::ostream& operator<<(std::ostream& os, Suit suit) { return os << suit_names.at(suit); }

std::istream& operator>>(std::istream& is, Rank& rank) {
  std::string name;
  if (is >> name) rank = string_to_rank(name);
  return is;
}

std::istream& operator>>(std::istream& is, Suit& suit) {
  std::string name;
  if (is >> name) suit = string_to_suit(name);
  return is;
}

Card::Card() : Card(TWO, SPADES) {}

Card::Card(Rank rank_in, Suit suit_in) : rank(rank_in), suit(suit_in) {}

Rank Card::get_rank() const { return rank; }

Suit Card::get_suit() const { return suit; }

Suit Card::get_suit(Suit trump) const { return is_left_bower(trump) ? trump : suit; }

bool Card::is_face_or_ace() const { return rank >= JACK; }

bool Card::is_right_bower(Suit trump) const { return rank == JACK && suit == trump; }

bool Card::is_left_bower(Suit trump) const { return rank == JACK && suit == Suit_next(trump); }

bool Card::is_trump(Suit trump) const { return get_suit(trump) == trump; }

std::ostream& operator<<(std::ostream& os, const Card& card) {
  return os << card.get_rank() << " of " << card.get_suit();
}

std::istream& operator>>(std::istream& is, Card& card) {
  std::string of;
  return is >> card.rank >> of >> card.suit;
}

bool operator<(const Card& lhs, const Card& rhs) {
  if (lhs.get_rank() != rhs.get_rank()) return lhs.get_rank() < rhs.get_rank();
  return lhs.get_suit() < rhs.get_suit();
}

bool operator<=(const Card& lhs, const Card& rhs) { return !(rhs < lhs); }

bool operator>(const Card& lhs, const Card& rhs) { return rhs < lhs; }

bool operator>=(const Card& lhs, const Card& rhs) { return !(lhs < rhs); }

bool operator==(const Card& lhs, const Card& rhs) {
  return lhs.get_rank() == rhs.get_rank() && lhs.get_suit() == rhs.get_suit();
}

bool operator!=(const Card& lhs, const Card& rhs) { return !(lhs == rhs); }

Suit Suit_next(Suit suit) { return static_cast<Suit>((suit + 2) % 4); }

bool Card_less(const Card& a, const Card& b, Suit trump) {
  const int value_a = trump_value(a, trump), value_b = trump_value(b, trump);
  return value_a == value_b ? a < b : value_a < value_b;
}

bool Card_less(const Card& a, const Card& b, const Card& led_card, Suit trump) {
  const Suit led = led_card.get_suit(trump);
  const bool a_follows = a.get_suit(trump) == led, b_follows = b.get_suit(trump) == led;
  if (a.is_trump(trump) || b.is_trump(trump) || a_follows == b_follows) {
    return Card_less(a, b, trump);
  }
  return b_follows;
}
