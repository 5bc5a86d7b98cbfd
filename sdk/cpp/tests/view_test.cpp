// What a view tells of a turn, as all SDKs agree on it.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "everything.h"
#include "reading.h"
#include "testdata.h"

namespace upcard {
namespace {

using testdata::everything;
using testdata::Json;

template <class Message>
Message parsed(const std::string& hex) {
  std::string bytes;
  for (std::size_t place = 0; place < hex.size(); place += 2) {
    bytes += char(std::stoi(hex.substr(place, 2), nullptr, 16));
  }
  Message message;
  if (!message.ParseFromString(bytes)) throw std::runtime_error("no message: " + hex);
  return message;
}

/// A turn of the shared ones, with its view.
struct Shared {
  explicit Shared(const Json& line)
      : message(parsed<v1::Turn>(line["turn"])),
        rules(detail::rules_of(parsed<v1::Welcome>(line["welcome"]))),
        told(detail::told_of(message, testdata::game(line))),
        view(told, rules) {}

  v1::Turn message;
  Rules rules;
  detail::Told told;
  View view;
};

TEST(View, TellsWhatAllSdksTell) {
  for (const Json& line : testdata::lines("views")) {
    const Shared shared(line);
    const Json found = everything(shared.view);
    EXPECT_EQ(found, line["view"]) << Json::diff(line["view"], found);
  }
}

TEST(View, KnowsASuitToBeVoidAsItListsIt) {
  for (const Json& line : testdata::lines("views")) {
    const Shared shared(line);
    for (const Seat seat : seats) {
      const Json& shown = line["view"]["void_suits"][std::size_t(seat)];
      for (const Suit suit : suits) {
        const bool listed = std::ranges::find(shown, Json(to_string(suit))) != shown.end();
        EXPECT_EQ(shared.view.is_void(seat, suit), listed);
      }
    }
  }
}

TEST(View, MayDoWhatIsLegal) {
  const Shared shared(testdata::lines("views").front());
  EXPECT_TRUE(shared.view.may(Action::order_up()));
  EXPECT_FALSE(shared.view.may(Action::name(Suit::clubs)));
}

TEST(View, HoldsNothingOfNoSuit) {
  const Shared shared(testdata::lines("views").front());
  EXPECT_TRUE(shared.view.holding(std::nullopt).empty());
}

TEST(View, TakesATrumpOfOnesOwn) {
  const Shared shared(testdata::lines("views").front());
  EXPECT_EQ(shared.view.effective_suit("JC"_card, Suit::spades), Suit::spades);
}

TEST(View, PrintsTheSituation) {
  const Shared shared(testdata::lines("views").front());
  EXPECT_EQ(to_string(shared.view), "euchre, bidding: hand QC 9D AH 9S QS, upcard TS");
}

}  // namespace
}  // namespace upcard
