// The course's Simple strategy, as its project describes it: a Player that sees no further than its
// own hand and the card led. Written to be read; a student's Player.cpp has the same form.
#include "Player.hpp"

#include <algorithm>
#include <cassert>
#include <iostream>
#include <string>
#include <vector>

using namespace std;

class Simple : public Player {
 public:
  explicit Simple(const string& name) : name_(name) {}

  const string& get_name() const override { return name_; }

  void add_card(const Card& c) override {
    assert(hand_.size() < MAX_HAND_SIZE);
    hand_.push_back(c);
  }

  // In the first round it takes two honours of the upcard's suit; in the second, one of the other
  // suit of that colour, which a dealer orders up in any case.
  bool make_trump(const Card& upcard, bool is_dealer, int round,
                  Suit& order_up_suit) const override {
    const Suit suit = round == 1 ? upcard.get_suit() : Suit_next(upcard.get_suit());
    const auto honours = count_if(hand_.begin(), hand_.end(), [&](const Card& card) {
      return card.is_face_or_ace() && card.is_trump(suit);
    });
    const bool orders = round == 1 ? honours >= 2 : honours >= 1 || is_dealer;
    if (orders) order_up_suit = suit;
    return orders;
  }

  // The lowest of six cards goes, even if that is the upcard.
  void add_and_discard(const Card& upcard) override {
    hand_.push_back(upcard);
    take(lowest(upcard.get_suit()));
  }

  // The highest card that is no trump; of trumps alone, the highest.
  Card lead_card(Suit trump) override {
    return take(max_element(hand_.begin(), hand_.end(), [&](const Card& a, const Card& b) {
      const bool a_trump = a.is_trump(trump), b_trump = b.is_trump(trump);
      return a_trump == b_trump ? Card_less(a, b, trump) : a_trump;
    }));
  }

  // The highest card that follows suit; if none does, the lowest of all.
  Card play_card(const Card& led_card, Suit trump) override {
    const Suit led = led_card.get_suit(trump);
    const auto highest = max_element(hand_.begin(), hand_.end(), [&](const Card& a, const Card& b) {
      const bool a_follows = a.get_suit(trump) == led, b_follows = b.get_suit(trump) == led;
      return a_follows == b_follows ? Card_less(a, b, trump) : b_follows;
    });
    return take(highest->get_suit(trump) == led ? highest : lowest(trump));
  }

 private:
  using Place = vector<Card>::iterator;

  Place lowest(Suit trump) {
    return min_element(hand_.begin(), hand_.end(),
                       [&](const Card& a, const Card& b) { return Card_less(a, b, trump); });
  }

  Card take(Place place) {
    assert(place != hand_.end());
    const Card card = *place;
    hand_.erase(place);
    return card;
  }

  string name_;
  vector<Card> hand_;
};

Player* Player_factory(const string& name, const string& strategy) {
  return strategy == "Simple" ? new Simple(name) : nullptr;
}

ostream& operator<<(ostream& os, const Player& p) { return os << p.get_name(); }
