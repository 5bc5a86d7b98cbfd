// A euchre player with the interface of EECS 280's euchre project.
#ifndef PLAYER_HPP
#define PLAYER_HPP

#include <string>
#include <vector>

#include "Card.hpp"

class Player {
 public:
  virtual const std::string& get_name() const = 0;

  /// Takes a card that is dealt.
  virtual void add_card(const Card& c) = 0;

  /// Whether the player orders up, in round 1 or 2; if so, it sets `order_up_suit`.
  virtual bool make_trump(const Card& upcard, bool is_dealer, int round,
                          Suit& order_up_suit) const = 0;

  /// Takes the upcard and lays a card away.
  virtual void add_and_discard(const Card& upcard) = 0;

  /// Leads a card to a trick, which leaves the player's hand.
  virtual Card lead_card(Suit trump) = 0;

  /// Plays a card to a trick that another player led.
  virtual Card play_card(const Card& led_card, Suit trump) = 0;

  static const int MAX_HAND_SIZE = 5;

  virtual ~Player() {}
};

/// Makes a player with `new`; the caller deletes the player.
Player* Player_factory(const std::string& name, const std::string& strategy);

/// The player's name.
std::ostream& operator<<(std::ostream& os, const Player& p);

#endif
