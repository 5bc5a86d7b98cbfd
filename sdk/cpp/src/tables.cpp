// Makes bots, asks them, and collects what they say.
#include "tables.h"

#include <algorithm>

#include "reading.h"
#include "telling.h"

namespace upcard::detail {

Tables::Tables(const Factory& make_bot, const v1::Welcome& welcome)
    : make_bot_(make_bot),
      recycle_(welcome.has_recycle()
                   ? std::make_unique<RecycleRules>(recycle_rules_of(welcome.recycle()))
                   : nullptr),
      seat_(recycle_ ? Seat() : Seat(welcome.seat() - 1)),
      game_(recycle_ ? Game() : game_of(welcome)),
      rules_(recycle_ ? Rules() : rules_of(welcome)) {}

void Tables::answer(const v1::Frame& frame, Pieces& pieces) {
  for (const v1::TableOpened& opened : frame.opened()) {
    matches_[opened.table_id()] = {opened.seed(), nullptr};
  }
  decide(frame, pieces);
  for (const v1::TableClosed& closed : frame.closed()) matches_.erase(closed.table_id());
}

void Tables::decide(const v1::Frame& frame, Pieces& pieces) {
  const OpenFrame open(pieces, frame.turns_size());
  for (const v1::Turn& turn : frame.turns()) {
    if (!pieces.add(turn.turn_id(), std::uint32_t(choice(turn)))) break;
  }
}

int Tables::choice(const v1::Turn& turn) {
  deciding_ = &turn;
  deciding = {turn.table_id(), turn.turn_id()};
  const int place = recycle_ ? chosen_move(turn) : chosen_action(turn);
  deciding_ = nullptr;
  deciding = {};
  return place;
}

int Tables::chosen_action(const v1::Turn& turn) {
  const Told told = told_of(turn, game_);
  const View view(told, rules_);
  const Actions legal = view.legal();
  const Action chosen = bot_at(turn.table_id()).choose(view, legal);
  const auto place = std::ranges::find(legal, chosen);
  if (place == legal.end()) {
    throw IllegalChoice("the bot returned " + to_string(chosen) +
                        "; legal here: " + to_string(legal));
  }
  return int(place - legal.begin());
}

int Tables::chosen_move(const v1::Turn& turn) {
  const RecycleView view = recycle_view_of(turn, *recycle_);
  const Texts legal = view.legal();
  const std::string_view chosen = bot_at(turn.table_id()).act(view, legal);
  const auto place = std::ranges::find(legal, chosen);
  if (place == legal.end()) {
    throw IllegalChoice("the bot returned " + std::string(chosen) +
                        "; legal here: " + to_string(legal));
  }
  return int(place - legal.begin());
}

Bot& Tables::bot_at(std::uint32_t table) {
  const auto found = matches_.find(table);
  if (found == matches_.end()) {
    throw Error("the referee asks for a decision at table " + std::to_string(table) +
                ", which it did not open");
  }
  auto& [seed, bot] = found->second;
  if (!bot) bot = make_bot_(Seating{seat_, rules_, Random(seed), recycle_.get()});
  if (!bot) throw Error("the factory made no bot for table " + std::to_string(table));
  return *bot;
}

std::string Tables::situation() const {
  if (!deciding_) return "no decision was due";
  if (recycle_) {
    const RecycleView view = recycle_view_of(*deciding_, *recycle_);
    return to_string(view) + ", legal " + to_string(view.legal());
  }
  const Told told = told_of(*deciding_, game_);
  const View view(told, rules_);
  return to_string(view) + ", legal " + to_string(view.legal());
}

}  // namespace upcard::detail
