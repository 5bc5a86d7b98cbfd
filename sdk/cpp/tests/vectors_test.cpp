// The worth of cards, as all SDKs agree on it.
#include <gtest/gtest.h>

#include "testdata.h"

namespace upcard {
namespace {

using testdata::Json;

TEST(Vectors, ACardHasTheNumberOfTheProtocol) {
  for (const Json& line : testdata::lines("cards")) {
    EXPECT_EQ(to_string(Card::numbered(line["number"])), line["card"]);
  }
}

TEST(Vectors, ACardHasTheSuitPrintedOnIt) {
  for (const Json& line : testdata::lines("cards")) {
    EXPECT_EQ(to_string(testdata::card(line["card"]).suit()), line["suit"]);
  }
}

TEST(Vectors, ACardCountsAsItsEffectiveSuit) {
  for (const Json& line : testdata::lines("effective_suit")) {
    const auto trump = testdata::maybe_suit(line["trump"]);
    const Suit suit = effective_suit(testdata::game(line), testdata::card(line["card"]), trump);
    EXPECT_EQ(to_string(suit), line["suit"]) << line;
  }
}

TEST(Vectors, ACardHasItsStrength) {
  for (const Json& line : testdata::lines("effective_suit")) {
    const auto trump = testdata::maybe_suit(line["trump"]);
    EXPECT_EQ(strength(testdata::game(line), testdata::card(line["card"]), trump), line["strength"])
        << line;
  }
}

TEST(Vectors, ACardBeatsAnotherThatIsWinning) {
  for (const Json& line : testdata::lines("beats")) {
    const bool beaten = beats(testdata::game(line), testdata::card(line["card"]),
                              testdata::card(line["other"]), testdata::maybe_suit(line["trump"]));
    EXPECT_EQ(beaten, line["beats"]) << line;
  }
}

TEST(Vectors, ATrickHasItsWinner) {
  for (const Json& line : testdata::lines("trick_winner")) {
    const Play best =
        winner_of(testdata::game(line), testdata::cards(line["cards"]), Seat(line["leader"]),
                  testdata::maybe_suit(line["trump"]), testdata::maybe_seat(line["sits_out"]));
    EXPECT_EQ(int(best.seat), line["winning_seat"]) << line;
    EXPECT_EQ(to_string(best.card), line["winning_card"]) << line;
  }
}

TEST(Vectors, AHandFollowsTheLedCardIfItCan) {
  for (const Json& line : testdata::lines("legal_plays")) {
    const CardList legal =
        legal_plays(testdata::game(line), testdata::cards(line["hand"]),
                    testdata::maybe_card(line["led"]), testdata::maybe_suit(line["trump"]));
    EXPECT_EQ(to_string(Cards(legal)), to_string(Cards(testdata::cards(line["legal"])))) << line;
  }
}

}  // namespace
}  // namespace upcard
