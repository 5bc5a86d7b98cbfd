// A better Player than the course's Simple one, with no more to see: it weighs its hand before it
// orders up, trumps what it cannot follow, and gives no high card to a trick that it cannot win.
#include "Player.hpp"

#include <algorithm>
#include <cassert>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

using namespace std;

namespace {

using Hand = vector<Card>;

// About how many tenths of a trick a card is worth to the maker of trump.
int worth(const Card& card, Suit trump) {
  if (card.is_right_bower(trump)) return 11;
  if (card.is_left_bower(trump)) return 8;
  if (card.is_trump(trump)) return card.get_rank() == ACE ? 7 : card.get_rank() == KING ? 6 : 5;
  return card.get_rank() == ACE ? 4 : card.get_rank() == KING ? 1 : 0;
}

int count_of(const Hand& hand, Suit suit, Suit trump) {
  return static_cast<int>(count_if(hand.begin(), hand.end(),
                                   [&](const Card& card) { return card.get_suit(trump) == suit; }));
}

// The worth of all cards, and of the suits that it can trump.
int worth(const Hand& hand, Suit trump) {
  int sum = 0;
  for (const Card& card : hand) sum += worth(card, trump);
  if (count_of(hand, trump, trump) == 0) return sum;
  for (int suit = SPADES; suit <= DIAMONDS; ++suit) {
    if (count_of(hand, static_cast<Suit>(suit), trump) == 0) sum += 2;
  }
  return sum;
}

Hand without(Hand hand, const Card& card) {
  hand.erase(find(hand.begin(), hand.end(), card));
  return hand;
}

// The card without which a hand is worth most; of equal ones the lowest.
Card least_missed(const Hand& hand, Suit trump) {
  return *max_element(hand.begin(), hand.end(), [&](const Card& a, const Card& b) {
    const int left_a = worth(without(hand, a), trump), left_b = worth(without(hand, b), trump);
    return left_a == left_b ? Card_less(b, a, trump) : left_a < left_b;
  });
}

const int orders_up = 21;
const int orders_up_as_dealer = 19;
const int names = 16;

}  // namespace

class Shrewd : public Player {
 public:
  explicit Shrewd(const string& name) : name_(name) {}

  const string& get_name() const override { return name_; }

  void add_card(const Card& c) override { hand_.push_back(c); }

  bool make_trump(const Card& upcard, bool is_dealer, int round,
                  Suit& order_up_suit) const override {
    made_trump_ =
        round == 1 ? orders(upcard, is_dealer) : best_suit(upcard, order_up_suit, is_dealer);
    if (round == 1 && made_trump_) order_up_suit = upcard.get_suit();
    return made_trump_;
  }

  void add_and_discard(const Card& upcard) override {
    hand_.push_back(upcard);
    take(least_missed(hand_, upcard.get_suit()));
  }

  // Who made trump draws the others'; anybody else leads an ace, or from a short suit.
  Card lead_card(Suit trump) override {
    const int trumps = count_of(hand_, trump, trump);
    if (trumps == static_cast<int>(hand_.size()) || (made_trump_ && trumps >= 2)) {
      return take(*max_element(hand_.begin(), hand_.end(), by_value(trump)));
    }
    return take(*max_element(hand_.begin(), hand_.end(), [&](const Card& a, const Card& b) {
      return lead_value(a, trump) < lead_value(b, trump);
    }));
  }

  Card play_card(const Card& led_card, Suit trump) override {
    const Suit led = led_card.get_suit(trump);
    Hand legal;
    copy_if(hand_.begin(), hand_.end(), back_inserter(legal),
            [&](const Card& card) { return card.get_suit(trump) == led; });
    if (!legal.empty()) return take(following(legal, led_card, trump));
    copy_if(hand_.begin(), hand_.end(), back_inserter(legal),
            [&](const Card& card) { return card.is_trump(trump); });
    if (!legal.empty()) return take(*min_element(legal.begin(), legal.end(), by_value(trump)));
    return take(least_missed(hand_, trump));
  }

 private:
  struct ByValue {
    Suit trump;
    bool operator()(const Card& a, const Card& b) const { return Card_less(a, b, trump); }
  };
  static ByValue by_value(Suit trump) { return {trump}; }

  bool orders(const Card& upcard, bool is_dealer) const {
    const Suit trump = upcard.get_suit();
    if (!is_dealer) return worth(hand_, trump) >= orders_up;
    Hand six = hand_;
    six.push_back(upcard);
    return worth(without(six, least_missed(six, trump)), trump) >= orders_up_as_dealer;
  }

  bool best_suit(const Card& upcard, Suit& order_up_suit, bool must) const {
    int best = must ? -1 : names - 1;
    const int before = best;
    for (int number = SPADES; number <= DIAMONDS; ++number) {
      const Suit suit = static_cast<Suit>(number);
      if (suit == upcard.get_suit() || worth(hand_, suit) <= best) continue;
      best = worth(hand_, suit);
      order_up_suit = suit;
    }
    return best > before;
  }

  // Aces first, then the highest of the shortest suit; trumps last.
  int lead_value(const Card& card, Suit trump) const {
    if (card.is_trump(trump)) return -100;
    const int high = card.get_rank() == ACE ? 50 : card.get_rank();
    return high - 2 * count_of(hand_, card.get_suit(), trump);
  }

  // The highest if it beats the card led, or else the lowest.
  static Card following(const Hand& legal, const Card& led_card, Suit trump) {
    const Card highest = *max_element(legal.begin(), legal.end(), by_value(trump));
    if (Card_less(led_card, highest, trump)) return highest;
    return *min_element(legal.begin(), legal.end(), by_value(trump));
  }

  Card take(const Card card) {
    hand_ = without(hand_, card);
    return card;
  }

  string name_;
  Hand hand_;
  // Whether it made trump itself: make_trump is const, but the play depends on it.
  mutable bool made_trump_ = false;
};

Player* Player_factory(const string& name, const string& strategy) {
  return strategy == "Shrewd" ? new Shrewd(name) : nullptr;
}

ostream& operator<<(ostream& os, const Player& p) { return os << p.get_name(); }
