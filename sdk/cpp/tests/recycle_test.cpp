// Games described in RECYCLE: the view of a turn, as all SDKs agree on it, and who is asked.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "reading.h"
#include "tables.h"
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

/// A moment of the shared ones, with its view.
struct Shared {
  explicit Shared(const Json& line)
      : message(parsed<v1::Turn>(line["turn"])),
        welcome(parsed<v1::Welcome>(line["welcome"])),
        rules(detail::recycle_rules_of(welcome.recycle())),
        view(detail::recycle_view_of(message, rules)) {}

  v1::Turn message;
  v1::Welcome welcome;
  RecycleRules rules;
  RecycleView view;
};

template <class Values, class Told>
Json list(const Values& values, const Told& told) {
  Json found = Json::array();
  for (const auto& value : values) found.push_back(told(value));
  return found;
}

Json face(const RecycleFace* face) { return face ? Json(face->name) : Json(); }

Json spot(const RecycleSpot& spot) {
  return {{"owner", spot.owner}, {"kind", spot.kind}, {"name", spot.name}, {"index", spot.index}};
}

Json spot_or_null(const std::optional<RecycleSpot>& told) { return told ? spot(*told) : Json(); }

Json award(const RecycleAward& award) {
  const auto pair = [](const auto& each) { return Json::array({each.first, each.second}); };
  return {{"attributes", list(award.attributes, pair)}, {"points", award.points}};
}

struct Value {
  Json operator()(std::monostate) const { return {}; }
  Json operator()(int number) const { return number; }
  Json operator()(std::string_view text) const { return text; }
  Json operator()(const std::vector<RecycleAward>& awards) const { return list(awards, award); }
};

Json step(const RecycleStep& step) {
  return {
      {"verb", step.verb},
      {"face", face(step.face)},
      {"source", spot_or_null(step.source)},
      {"target", spot_or_null(step.target)},
      {"owner", step.owner ? Json(*step.owner) : Json()},
      {"name", step.name.empty() ? Json() : Json(step.name)},
      {"value", std::visit(Value(), step.value)},
      {"other_face", face(step.other_face)},
  };
}

Json place(const RecyclePlace& place) {
  Json told = spot(place.spot);
  told["size"] = place.size;
  told["faces"] = place.hidden ? Json() : list(place.faces, face);
  told["backs"] = list(
      place.backs, [](const RecycleBack& back) { return Json::array({back.name, back.cards}); });
  return told;
}

Json everything(const RecycleView& view) {
  const auto stored = [](const auto& each) {
    return Json::array({each.owner, each.name, each.value});
  };
  const auto map = [](const RecyclePoints& each) -> Json {
    return {{"owner", each.owner}, {"name", each.name}, {"awards", list(each.awards, award)}};
  };
  const auto move = [](const RecycleMove& each) -> Json {
    return {{"text", each.text}, {"steps", list(each.steps, step)}};
  };
  return {
      {"table", view.table()},
      {"turn", view.turn()},
      {"time_left_ms", view.time_left() ? Json(view.time_left()->count()) : Json()},
      {"hand_number", view.hand_number()},
      {"player", view.player()},
      {"scores", view.scores()},
      {"places", list(view.places(), place)},
      {"numbers", list(view.numbers(), stored)},
      {"texts", list(view.texts(), stored)},
      {"points", list(view.points(), map)},
      {"flow", view.flow()},
      {"legal", list(view.legal(), [](std::string_view text) { return Json(text); })},
      {"moves", list(view.moves(), move)},
  };
}

Json everything(const RecycleRules& rules) {
  const auto face = [](const RecycleFace& face) -> Json {
    const auto pair = [](const auto& each) { return Json::array({each.first, each.second}); };
    return {{"name", face.name},
            {"attributes", list(face.attributes, pair)},
            {"back", face.back},
            {"cards", face.cards}};
  };
  return {
      {"name", rules.name},
      {"program", rules.program},
      {"numbering", rules.numbering},
      {"hands", rules.hands},
      {"players", rules.players},
      {"sides", rules.sides},
      {"seat", rules.seat},
      {"lowest_wins", rules.lowest_wins},
      {"faces", list(rules.faces, face)},
  };
}

TEST(RecycleView, TellsWhatAllSdksTell) {
  for (const Json& line : testdata::lines("recycle_views")) {
    const Shared shared(line);
    const Json rules = everything(shared.rules), view = everything(shared.view);
    EXPECT_EQ(rules, line["rules"]) << Json::diff(line["rules"], rules);
    EXPECT_EQ(view, line["view"]) << Json::diff(line["view"], view);
  }
}

TEST(RecycleView, FindsWhatIsStored) {
  for (const Json& line : testdata::lines("recycle_views")) {
    const Shared shared(line);
    for (const auto& each : shared.view.numbers()) {
      EXPECT_EQ(shared.view.number(each.owner, each.name), each.value);
    }
    for (const auto& each : shared.view.texts()) {
      EXPECT_EQ(shared.view.text(each.owner, each.name), each.value);
    }
    EXPECT_EQ(shared.view.number(0, "NOTHING"), 0);
    EXPECT_EQ(shared.view.text(0, "NOTHING"), "");
  }
}

/// A moment with many cards.
Json many() { return testdata::lines("recycle_views").at(2); }

TEST(RecycleView, KnowsTheAttributesOfAFace) {
  const Shared shared(many());
  EXPECT_EQ(shared.rules.faces.at(1).attribute("SUIT"), "RED");
  EXPECT_EQ(shared.rules.faces.at(1).attribute("RANK"), "");
}

TEST(RecycleView, DoesNotKnowACardOfAnotherGame) {
  Shared shared(many());
  shared.message.mutable_recycle()->mutable_places(1)->add_faces(201);
  EXPECT_THROW(shared.view.places(), NotKnown);
}

TEST(RecycleView, PrintsTheSituation) {
  const Shared shared(many());
  EXPECT_EQ(to_string(shared.view), "recycle, acting: eight at a table, hand 12, player 3");
}

using Act = std::function<std::string_view(const RecycleView&, Texts)>;

class Acting : public Bot {
 public:
  Acting(const Seating& seating, Act act) : Bot(seating), act_(std::move(act)) {}
  std::string_view act(const RecycleView& view, Texts legal) override { return act_(view, legal); }

 private:
  Act act_;
};

/// What a bot answers.
std::vector<std::uint32_t> choices(const Factory& factory) {
  const Shared shared(many());
  v1::Frame frame;
  frame.add_opened()->set_table_id(shared.message.table_id());
  *frame.add_turns() = shared.message;
  detail::Tables tables(factory, shared.welcome);
  std::vector<std::uint32_t> sent;
  detail::Pieces pieces([&sent](const v1::PlayRequest& request) {
    sent.assign(request.answers().choices().begin(), request.answers().choices().end());
    return true;
  });
  tables.answer(frame, pieces);
  return sent;
}

Factory acting(const Act& act) {
  return [act](const Seating& seating) { return std::make_unique<Acting>(seating, act); };
}

TEST(RecycleView, AMoveIsAnsweredByItsPlace) {
  const Act last = [](const RecycleView& view, Texts) { return view.moves().back().text; };
  EXPECT_EQ(choices(acting(last)), std::vector{1U});
}

std::string complaint(const Factory& factory) {
  try {
    choices(factory);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(RecycleView, AMoveThatIsNotLegalIsToldWithThoseThatAre) {
  const Act shout = [](const RecycleView&, Texts) { return "shout"; };
  EXPECT_EQ(complaint(acting(shout)),
            "the bot returned shout; legal here: play NA-RED; play CJ-BLUE");
}

class Silent : public Bot {
 public:
  using Bot::Bot;
};

TEST(RecycleView, ABotThatDoesNotActIsToldToOverrideIt) {
  const std::string told =
      complaint([](const Seating& seating) { return std::make_unique<Silent>(seating); });
  EXPECT_TRUE(told.ends_with("Silent cannot decide: override act(view, legal) for this")) << told;
}

TEST(RecycleView, ABotIsMadeFromTheGame) {
  int seat = 0;
  const Act first = [](const RecycleView&, Texts legal) { return legal.front(); };
  choices([&](const Seating& seating) {
    seat = seating.recycle->seat;
    return std::make_unique<Acting>(seating, first);
  });
  EXPECT_EQ(seat, 8);
}

}  // namespace
}  // namespace upcard
