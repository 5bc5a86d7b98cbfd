// Situations that are made up for the tests of bots.
#include "upcard/situation.h"

#include <gtest/gtest.h>

#include "upcard/upcard.h"

namespace upcard {
namespace {

std::string imagined(const Situation& situation) {
  const Imagined imagined(situation);
  return to_string(imagined.view()) + ", legal " + to_string(imagined.view().legal());
}

TEST(Situation, ACallIsDueWhereCallsAreLegal) {
  EXPECT_EQ(imagined({.hand = "9C JC", .legal = "pass order_up", .upcard = "JS"}),
            "euchre, bidding: hand 9C JC, upcard JS, legal pass order_up");
}

TEST(Situation, ADiscardIsDueWhereDiscardsAreLegal) {
  EXPECT_EQ(imagined({.hand = "9C JC", .legal = "discard:9C discard:JC", .trump = "S"}),
            "euchre, discarding: hand 9C JC, trump S, legal discard:9C discard:JC");
}

TEST(Situation, WhatMayBePlayedFollows) {
  EXPECT_EQ(imagined({.hand = "9C JC AS", .trump = "S", .played = "KS", .leaders = "E"}),
            "euchre, playing: hand 9C JC AS, trump S, trick KS, legal play:JC play:AS");
}

TEST(Situation, WhistIsThereToo) {
  EXPECT_EQ(imagined({.game = Game::whist, .hand = "2C 3D", .trump_card = "AS"}),
            "whist, playing: hand 2C 3D, trump S, legal play:2C play:3D");
}

TEST(Situation, TheScoreIsTheSeatsOwn) {
  const Imagined imagined({.seat = Seat::east, .hand = "9C", .score = {4, 7}});
  EXPECT_EQ(imagined.view().score(), (Sides{4, 7}));
}

TEST(Situation, AWrongTokenIsNamed) {
  EXPECT_THROW(Imagined({.hand = "9C 1D"}), std::invalid_argument);
}

TEST(Situation, ABotIsAskedInIt) {
  class Last : public Bot {
   public:
    using Bot::Bot;
    Action choose(const View&, Actions legal) override { return legal.back(); }
  };
  Last bot({Seat::south, Rules(), Random(1)});
  EXPECT_EQ(ask(bot, {.hand = "9C JC"}), Action::play("JC"_card));
}

}  // namespace
}  // namespace upcard
