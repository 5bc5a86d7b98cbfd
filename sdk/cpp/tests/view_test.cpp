// What a view tells of a turn, as all SDKs agree on it.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>

#include "reading.h"
#include "testdata.h"

namespace upcard {
namespace {

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

Json told(Seat seat) { return int(seat); }
Json told(Card card) { return to_string(card); }
Json told(Suit suit) { return to_string(suit); }
Json told(Action action) { return to_string(action); }
Json told(Game game) { return to_string(game); }
Json told(Phase phase) { return to_string(phase); }
Json told(Sides sides) { return {sides.us, sides.them}; }
Json told(const Play& play) { return {told(play.seat), told(play.card)}; }
Json told(std::chrono::milliseconds time) { return time.count(); }
Json told(const Trick& trick);

template <class Value>
Json told(std::span<const Value> values) {
  Json list = Json::array();
  for (const Value& value : values) list.push_back(told(value));
  return list;
}

Json told(const Trick& trick) {
  return {
      {"leader", told(trick.leader)}, {"cards", told(trick.cards)}, {"winner", told(trick.winner)}};
}

template <class Value>
Json told(const std::optional<Value>& value) {
  return value ? told(*value) : Json();
}

Json by_suit(const std::function<Cards(Suit)>& cards) {
  Json found;
  for (const Suit suit : suits) found[to_string(suit)] = told(cards(suit));
  return found;
}

Json voids(const View& view) {
  Json found = Json::array();
  for (const Seat seat : seats) found.push_back(told(view.void_suits(seat)));
  return found;
}

Json takes_trick(const View& view) {
  Json found = Json::object();
  if (view.phase() != Phase::playing) return found;
  for (const Card card : view.legal_cards()) found[to_string(card)] = view.takes_trick(card);
  return found;
}

Json everything(const View& view) {
  return {
      {"game", told(view.game())},
      {"phase", told(view.phase())},
      {"table", view.table()},
      {"turn", view.turn()},
      {"time_left_ms", told(view.time_left())},
      {"hand_number", view.hand_number()},
      {"seat", told(view.seat())},
      {"partner", told(view.partner())},
      {"dealer", told(view.dealer())},
      {"score", told(view.score())},
      {"target", view.target()},
      {"hand", told(view.hand())},
      {"legal", told(view.legal())},
      {"legal_cards", told(view.legal_cards())},
      {"upcard", told(view.upcard())},
      {"trump_card", told(view.trump_card())},
      {"trump", told(view.trump())},
      {"calls", told(view.calls())},
      {"dealer_stuck", view.dealer_stuck()},
      {"maker", told(view.maker())},
      {"we_made_trump", view.we_made_trump()},
      {"picked_up", view.picked_up()},
      {"sits_out", told(view.sits_out())},
      {"discard", told(view.discard())},
      {"leader", told(view.leader())},
      {"trick", told(view.trick())},
      {"suit_led", told(view.suit_led())},
      {"winning_card", told(view.winning_card())},
      {"winning_seat", told(view.winning_seat())},
      {"partner_is_winning", view.partner_is_winning()},
      {"last_to_play", view.last_to_play()},
      {"tricks", told(view.tricks())},
      {"tricks_won", told(view.tricks_won())},
      {"plays", told(view.plays())},
      {"cards_still_out", told(view.cards_still_out())},
      {"holding", by_suit([&view](Suit suit) { return view.holding(suit); })},
      {"still_out", by_suit([&view](Suit suit) { return view.still_out(suit); })},
      {"void_suits", voids(view)},
      {"takes_trick", takes_trick(view)},
  };
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
