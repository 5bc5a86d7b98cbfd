// Cards and actions as text, there and back.
#include <gtest/gtest.h>

#include <sstream>

#include "upcard/upcard.h"

namespace upcard {
namespace {

class EveryAction : public testing::TestWithParam<const char*> {};

TEST_P(EveryAction, PrintsWhatItWasParsedFrom) {
  EXPECT_EQ(to_string(parse_action(GetParam()).value()), GetParam());
}

INSTANTIATE_TEST_SUITE_P(Tokens, EveryAction,
                         testing::Values("pass", "order_up", "order_up_alone", "name:S",
                                         "name_alone:C", "discard:9H", "play:JD"));

class NoAction : public testing::TestWithParam<const char*> {};

TEST_P(NoAction, IsParsed) { EXPECT_EQ(parse_action(GetParam()), std::nullopt); }

INSTANTIATE_TEST_SUITE_P(Tokens, NoAction,
                         testing::Values("", "passed", "order", "name:", "name:JD", "name:X",
                                         "play:", "play:J", "play:1D", "discard:D9", "play:JDD"));

TEST(Tokens, ACardIsKnownWhenTheProgramIsCompiled) {
  static_assert("JD"_card == Card(Rank::jack, Suit::diamonds));
  EXPECT_EQ(to_string("JD"_card), "JD");
}

TEST(Tokens, NoSuitIsInALongerText) { EXPECT_EQ(parse_suit("SS"), std::nullopt); }

TEST(Tokens, ARankIsItsLetter) {
  EXPECT_EQ(to_string(Rank::two), "2");
  EXPECT_EQ(to_string(Rank::ace), "A");
}

TEST(Tokens, WhatHasATokenIsWrittenAsIt) {
  std::ostringstream written;
  written << "JD"_card << Suit::hearts << Rank::ten << Seat::west << Action::name(Suit::spades);
  EXPECT_EQ(written.str(), "JDHTWname:S");
}

TEST(Tokens, ASeatIsItsLetter) { EXPECT_EQ(to_string(Seat::west), "W"); }

TEST(Tokens, AnAloneCallSaysSo) {
  EXPECT_TRUE(Action::name_alone(Suit::hearts).is_alone());
  EXPECT_FALSE(Action::name(Suit::hearts).is_alone());
}

TEST(Tokens, WhoSitsOutIsPassedOver) { EXPECT_EQ(left_of(Seat::south, Seat::west), Seat::north); }

TEST(Tokens, AListTakesNoMoreThanItHolds) {
  CardList cards;
  for (int number = 1; number <= 52; ++number) cards.push_back(Card::numbered(number));
  EXPECT_THROW(cards.push_back("2C"_card), std::out_of_range);
}

}  // namespace
}  // namespace upcard
