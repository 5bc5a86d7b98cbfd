// A playing card with the interface of EECS 280's euchre project (the one with enumerations, of
// 2024 and later), so that a Player.cpp or Card.cpp written for the course compiles as it is.
#ifndef CARD_HPP
#define CARD_HPP

#include <iostream>
#include <string>

enum Rank {
  TWO = 0,
  THREE = 1,
  FOUR = 2,
  FIVE = 3,
  SIX = 4,
  SEVEN = 5,
  EIGHT = 6,
  NINE = 7,
  TEN = 8,
  JACK = 9,
  QUEEN = 10,
  KING = 11,
  ACE = 12,
};

/// In the order that breaks ties between ranks, the lowest first.
enum Suit {
  SPADES = 0,
  HEARTS = 1,
  CLUBS = 2,
  DIAMONDS = 3,
};

/// The rank of `Two` ... `Ace`, the suit of `Spades`, `Hearts`, `Clubs` or `Diamonds`.
Rank string_to_rank(const std::string& str);
Suit string_to_suit(const std::string& str);

std::ostream& operator<<(std::ostream& os, Rank rank);
std::istream& operator>>(std::istream& is, Rank& rank);
std::ostream& operator<<(std::ostream& os, Suit suit);
std::istream& operator>>(std::istream& is, Suit& suit);

class Card {
 public:
  /// The two of spades.
  Card();
  Card(Rank rank_in, Suit suit_in);

  Rank get_rank() const;
  /// The suit that is printed on the card.
  Suit get_suit() const;
  /// The suit that the card counts as: the left bower is a trump.
  Suit get_suit(Suit trump) const;

  /// Whether it is a jack, queen, king or ace.
  bool is_face_or_ace() const;
  /// Whether it is the jack of trump.
  bool is_right_bower(Suit trump) const;
  /// Whether it is the jack of the other suit of trump's colour.
  bool is_left_bower(Suit trump) const;
  /// Whether it counts as a trump, as the left bower does.
  bool is_trump(Suit trump) const;

 private:
  // A Card.cpp of the course knows them by these names, in this order.
  Rank rank;
  Suit suit;

  friend std::istream& operator>>(std::istream& is, Card& card);
};

/// `Jack of Diamonds`.
std::ostream& operator<<(std::ostream& os, const Card& card);
std::istream& operator>>(std::istream& is, Card& card);

// By rank, then by suit; trump does not count.
bool operator<(const Card& lhs, const Card& rhs);
bool operator<=(const Card& lhs, const Card& rhs);
bool operator>(const Card& lhs, const Card& rhs);
bool operator>=(const Card& lhs, const Card& rhs);
bool operator==(const Card& lhs, const Card& rhs);
bool operator!=(const Card& lhs, const Card& rhs);

/// The other suit of the same colour.
Suit Suit_next(Suit suit);

/// Whether `a` is worth less than `b`: trumps are worth more than other cards, the bowers most.
bool Card_less(const Card& a, const Card& b, Suit trump);
/// The same in a trick: cards that follow the led one are worth more than those that do not.
bool Card_less(const Card& a, const Card& b, const Card& led_card, Suit trump);

#endif
