// Players of a student: one that writes down each call, and others that fail.
#include "Player.hpp"

#include <algorithm>
#include <cassert>

#ifndef CARDS_BROUGHT_ALONG
#error "Card.hpp of the SDK was taken, and not the one beside this file"
#endif

using namespace std;

class Logs : public Player {
 public:
  explicit Logs(const string& name) : name_(name), number_(next_number()) {
    assert(cards_are_brought_along());
  }

  const string& get_name() const override { return name_; }

  void add_card(const Card& c) override {
    log() << "add_card(" << c << ")\n";
    hand.push_back(c);
  }

  // Three cards of the suit are enough for it.
  bool make_trump(const Card& upcard, bool is_dealer, int round, Suit& suit) const override {
    log() << "make_trump(" << upcard << ", " << is_dealer << ", " << round << ")\n";
    for (int number = SPADES; number <= DIAMONDS; ++number) {
      const Suit each = static_cast<Suit>(number);
      if ((each == upcard.get_suit()) != (round == 1) || count_of(each) < 3) continue;
      suit = each;
      return true;
    }
    suit = Suit_next(upcard.get_suit());
    return round == 2 && is_dealer;
  }

  void add_and_discard(const Card& upcard) override {
    log() << "add_and_discard(" << upcard << ")\n";
    hand.push_back(upcard);
    take(min_element(hand.begin(), hand.end()));
  }

  Card lead_card(Suit trump) override {
    log() << "lead_card(" << trump << ")\n";
    return take(max_element(hand.begin(), hand.end()));
  }

  Card play_card(const Card& led_card, Suit trump) override {
    log() << "play_card(" << led_card << ", " << trump << ")\n";
    const auto follows = find_if(hand.begin(), hand.end(), [&](const Card& card) {
      return card.get_suit(trump) == led_card.get_suit(trump);
    });
    return take(follows == hand.end() ? hand.begin() : follows);
  }

 protected:
  Card take(vector<Card>::iterator place) {
    const Card card = *place;
    hand.erase(place);
    return card;
  }

  vector<Card> hand;

 private:
  static int next_number() {
    static int last = 0;
    return ++last;
  }

  ostream& log() const { return cerr << "Player " << number_ << ' ' << name_ << ": "; }

  int count_of(Suit suit) const {
    return static_cast<int>(
        count_if(hand.begin(), hand.end(), [&](const Card& card) { return card.is_trump(suit); }));
  }

  string name_;
  int number_;
};

class Revokes : public Logs {
 public:
  using Logs::Logs;
  Card play_card(const Card&, Suit) override { return take(hand.begin()); }
};

class Asserts : public Logs {
 public:
  using Logs::Logs;
  Card play_card(const Card& led_card, Suit) override {
    assert(hand.size() < 4);
    return led_card;
  }
};

Player* Player_factory(const string& name, const string& strategy) {
  if (strategy == "Revokes") return new Revokes(name);
  if (strategy == "Asserts") return new Asserts(name);
  return strategy == "Logs" ? new Logs(name) : nullptr;
}

ostream& operator<<(ostream& os, const Player& p) { return os << p.get_name(); }
