// Reads what the referee tells of games described in RECYCLE.
#include "upcard/recycle.h"

#include <algorithm>
#include <ostream>

#include "reading.h"
#include "upcard/bot.h"

namespace upcard {
namespace {

constexpr std::size_t most_listed = 100;

/// The face of a number on the wire; nothing for 0.
const RecycleFace* face_of(std::uint32_t number, const RecycleRules& rules) {
  if (number > rules.faces.size()) throw NotKnown("the referee shows a card");
  return number ? &rules.faces[number - 1] : nullptr;
}

RecycleSpot spot_of(const v1::RecyclePlace& place) {
  return {place.owner(), place.kind(), place.name(), int(place.index())};
}

std::vector<RecycleAward> awards_of(const v1::RecyclePoints& points) {
  std::vector<RecycleAward> awards;
  for (const v1::RecycleAward& told : points.awards()) {
    RecycleAward& award = awards.emplace_back();
    award.points = told.points();
    for (const v1::RecycleAttribute& each : told.attributes()) {
      award.attributes.emplace_back(each.key(), each.value());
    }
  }
  return awards;
}

RecycleStep step_of(const v1::RecycleStep& told, const RecycleRules& rules) {
  RecycleStep step;
  step.verb = told.verb();
  step.face = face_of(told.face(), rules);
  if (told.has_source()) step.source = spot_of(told.source());
  if (told.has_target()) step.target = spot_of(told.target());
  if (told.has_owner()) step.owner = told.owner();
  step.name = told.name();
  if (told.has_number()) step.value = told.number();
  if (told.has_text()) step.value = std::string_view(told.text());
  if (told.has_points()) step.value = awards_of(told.points());
  step.other_face = face_of(told.other_face(), rules);
  return step;
}

/// What is stored under a name, if it is.
template <class Stored>
auto find_stored(const Stored& all, int owner, std::string_view name) {
  return std::ranges::find_if(
      all, [&](const auto& each) { return each.owner() == owner && each.name() == name; });
}

}  // namespace

std::string_view RecycleFace::attribute(std::string_view key) const {
  const auto named = std::ranges::find(attributes, key, [](const auto& each) {
    return std::string_view(each.first);
  });
  return named == attributes.end() ? std::string_view() : named->second;
}

RecycleView::RecycleView(const v1::RecycleView& message, const RecycleRules& rules,
                         std::uint32_t table, std::uint32_t turn, std::uint32_t time_left_ms)
    : message_(message), rules_(rules), table_(table), turn_(turn), time_left_ms_(time_left_ms) {
  for (const v1::RecycleMove& move : message.legal()) legal_.push_back(move.text());
}

std::vector<RecycleMove> RecycleView::moves() const {
  std::vector<RecycleMove> moves;
  for (const v1::RecycleMove& told : message_.legal()) {
    RecycleMove& move = moves.emplace_back();
    move.text = told.text();
    for (const v1::RecycleStep& step : told.steps()) move.steps.push_back(step_of(step, rules_));
  }
  return moves;
}

std::optional<std::chrono::milliseconds> RecycleView::time_left() const {
  if (!time_left_ms_) return std::nullopt;
  return std::chrono::milliseconds(time_left_ms_);
}

int RecycleView::hand_number() const { return int(message_.hand_number()); }

int RecycleView::player() const { return int(message_.player()); }

std::vector<int> RecycleView::scores() const {
  return {message_.scores().begin(), message_.scores().end()};
}

std::vector<RecyclePlace> RecycleView::places() const {
  std::vector<RecyclePlace> places;
  for (const v1::RecyclePlace& told : message_.places()) {
    RecyclePlace& place = places.emplace_back();
    place.spot = spot_of(told);
    place.size = int(told.size());
    place.hidden = told.hidden();
    for (const std::uint32_t face : told.faces()) place.faces.push_back(face_of(face, rules_));
    for (const v1::RecycleBack& back : told.backs()) {
      place.backs.push_back({back.name(), int(back.cards())});
    }
  }
  return places;
}

std::vector<RecycleNumber> RecycleView::numbers() const {
  std::vector<RecycleNumber> numbers;
  for (const v1::RecycleNumber& each : message_.numbers()) {
    numbers.push_back({each.owner(), each.name(), each.value()});
  }
  return numbers;
}

int RecycleView::number(int owner, std::string_view name) const {
  const auto stored = find_stored(message_.numbers(), owner, name);
  return stored == message_.numbers().end() ? 0 : stored->value();
}

std::vector<RecycleText> RecycleView::texts() const {
  std::vector<RecycleText> texts;
  for (const v1::RecycleText& each : message_.texts()) {
    texts.push_back({each.owner(), each.name(), each.value()});
  }
  return texts;
}

std::string_view RecycleView::text(int owner, std::string_view name) const {
  const auto stored = find_stored(message_.texts(), owner, name);
  return stored == message_.texts().end() ? std::string_view() : stored->value();
}

std::vector<RecyclePoints> RecycleView::points() const {
  std::vector<RecyclePoints> points;
  for (const v1::RecyclePoints& each : message_.points()) {
    points.push_back({each.owner(), each.name(), awards_of(each)});
  }
  return points;
}

std::vector<int> RecycleView::flow() const {
  return {message_.flow().begin(), message_.flow().end()};
}

std::string to_string(const RecycleView& view) {
  std::string line = "recycle, acting: " + view.rules().name;
  if (view.rules().hands > 1) line += ", hand " + std::to_string(view.hand_number() + 1);
  return line + ", player " + std::to_string(view.player());
}

std::string to_string(Texts legal) {
  std::string line;
  for (const std::string_view text : legal.first(std::min(legal.size(), most_listed))) {
    line += (line.empty() ? "" : "; ") + std::string(text);
  }
  if (legal.size() <= most_listed) return line;
  return line + " and " + std::to_string(legal.size() - most_listed) + " more";
}

std::ostream& operator<<(std::ostream& out, const RecycleView& view) {
  return out << to_string(view);
}

RecycleRules detail::recycle_rules_of(const v1::RecycleRules& message) {
  RecycleRules rules;
  rules.name = message.name();
  rules.program = message.program();
  rules.numbering = int(message.numbering());
  rules.hands = int(message.hands());
  rules.players = int(message.players());
  rules.sides.assign(message.sides().begin(), message.sides().end());
  rules.seat = int(message.seat());
  rules.lowest_wins = message.lowest_wins();
  for (const v1::RecycleFace& told : message.faces()) {
    RecycleFace& face = rules.faces.emplace_back();
    face.name = told.name();
    for (const v1::RecycleAttribute& each : told.attributes()) {
      face.attributes.emplace_back(each.key(), each.value());
    }
    face.back = told.back();
    face.cards = int(told.cards());
  }
  return rules;
}

RecycleView detail::recycle_view_of(const v1::Turn& turn, const RecycleRules& rules) {
  if (!turn.has_recycle()) throw NotKnown("the referee shows a view");
  return {turn.recycle(), rules, turn.table_id(), turn.turn_id(), turn.time_left_ms()};
}

}  // namespace upcard
