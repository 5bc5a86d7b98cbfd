// Situations that are made up for the tests of bots.
#include "upcard/situation.h"

#include <gtest/gtest.h>

#include <string>

#include "everything.h"
#include "testdata.h"
#include "upcard/upcard.h"

namespace upcard {
namespace {

using testdata::Json;

/// A situation of the shared ones, with the words that it points at.
struct Told {
  explicit Told(const Json& line)
      : game(word(line, "game")),
        hand(words(line, "hand")),
        calls(words(line, "calls")),
        played(words(line, "played")),
        upcard(word(line, "upcard")),
        trump_card(word(line, "trump_card")),
        trump(word(line, "trump")),
        discard(word(line, "discard")) {
    situation = {
        .game = game == "whist" ? Game::whist : Game::euchre,
        .seat = seat(line, "seat"),
        .dealer = seat(line, "dealer").value_or(Seat::west),
        .hand = hand,
        .upcard = upcard,
        .trump_card = trump_card,
        .trump = trump,
        .calls = calls,
        .maker = seat(line, "maker"),
        .discard = discard,
        .played = played,
        .hand_number = line.value("hand_number", 0),
        .dealer_stuck = line.value("dealer_stuck", false),
    };
    if (line.contains("score")) situation.score = {line["score"][0], line["score"][1]};
    if (line.contains("rules")) situation.rules = rules(line["rules"]);
  }

  static std::string word(const Json& line, const char* name) {
    return line.contains(name) && !line[name].is_null() ? line[name].get<std::string>() : "";
  }

  static std::string words(const Json& line, const char* name) {
    std::string found;
    if (line.contains(name)) {
      for (const Json& token : line[name]) found += token.get<std::string>() + " ";
    }
    return found;
  }

  static std::optional<Seat> seat(const Json& line, const char* name) {
    return line.contains(name) ? testdata::maybe_seat(line[name]) : std::nullopt;
  }

  static Rules rules(const Json& told) {
    return {told["target"], told["alone"], told["stick_dealer"], told["partner_must_go_alone"]};
  }

  std::string game, hand, calls, played, upcard, trump_card, trump, discard;
  Situation situation;
};

std::string refused(const Situation& situation) {
  try {
    Imagined{situation};
  } catch (const ImpossibleSituation& impossible) {
    return impossible.what();
  }
  return "it can be";
}

TEST(Situation, ComesToWhatFollowsFromIt) {
  for (const Json& line : testdata::lines("situations")) {
    if (line.contains("refused")) continue;
    const Told told(line["situation"]);
    const Json found = testdata::everything(Imagined(told.situation).view());
    EXPECT_EQ(found, line["view"]) << line << Json::diff(line["view"], found);
  }
}

TEST(Situation, IsRefusedIfItCannotBe) {
  for (const Json& line : testdata::lines("situations")) {
    if (!line.contains("refused")) continue;
    const Told told(line["situation"]);
    EXPECT_EQ(refused(told.situation), line["refused"]) << line;
  }
}

TEST(Situation, AWrongTokenIsNamed) {
  EXPECT_EQ(refused({.hand = "9C 1D"}), "no card, suit or action: 1D");
  EXPECT_EQ(refused({.hand = "9C", .trump = "X"}), "no card, suit or action: X");
  EXPECT_EQ(refused({.hand = "9C", .upcard = "9D 9H"}), "more than one word: 9D 9H");
}

class Drawing : public Bot {
 public:
  using Bot::Bot;
  Action choose(const View& view, Actions legal) override {
    EXPECT_EQ(view.seat(), seat());
    EXPECT_EQ(view.rules(), rules());
    return legal[random().below(legal.size())];
  }
};

TEST(Situation, ABotIsAskedInItAlwaysWithTheSameChance) {
  const Situation leading{.dealer = Seat::east, .hand = "9C AC JD KS 9S", .trump = "H"};
  const Action first = ask<Drawing>(leading);
  for (int again = 0; again < 20; ++again) EXPECT_EQ(ask<Drawing>(leading), first);
}

class Wrong : public Bot {
 public:
  using Bot::Bot;
  Action choose(const View&, Actions) override { return Action::name(Suit::clubs); }
};

TEST(Situation, WhatABotMayNotDoIsTold) {
  const Situation situation{.hand = "9C JD", .upcard = "9H"};
  try {
    ask<Wrong>(situation);
    FAIL();
  } catch (const IllegalChoice& illegal) {
    EXPECT_STREQ(illegal.what(),
                 "the bot returned name:C; legal here: pass order_up order_up_alone");
  }
}

}  // namespace
}  // namespace upcard
