// The course's cards, for bots that bring no Card.cpp.
#include "cards.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

namespace {

std::string printed(const auto& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

/// The cards of a pack, ordered as a trick with this trump suit and led card has it.
std::vector<Card> by_worth(Suit trump, const Card& led) {
  std::vector<Card> pack;
  for (int suit = SPADES; suit <= DIAMONDS; ++suit) {
    for (int rank = NINE; rank <= ACE; ++rank) pack.emplace_back(Rank(rank), Suit(suit));
  }
  std::ranges::sort(pack,
                    [&](const Card& a, const Card& b) { return Card_less(a, b, led, trump); });
  return pack;
}

TEST(CourseCard, IsPrintedAndReadInWords) {
  std::istringstream in("Jack of Diamonds");
  Card card;
  EXPECT_EQ(printed(card), "Two of Spades");
  in >> card;
  EXPECT_EQ(printed(card), "Jack of Diamonds");
}

TEST(CourseCard, OneThatIsNoneIsNotRead) {
  std::istringstream in("");
  Card card(ACE, HEARTS);
  EXPECT_FALSE(in >> card);
  EXPECT_EQ(card, Card(ACE, HEARTS));
}

TEST(CourseCard, RanksGoBeforeSuits) {
  EXPECT_LT(Card(KING, DIAMONDS), Card(ACE, SPADES));
  EXPECT_LT(Card(ACE, SPADES), Card(ACE, HEARTS));
  EXPECT_LT(Card(ACE, HEARTS), Card(ACE, CLUBS));
  EXPECT_GT(Card(ACE, DIAMONDS), Card(ACE, CLUBS));
  EXPECT_LE(Card(ACE, CLUBS), Card(ACE, CLUBS));
  EXPECT_GE(Card(ACE, CLUBS), Card(ACE, CLUBS));
  EXPECT_NE(Card(ACE, CLUBS), Card(ACE, SPADES));
}

TEST(CourseCard, BowersAreTrumps) {
  const Card left(JACK, SPADES);
  EXPECT_TRUE(left.is_left_bower(CLUBS));
  EXPECT_TRUE(left.is_trump(CLUBS));
  EXPECT_EQ(left.get_suit(), SPADES);
  EXPECT_EQ(left.get_suit(CLUBS), CLUBS);
  EXPECT_EQ(left.get_suit(HEARTS), SPADES);
  EXPECT_TRUE(Card(JACK, CLUBS).is_right_bower(CLUBS));
  EXPECT_FALSE(left.is_right_bower(CLUBS));
  EXPECT_FALSE(Card(TEN, HEARTS).is_face_or_ace());
  EXPECT_TRUE(left.is_face_or_ace());
}

TEST(CourseCard, TrumpsGoBeforeTheLedSuitAndThatBeforeTheRest) {
  const std::vector<Card> cards = by_worth(HEARTS, Card(NINE, CLUBS));
  std::vector<std::string> words;
  for (const Card& card : cards) words.push_back(printed(card));
  EXPECT_EQ(words,
            (std::vector<std::string>{
                "Nine of Spades",   "Nine of Diamonds", "Ten of Spades",     "Ten of Diamonds",
                "Jack of Spades",   "Queen of Spades",  "Queen of Diamonds", "King of Spades",
                "King of Diamonds", "Ace of Spades",    "Ace of Diamonds",   "Nine of Clubs",
                "Ten of Clubs",     "Jack of Clubs",    "Queen of Clubs",    "King of Clubs",
                "Ace of Clubs",     "Nine of Hearts",   "Ten of Hearts",     "Queen of Hearts",
                "King of Hearts",   "Ace of Hearts",    "Jack of Diamonds",  "Jack of Hearts",
            }));
}

TEST(CourseCard, EveryCardOfTheSdkIsOneAndComesBack) {
  for (int number = 1; number <= 52; ++number) {
    const auto card = upcard::Card::numbered(number);
    const Card course = upcard::eecs280::course_card(card);
    EXPECT_EQ(upcard::eecs280::sdk_card(course), card);
    EXPECT_EQ(upcard::eecs280::in_words(card), printed(course));
  }
}

}  // namespace
