// Frames in, answers out, without a network.
#include "tables.h"

#include <gtest/gtest.h>

#include "messages.h"

namespace upcard::detail {
namespace {

using namespace std::chrono_literals;

using Choose = std::function<Action(const View&, Actions)>;

class Scripted : public Bot {
 public:
  Scripted(const Seating& seating, Choose choose) : Bot(seating), choose_(std::move(choose)) {}
  Action choose(const View& view, Actions legal) override { return choose_(view, legal); }

 private:
  Choose choose_;
};

Factory scripted(const Choose& choose) {
  return [choose](const Seating& seating) { return std::make_unique<Scripted>(seating, choose); };
}

Action first(const View&, Actions legal) { return legal.front(); }
Action last(const View&, Actions legal) { return legal.back(); }

struct Piece {
  std::vector<std::uint32_t> turns, choices;
};

/// Sent between decisions only, by a clock of the test; without one, time stands still.
std::vector<Piece> answers(
    Tables& tables, const v1::Frame& frame, const Clock& now = [] { return Instant(); }) {
  std::vector<Piece> sent;
  Pieces pieces(
      [&sent](const v1::PlayRequest& request) {
        const v1::Answers& answers = request.answers();
        sent.push_back({{answers.turn_ids().begin(), answers.turn_ids().end()},
                        {answers.choices().begin(), answers.choices().end()}});
        return true;
      },
      now, false);
  tables.answer(frame, pieces);
  return sent;
}

Tables seated(const Factory& factory, std::initializer_list<std::uint32_t> opened = {1}) {
  Tables tables(factory, v1::euchre_welcome());
  EXPECT_TRUE(answers(tables, v1::opening(opened)).empty());
  return tables;
}

std::string complaint(Tables& tables, const v1::Frame& frame) {
  try {
    answers(tables, frame);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Tables, AnAnswerIsThePlaceAmongTheLegalActions) {
  Tables tables = seated(scripted(last));
  EXPECT_EQ(answers(tables, v1::turns(1)).at(0).choices, std::vector{1U});
}

TEST(Tables, AFrameIsAnsweredInOneMessage) {
  Tables tables = seated(scripted(first));
  const auto pieces = answers(tables, v1::turns(256));
  ASSERT_EQ(pieces.size(), 1);
  EXPECT_EQ(pieces[0].turns.size(), 256);
}

TEST(Tables, TurnsAreAnsweredInTheOrderOfTheFrame) {
  Tables tables = seated(scripted(first));
  EXPECT_EQ(answers(tables, v1::turns(3)).at(0).turns, (std::vector{10U, 11U, 12U}));
}

TEST(Tables, TheNextFrameIsAnsweredAlone) {
  Tables tables = seated(scripted(first));
  answers(tables, v1::turns(3));
  EXPECT_EQ(answers(tables, v1::turns(1)).at(0).turns, std::vector{10U});
}

TEST(Tables, EachTableHasABotOfItsOwn) {
  Tables tables = seated(
      [](const Seating& seating) {
        return std::make_unique<Scripted>(
            seating,
            [next = std::size_t(0)](const View&, Actions legal) mutable { return legal[next++]; });
      },
      {1, 2});
  v1::Frame frame;
  for (const std::uint32_t turn : {1, 2, 3, 4}) v1::add_turn(frame, turn, 1 + turn % 2);
  EXPECT_EQ(answers(tables, frame).at(0).choices, (std::vector{0U, 0U, 1U, 1U}));
}

/// Makes quick bots, and counts them.
Factory counting(int& made) {
  return [&made](const Seating& seating) {
    ++made;
    return std::make_unique<Scripted>(seating, first);
  };
}

TEST(Tables, ATableThatIsNeverAskedMakesNoBot) {
  int made = 0;
  Tables tables = seated(counting(made), {1, 2, 3});
  EXPECT_EQ(made, 0);
  answers(tables, v1::turns(1));
  EXPECT_EQ(made, 1);
}

TEST(Tables, ATableKeepsItsBot) {
  int made = 0;
  Tables tables = seated(counting(made));
  answers(tables, v1::turns(1));
  answers(tables, v1::turns(1));
  EXPECT_EQ(made, 1);
}

TEST(Tables, TheTimeInWhichBotsAreMadeCounts) {
  Instant now;
  const Factory slow = [&now](const Seating& seating) {
    now += 60ms;
    return std::make_unique<Scripted>(seating, first);
  };
  Tables tables(slow, v1::euchre_welcome());
  v1::Frame frame = v1::opening({1, 2, 3});
  for (const std::uint32_t turn : {1, 2, 3}) v1::add_turn(frame, turn, turn);
  EXPECT_EQ(answers(tables, frame, [&now] { return now; }).at(0).turns, (std::vector{1U, 2U}));
}

TEST(Tables, WhatTookLongIsSentBeforeTheRest) {
  Instant now;
  const Factory slow = scripted([&now](const View&, Actions legal) {
    now += 40ms;
    return legal.front();
  });
  Tables tables = seated(slow);
  std::vector<std::size_t> sizes;
  for (const Piece& piece : answers(tables, v1::turns(7), [&now] { return now; })) {
    sizes.push_back(piece.turns.size());
  }
  EXPECT_EQ(sizes, (std::vector<std::size_t>{3, 3, 1}));
}

TEST(Tables, TheLastPieceIsNeverEmpty) {
  Instant now;
  Tables tables = seated(scripted(first));
  EXPECT_EQ(answers(tables, v1::turns(2), [&now] { return now += 1s; }).size(), 2);
}

TEST(Tables, NobodyIsAskedWhenNobodyListens) {
  int asked = 0;
  const Factory counting = scripted([&asked](const View&, Actions legal) {
    ++asked;
    return legal.front();
  });
  Instant now;
  Tables tables = seated(counting);
  Pieces pieces([](const v1::PlayRequest&) { return false; }, [&now] { return now += 1s; }, false);
  tables.answer(v1::turns(5), pieces);
  EXPECT_EQ(asked, 1);
}

TEST(Tables, AClosedTableIsForgotten) {
  Tables tables = seated(scripted(first));
  v1::Frame closing;
  closing.add_closed()->set_table_id(1);
  answers(tables, closing);
  EXPECT_EQ(complaint(tables, v1::turns(1)),
            "the referee asks for a decision at table 1, which it did not open");
}

TEST(Tables, AClosedTableDropsItsBot) {
  const auto held = std::make_shared<int>();
  Tables tables = seated(scripted([held](const View&, Actions legal) { return legal.front(); }));
  answers(tables, v1::turns(1));
  const auto before = held.use_count();
  v1::Frame closing;
  closing.add_closed()->set_table_id(1);
  answers(tables, closing);
  EXPECT_EQ(held.use_count(), before - 1);
}

TEST(Tables, ABotIsToldWhereItSits) {
  Seating told{Seat::west, Rules(), Random(0)};
  Tables tables = seated([&told](const Seating& seating) {
    told = seating;
    return std::make_unique<Scripted>(seating, first);
  });
  answers(tables, v1::turns(1));
  EXPECT_EQ(told.seat, Seat::north);
  EXPECT_EQ(told.rules, (Rules{.target = 10, .alone = true}));
  EXPECT_EQ(told.random(), Random(99)());
}

TEST(Tables, AFactoryThatMakesNothingIsRefused) {
  Tables tables = seated([](const Seating&) { return nullptr; });
  EXPECT_EQ(complaint(tables, v1::turns(1)), "the factory made no bot for table 1");
}

TEST(Tables, WhatIsNotLegalIsRefused) {
  Tables tables = seated(scripted([](const View&, Actions) { return Action::play("JD"_card); }));
  EXPECT_EQ(complaint(tables, v1::turns(1)), "the bot returned play:JD; legal here: pass order_up");
}

TEST(Tables, AMissingMethodIsNamed) {
  Tables tables = seated([](const Seating& seating) { return std::make_unique<Bot>(seating); });
  EXPECT_EQ(complaint(tables, v1::turns(1)),
            "upcard::Bot cannot decide: override bid(view, legal) for this, "
            "or choose(view, legal) for everything");
}

class ByKind : public Bot {
 public:
  using Bot::Bot;
  Action bid(const View&, Actions) override { return Action::order_up(); }
  Action discard(const View& view, Actions) override { return Action::discard(view.hand().back()); }
  Action play(const View& view, Actions) override { return Action::play(view.hand().back()); }
};

std::uint32_t chosen_by_kind(v1::EuchrePhase phase) {
  Tables tables = seated([](const Seating& seating) { return std::make_unique<ByKind>(seating); });
  v1::Frame frame = v1::turns(1);
  v1::EuchreView& view = *frame.mutable_turns(0)->mutable_euchre();
  view.set_phase(phase);
  if (phase != v1::EUCHRE_PHASE_BIDDING) {
    view.clear_legal_calls();
    *view.mutable_legal_cards() = view.hand();
  }
  return answers(tables, frame).at(0).choices.at(0);
}

TEST(Tables, ACallHasItsMethod) { EXPECT_EQ(chosen_by_kind(v1::EUCHRE_PHASE_BIDDING), 1); }

TEST(Tables, ADiscardHasItsMethod) { EXPECT_EQ(chosen_by_kind(v1::EUCHRE_PHASE_DISCARDING), 2); }

TEST(Tables, ACardToTheTrickHasItsMethod) {
  EXPECT_EQ(chosen_by_kind(v1::EUCHRE_PHASE_PLAYING), 2);
}

TEST(Tables, AGameFromTheFutureIsRefused) {
  EXPECT_THROW(Tables(scripted(first), v1::Welcome()), NotKnown);
}

void without_view(v1::Turn& turn) { turn.clear_view(); }

void of_another_game(v1::Turn& turn) { turn.mutable_whist(); }

template <int phase>
void in_phase(v1::Turn& turn) {
  turn.mutable_euchre()->set_phase(v1::EuchrePhase(phase));
}

template <int call>
void with_call(v1::Turn& turn) {
  turn.mutable_euchre()->add_legal_calls(v1::EuchreCall(call));
}

template <int card>
void with_card(v1::Turn& turn) {
  v1::EuchreView& view = *turn.mutable_euchre();
  view.set_phase(v1::EUCHRE_PHASE_PLAYING);
  view.clear_legal_calls();
  *view.mutable_legal_cards() = view.hand();
  view.add_legal_cards(v1::Card(card));
}

struct Unknown {
  const char* name;
  void (*change)(v1::Turn&);
  const char* told;
};

void PrintTo(const Unknown& unknown, std::ostream* out) { *out << unknown.told; }

class WhatIsNotKnown : public testing::TestWithParam<Unknown> {};

TEST_P(WhatIsNotKnown, IsNotAskedOfABot) {
  int made = 0;
  Tables tables = seated(counting(made));
  v1::Frame frame = v1::turns(1);
  GetParam().change(*frame.mutable_turns(0));
  EXPECT_EQ(complaint(tables, frame),
            std::string(GetParam().told) + " that this version of the SDK does not know");
  EXPECT_EQ(made, 0);
}

constexpr auto view = "the referee shows a view";
constexpr auto phase = "the referee asks for a kind of decision";
constexpr auto action = "the referee offers an action";

INSTANTIATE_TEST_SUITE_P(Tables, WhatIsNotKnown,
                         testing::Values(Unknown{"NoView", without_view, view},
                                         Unknown{"AnotherGame", of_another_game, view},
                                         Unknown{"NoPhase", in_phase<0>, phase},
                                         Unknown{"ALaterPhase", in_phase<4>, phase},
                                         Unknown{"NoCall", with_call<0>, action},
                                         Unknown{"ALaterCall", with_call<12>, action},
                                         Unknown{"ANegativeCall", with_call<-1>, action},
                                         Unknown{"NoCard", with_card<0>, action},
                                         Unknown{"ALaterCard", with_card<53>, action},
                                         Unknown{"ACardOfTwoBytes", with_card<257>, action}),
                         [](const auto& info) { return info.param.name; });

TEST(Tables, TheSituationTellsHandAndChoices) {
  Tables tables = seated(scripted([](const View&, Actions) -> Action { throw 1; }));
  const v1::Frame frame = v1::turns(1);
  EXPECT_THROW(answers(tables, frame), int);
  EXPECT_EQ(tables.situation(), "euchre, bidding: hand 9C TC JC, upcard JS, legal pass order_up");
}

TEST(Tables, NoDecisionIsDueBetweenFrames) {
  EXPECT_EQ(seated(scripted(first)).situation(), "no decision was due");
}

}  // namespace
}  // namespace upcard::detail
