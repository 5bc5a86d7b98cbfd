// A Player to begin with: it breaks no rule, and does no more than that. Put yours in its place.
#include "Player.hpp"

#include <algorithm>
#include <cassert>
#include <iostream>
#include <string>
#include <vector>

using namespace std;

class Beginner : public Player {
 public:
  explicit Beginner(const string& name) : name_(name) {}

  const string& get_name() const override { return name_; }

  void add_card(const Card& c) override {
    assert(hand_.size() < MAX_HAND_SIZE);
    hand_.push_back(c);
  }

  bool make_trump(const Card& upcard, bool is_dealer, int round,
                  Suit& order_up_suit) const override {
    if (round == 1 || !is_dealer) return false;
    order_up_suit = Suit_next(upcard.get_suit());
    return true;
  }

  void add_and_discard(const Card& upcard) override { hand_.front() = upcard; }

  Card lead_card(Suit) override { return take(hand_.begin()); }

  Card play_card(const Card& led_card, Suit trump) override {
    const auto follows = find_if(hand_.begin(), hand_.end(), [&](const Card& card) {
      return card.get_suit(trump) == led_card.get_suit(trump);
    });
    return take(follows == hand_.end() ? hand_.begin() : follows);
  }

 private:
  Card take(vector<Card>::iterator place) {
    const Card card = *place;
    hand_.erase(place);
    return card;
  }

  string name_;
  vector<Card> hand_;
};

Player* Player_factory(const string& name, const string& strategy) {
  return strategy == "Simple" ? new Beginner(name) : nullptr;
}

ostream& operator<<(ostream& os, const Player& p) { return os << p.get_name(); }
