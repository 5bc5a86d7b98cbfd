// Players of these tests: a legal one, and one for each way to break a rule.
#include "Player.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <stdexcept>

#include "calls.h"

using namespace std;

vector<string>& calls() {
  static vector<string> made;
  return made;
}

namespace {

/// Passes as long as it may; plays the first card that is legal.
class Legal : public Player {
 public:
  explicit Legal(const string& name) : name_(name) {}

  const string& get_name() const override { return name_; }

  void add_card(const Card& c) override {
    note("add_card", c);
    hand.push_back(c);
  }

  bool make_trump(const Card& upcard, bool is_dealer, int round, Suit& suit) const override {
    note("make_trump", upcard, is_dealer, round);
    if (round == 2 && is_dealer) suit = Suit_next(upcard.get_suit());
    return round == 2 && is_dealer;
  }

  void add_and_discard(const Card& upcard) override {
    note("add_and_discard", upcard);
    hand.push_back(upcard);
    hand.erase(hand.begin());
  }

  Card lead_card(Suit trump) override {
    note("lead_card", trump);
    return take(hand.begin());
  }

  Card play_card(const Card& led, Suit trump) override {
    note("play_card", led, trump);
    const auto follows = find_if(hand.begin(), hand.end(), [&](const Card& card) {
      return card.get_suit(trump) == led.get_suit(trump);
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
  template <class... Arguments>
  void note(const string& call, const Arguments&... arguments) const {
    ostringstream words;
    words << number_ << ' ' << call;
    ((words << ' ' << arguments), ...);
    calls().push_back(words.str());
  }

  static int next_number() {
    static int last = 0;
    if (calls().empty()) last = 0;
    return ++last;
  }

  string name_;
  int number_ = next_number();
};

struct OrdersTheUpcardInRoundTwo : Legal {
  using Legal::Legal;
  bool make_trump(const Card& upcard, bool, int, Suit& suit) const override {
    suit = upcard.get_suit();
    return true;
  }
};

struct OrdersAnotherSuitInRoundOne : Legal {
  using Legal::Legal;
  bool make_trump(const Card& upcard, bool, int, Suit& suit) const override {
    suit = Suit_next(upcard.get_suit());
    return true;
  }
};

struct OrdersNoSuit : Legal {
  using Legal::Legal;
  bool make_trump(const Card&, bool, int, Suit& suit) const override {
    *reinterpret_cast<unsigned*>(&suit) = 7;
    return true;
  }
};

struct NeverOrders : Legal {
  using Legal::Legal;
  bool make_trump(const Card&, bool, int, Suit&) const override { return false; }
};

struct Revokes : Legal {
  using Legal::Legal;
  Card play_card(const Card&, Suit) override { return take(hand.end() - 1); }
};

struct PlaysWhatItDoesNotHold : Legal {
  using Legal::Legal;
  Card play_card(const Card&, Suit) override { return Card(TWO, SPADES); }
};

struct KeepsWhatItLeads : Legal {
  using Legal::Legal;
  Card lead_card(Suit) override { return hand.front(); }
};

/// No two of it lay the same card away.
struct DiscardsInTurn : Legal {
  using Legal::Legal;
  void add_and_discard(const Card& upcard) override {
    static size_t turn = 0;
    hand.push_back(upcard);
    hand.erase(hand.begin() + static_cast<int>(turn++ % hand.size()));
  }
};

struct Asserts : Legal {
  using Legal::Legal;
  bool make_trump(const Card&, bool, int, Suit&) const override { abort(); }
};

struct OverrunsTheStack : Legal {
  using Legal::Legal;
  bool make_trump(const Card& upcard, bool is_dealer, int round, Suit& suit) const override {
    const volatile bool deeper = make_trump(upcard, is_dealer, round, suit);
    return !deeper;
  }
};

struct Throws : Legal {
  using Legal::Legal;
  Card play_card(const Card&, Suit) override { throw out_of_range("no such card"); }
};

template <class Kind>
Player* when(const string& wanted, const string& name, const string& strategy) {
  return strategy == wanted ? new Kind(name) : nullptr;
}

}  // namespace

Player* Player_factory(const string& name, const string& strategy) {
  const vector<Player*> made{
      when<Legal>("Legal", name, strategy),
      when<OrdersTheUpcardInRoundTwo>("OrdersTheUpcardInRoundTwo", name, strategy),
      when<OrdersAnotherSuitInRoundOne>("OrdersAnotherSuitInRoundOne", name, strategy),
      when<OrdersNoSuit>("OrdersNoSuit", name, strategy),
      when<NeverOrders>("NeverOrders", name, strategy),
      when<Revokes>("Revokes", name, strategy),
      when<PlaysWhatItDoesNotHold>("PlaysWhatItDoesNotHold", name, strategy),
      when<KeepsWhatItLeads>("KeepsWhatItLeads", name, strategy),
      when<DiscardsInTurn>("DiscardsInTurn", name, strategy),
      when<Asserts>("Asserts", name, strategy),
      when<OverrunsTheStack>("OverrunsTheStack", name, strategy),
      when<Throws>("Throws", name, strategy),
  };
  const auto found = find_if(made.begin(), made.end(), [](Player* player) { return player; });
  return found == made.end() ? nullptr : *found;
}

ostream& operator<<(ostream& os, const Player& p) { return os << p.get_name(); }
