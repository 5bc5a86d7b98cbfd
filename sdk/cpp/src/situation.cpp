// Makes a view of a situation that nobody played.
#include "upcard/situation.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "wire.h"

namespace upcard {
namespace {

template <class Number>
std::vector<int> numbers(std::string_view tokens, Number number) {
  std::vector<int> found;
  while (!tokens.empty()) {
    const auto end = std::min(tokens.find(' '), tokens.size());
    if (end > 0) found.push_back(number(tokens.substr(0, end)));
    tokens.remove_prefix(std::min(end + 1, tokens.size()));
  }
  return found;
}

template <class Value>
Value known(const std::optional<Value>& value, std::string_view token) {
  if (value) return *value;
  throw std::invalid_argument("no card, suit, seat or action: " + std::string(token));
}

int card_number(std::string_view token) { return known(parse_card(token), token).number(); }

int seat_number(std::string_view token) {
  const auto place = token.size() == 1 ? std::string_view("NESW").find(token) : token.npos;
  return 1 + int(known(place == token.npos ? std::nullopt : std::optional(place), token));
}

int call_number(std::string_view token) {
  const Action call = known(parse_action(token), token);
  const auto* const place =
      std::ranges::find(detail::call_of.begin() + 1, detail::call_of.end(), call);
  known(place == detail::call_of.end() ? std::nullopt : std::optional(call), token);
  return int(place - detail::call_of.begin());
}

int legal_card_number(std::string_view token) {
  const Action action = known(parse_action(token), token);
  return known(action.card(), token).number();
}

int one_card(std::string_view token) { return token.empty() ? 0 : card_number(token); }

int one_suit(std::string_view token) {
  return token.empty() ? 0 : 1 + int(known(parse_suit(token), token));
}

int one_seat(std::optional<Seat> seat) { return seat ? 1 + int(*seat) : 0; }

Phase phase_of(std::string_view legal) {
  if (legal.empty() || legal.starts_with("play:")) return Phase::playing;
  return legal.starts_with("discard:") ? Phase::discarding : Phase::bidding;
}

}  // namespace

struct Imagined::Parts {
  explicit Parts(const Situation& situation)
      : rules(situation.rules),
        calls(numbers(situation.calls, call_number)),
        hand(numbers(situation.hand, card_number)),
        played(numbers(situation.played, card_number)),
        leaders(numbers(situation.leaders, seat_number)),
        told(told_of(situation)) {
    offer(situation);
    view.emplace(told, rules);
  }

  detail::Told told_of(const Situation& situation) const {
    const bool north_south = same_team(situation.seat, Seat::north);
    const auto us = std::uint32_t(situation.score.us), them = std::uint32_t(situation.score.them);
    return {
        .game = situation.game,
        .table = 1,
        .turn = 1,
        .points_north_south = north_south ? us : them,
        .points_east_west = north_south ? them : us,
        .phase = int(phase_of(situation.legal)),
        .seat = one_seat(situation.seat),
        .dealer = one_seat(situation.dealer),
        .upcard = one_card(situation.upcard),
        .trump_card = one_card(situation.trump_card),
        .trump = one_suit(situation.trump),
        .maker = one_seat(situation.maker),
        .sits_out = one_seat(situation.sits_out),
        .discard = one_card(situation.discard),
        .calls = calls,
        .hand = hand,
        .played = played,
        .leaders = leaders,
        .legal_calls = {},
        .legal_cards = {},
    };
  }

  void offer(const Situation& situation) {
    if (phase_of(situation.legal) == Phase::bidding) {
      legal = numbers(situation.legal, call_number);
      told.legal_calls = legal;
      return;
    }
    legal = situation.legal.empty() ? may_be_played() : numbers(situation.legal, legal_card_number);
    told.legal_cards = legal;
  }

  std::vector<int> may_be_played() const {
    const View so_far(told, rules);
    const Cards trick = so_far.trick();
    const auto led = trick.empty() ? std::nullopt : std::optional(trick.front());
    std::vector<int> found;
    for (const Card card : legal_plays(told.game, so_far.hand(), led, so_far.trump())) {
      found.push_back(card.number());
    }
    return found;
  }

  Rules rules;
  std::vector<int> calls, hand, played, leaders, legal;
  detail::Told told;
  std::optional<View> view;
};

Imagined::Imagined(const Situation& situation) : parts_(std::make_unique<Parts>(situation)) {}

Imagined::~Imagined() = default;

const View& Imagined::view() const { return *parts_->view; }

Action ask(Bot& bot, const Situation& situation) {
  const Imagined imagined(situation);
  return bot.choose(imagined.view(), imagined.view().legal());
}

}  // namespace upcard
