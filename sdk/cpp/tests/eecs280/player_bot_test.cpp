// What a Player is told, and what comes of one that breaks a rule.
#include "player_bot.h"

#include <gtest/gtest.h>
#include <upcard/situation.h>

#include "call_watch.h"
#include "calls.h"

namespace upcard::eecs280 {
namespace {

PlayerBot bot(const std::string& strategy) {
  calls().clear();
  return {Seating{Seat::south, Rules{}, Random(1)}, strategy};
}

Action ask(PlayerBot& asked, const Situation& situation) {
  return upcard::ask(asked, Imagined(situation).view());
}

/// What was told to the Player of a number, in one line.
std::string told(int player) {
  std::string line;
  for (const std::string& call : calls()) {
    const std::string number = std::to_string(player) + " ";
    if (call.starts_with(number)) line += (line.empty() ? "" : "; ") + call.substr(number.size());
  }
  return line;
}

/// What a Player of some strategy did that it must not, in some situation.
std::string refusal(const std::string& strategy, const Situation& situation) {
  PlayerBot asked = bot(strategy);
  try {
    return "no refusal, but " + to_string(ask(asked, situation));
  } catch (const IllegalPlayer& refused) {
    return refused.what();
  }
}

const std::string dealt =
    "add_card Nine of Clubs; add_card Ace of Diamonds; add_card Ten of Hearts; "
    "add_card King of Hearts; add_card Nine of Spades";

const Situation first_round{.hand = "9C AD TH KH 9S", .upcard = "JD", .calls = "pass pass"};

const Situation as_stuck_dealer{.dealer = Seat::south,
                                .hand = "9C AD TH KH 9S",
                                .upcard = "JD",
                                .calls = "pass pass pass pass pass pass pass"};

const Situation taking_the_upcard{
    .dealer = Seat::south,
    .hand = "9C AD TH KH 9S JD",
    .upcard = "JD",
    .calls = "pass order_up"};

/// In the second trick, South with hearts to follow with; in the first it played the nine of clubs.
const Situation second_trick{.hand = "AD TH KH 9S",
                             .upcard = "JD",
                             .calls = "pass pass pass pass name:S",
                             .played = "TC JC 9C QC 9H"};

TEST(PlayerBot, AsksForACallWithTheFiveCardsDealt) {
  PlayerBot asked = bot("Legal");
  EXPECT_EQ(ask(asked, first_round), Action::pass());
  EXPECT_EQ(told(1), dealt + "; make_trump Jack of Diamonds 0 1");
}

TEST(PlayerBot, AStuckDealerIsTheDealerInRoundTwo) {
  PlayerBot asked = bot("Legal");
  Situation before = as_stuck_dealer;
  before.calls = "pass pass pass";
  EXPECT_EQ(ask(asked, before), Action::pass());
  EXPECT_EQ(ask(asked, as_stuck_dealer), Action::name(Suit::hearts));
  EXPECT_EQ(told(1), dealt + "; make_trump Jack of Diamonds 1 1; make_trump Jack of Diamonds 1 2");
}

TEST(PlayerBot, ADiscardIsSeenInWhatAnotherPlayerLeads) {
  PlayerBot asked = bot("Legal");
  EXPECT_EQ(ask(asked, taking_the_upcard), Action::discard("9C"_card));
  EXPECT_EQ(told(1), dealt + "; add_and_discard Jack of Diamonds");
  EXPECT_EQ(told(2), dealt +
                         "; add_and_discard Jack of Diamonds; lead_card Diamonds; lead_card "
                         "Diamonds; lead_card Diamonds; lead_card Diamonds; lead_card Diamonds");
}

TEST(PlayerBot, AForcedPlayIsToldBeforeTheNextDecision) {
  PlayerBot asked = bot("Legal");
  // West dealt, and North named spades before South spoke again.
  ASSERT_EQ(ask(asked, first_round), Action::pass());
  EXPECT_EQ(ask(asked, second_trick), Action::play("TH"_card));
  EXPECT_EQ(told(1), dealt +
                         "; make_trump Jack of Diamonds 0 1; play_card Ten of Clubs Spades; "
                         "play_card Nine of Hearts Spades");
}

TEST(PlayerBot, AHandHasAPlayerOfItsOwn) {
  PlayerBot asked = bot("Legal");
  ask(asked, first_round);
  Situation next = first_round;
  next.hand = "9D TD QD KD AC";
  ask(asked, next);
  EXPECT_EQ(told(2),
            "add_card Ace of Clubs; add_card Nine of Diamonds; add_card Ten of Diamonds; add_card "
            "Queen of Diamonds; add_card King of Diamonds; make_trump Jack of Diamonds 0 1");
}

TEST(PlayerBot, OneThatWasNotAskedAllGoesOnWithTheCardsItHolds) {
  PlayerBot asked = bot("Legal");
  testing::internal::CaptureStderr();
  EXPECT_EQ(ask(asked, second_trick), Action::play("TH"_card));
  EXPECT_NE(testing::internal::GetCapturedStderr().find("a new Player goes on with this hand"),
            std::string::npos);
  EXPECT_EQ(told(2),
            "add_card Ace of Diamonds; add_card Ten of Hearts; add_card King of Hearts; add_card "
            "Nine of Spades; play_card Nine of Hearts Spades");
}

TEST(PlayerBot, ADiscardThatDependsOnChanceIsMadeGood) {
  PlayerBot asked = bot("DiscardsInTurn");
  ASSERT_EQ(ask(asked, taking_the_upcard), Action::discard("9C"_card));
  testing::internal::CaptureStderr();
  // The Player kept the nine of clubs, and would follow with it.
  EXPECT_EQ(ask(asked, {.dealer = Seat::south,
                        .hand = "AD TH KH 9S JD",
                        .upcard = "JD",
                        .calls = "pass order_up",
                        .discard = "9C",
                        .played = "TC QC KC"}),
            Action::play("AD"_card));
  EXPECT_NE(testing::internal::GetCapturedStderr().find("Nine of Clubs, which another one laid"),
            std::string::npos);
}

TEST(IllegalPlayer, MayNotPassAsAStuckDealer) {
  EXPECT_EQ(refusal("NeverOrders", as_stuck_dealer),
            "make_trump(Jack of Diamonds, is_dealer true, round 2) returned false, but the dealer "
            "has to order up in the second round");
}

TEST(IllegalPlayer, MayNotOrderUpAnotherSuitInTheFirstRound) {
  EXPECT_EQ(refusal("OrdersAnotherSuitInRoundOne", first_round),
            "make_trump(Jack of Diamonds, is_dealer false, round 1) ordered up Hearts, but in the "
            "first round only the suit of the upcard is on offer");
}

TEST(IllegalPlayer, MayNotOrderUpTheUpcardInTheSecondRound) {
  EXPECT_EQ(refusal("OrdersTheUpcardInRoundTwo", as_stuck_dealer),
            "make_trump(Jack of Diamonds, is_dealer true, round 2) ordered up Diamonds, the suit "
            "of the upcard, in the second round");
}

TEST(IllegalPlayer, MayNotOrderUpWhatIsNoSuit) {
  EXPECT_EQ(refusal("OrdersNoSuit", first_round),
            "make_trump(Jack of Diamonds, is_dealer false, round 1) set order_up_suit to 7, which "
            "is no suit");
}

TEST(IllegalPlayer, HasToFollowSuit) {
  EXPECT_EQ(refusal("Revokes", second_trick),
            "play_card(Nine of Hearts, Spades) returned Nine of Spades, which does not follow "
            "suit, and Ten of Hearts, King of Hearts would; its hand: Ace of Diamonds, Ten of "
            "Hearts, King of Hearts, Nine of Spades");
}

TEST(IllegalPlayer, HasToPlayWhatItHolds) {
  EXPECT_EQ(refusal("PlaysWhatItDoesNotHold", second_trick),
            "play_card(Nine of Hearts, Spades) returned Two of Spades, which is not in its hand: "
            "Ace of Diamonds, Ten of Hearts, King of Hearts, Nine of Spades");
}

TEST(IllegalPlayer, HasToMakeForcedPlaysToo) {
  PlayerBot asked = bot("Revokes");
  ask(asked, first_round);
  EXPECT_THROW(ask(asked, second_trick), IllegalPlayer);
}

TEST(IllegalPlayer, HasToLayOneCardAwayAndKeepTheOthers) {
  EXPECT_EQ(
      refusal("KeepsWhatItLeads", taking_the_upcard),
      "lead_card(Diamonds) to see what is left after add_and_discard returned Ace of Diamonds, "
      "which is none of the cards left: Nine of Clubs, Ten of Hearts, King of Hearts, Nine "
      "of Spades, Jack of Diamonds");
}

TEST(IllegalPlayer, HasToHaveAStrategy) {
  EXPECT_EQ(refusal("Simpel", first_round),
            "Player_factory(\"South\", \"Simpel\") made no Player: is \"Simpel\" a strategy of "
            "your Player_factory? The last word of `run` in bot.toml names it");
}

TEST(FailingPlayer, IsToldWithTheCallThatThrew) {
  PlayerBot asked = bot("Throws");
  testing::internal::CaptureStderr();
  EXPECT_THROW(ask(asked, second_trick), std::out_of_range);
  EXPECT_NE(testing::internal::GetCapturedStderr().find(
                "an exception came out of play_card(Nine of Hearts, Spades), holding Ace of"),
            std::string::npos);
}

void decide_watched(const std::string& strategy) {
  watch_for_signals();
  PlayerBot asked = bot(strategy);
  ask(asked, first_round);
}

TEST(FailingPlayerDeathTest, IsToldWithTheCallThatASignalEnded) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_EXIT(decide_watched("Asserts"), testing::KilledBySignal(SIGABRT),
              "did not return from make_trump.Jack of Diamonds, is_dealer false, round 1., holding "
              "Nine of Clubs, .*: SIGABRT, as by an assert");
}

TEST(FailingPlayerDeathTest, IsToldEvenWithoutAStack) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_EXIT(decide_watched("OverrunsTheStack"), testing::KilledBySignal(SIGSEGV),
              "did not return from make_trump.*: SIGSEGV, as by a bad index or pointer");
}

}  // namespace
}  // namespace upcard::eecs280
