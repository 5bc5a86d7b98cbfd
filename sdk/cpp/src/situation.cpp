// Makes a view of a situation that nobody played.
#include "upcard/situation.h"

#include <algorithm>
#include <string>
#include <vector>

#include "moment.h"
#include "wire.h"

namespace upcard {
namespace {

using detail::Moment;

template <class Value>
std::vector<Value> read(std::string_view words, std::optional<Value> (*parse)(std::string_view)) {
  std::vector<Value> found;
  while (!words.empty()) {
    const auto end = std::min(words.find(' '), words.size());
    const auto word = words.substr(0, end);
    const auto value = parse(word);
    if (!word.empty() && !value) {
      throw ImpossibleSituation("no card, suit or action: " + std::string(word));
    }
    if (value) found.push_back(*value);
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return found;
}

template <class Value>
std::optional<Value> one(std::string_view words, std::optional<Value> (*parse)(std::string_view)) {
  const auto found = read(words, parse);
  if (found.size() > 1) throw ImpossibleSituation("more than one word: " + std::string(words));
  return found.empty() ? std::nullopt : std::optional(found[0]);
}

Rules usual(Game game) {
  const bool euchre = game == Game::euchre;
  return {.target = 10, .alone = euchre, .stick_dealer = euchre};
}

detail::Words words_of(const Situation& told) {
  return {
      .game = told.game,
      .rules = told.rules.value_or(usual(told.game)),
      .hand = read(told.hand, parse_card),
      .played = read(told.played, parse_card),
      .dealer = told.dealer,
      .seat = told.seat,
      .maker = told.maker,
      .upcard = one(told.upcard, parse_card),
      .trump_card = one(told.trump_card, parse_card),
      .discard = one(told.discard, parse_card),
      .trump = one(told.trump, parse_suit),
      .calls = read(told.calls, parse_action),
      .score = told.score,
      .hand_number = told.hand_number,
      .stuck = told.dealer_stuck,
  };
}

int number(std::optional<Card> card) { return card ? card->number() : 0; }
int number(std::optional<Suit> suit) { return suit ? 1 + int(*suit) : 0; }
int number(std::optional<Seat> seat) { return seat ? 1 + int(*seat) : 0; }

int call_number(Action call) {
  return int(std::ranges::find(detail::call_of.begin() + 1, detail::call_of.end(), call) -
             detail::call_of.begin());
}

template <class Value>
std::vector<int> numbers(const std::vector<Value>& values) {
  std::vector<int> found;
  for (const Value value : values) found.push_back(number(std::optional(value)));
  return found;
}

std::vector<int> call_numbers(const std::vector<Action>& calls) {
  std::vector<int> found;
  for (const Action call : calls) {
    if (!call.card()) found.push_back(call_number(call));
  }
  return found;
}

std::vector<int> card_numbers(const std::vector<Action>& actions) {
  std::vector<int> found;
  for (const Action action : actions) {
    if (action.card()) found.push_back(action.card()->number());
  }
  return found;
}

}  // namespace

struct Imagined::Parts {
  explicit Parts(const Moment& moment)
      : rules(moment.words().rules),
        calls(call_numbers(moment.words().calls)),
        hand(numbers(moment.words().hand)),
        played(numbers(moment.words().played)),
        leaders(numbers(moment.leaders())),
        legal_calls(call_numbers(moment.legal())),
        legal_cards(card_numbers(moment.legal())),
        told(told_of(moment)),
        view(told, rules) {}

  /// Writes a moment as the referee does.
  detail::Told told_of(const Moment& moment) const {
    const auto& words = moment.words();
    const auto& made = moment.made();
    const auto us = std::uint32_t(words.score.us), them = std::uint32_t(words.score.them);
    const bool north_south = same_team(moment.actor(), Seat::north);
    const bool euchre = words.game == Game::euchre;
    return {
        .game = words.game,
        .table = 1,
        .turn = 1,
        .hand_number = std::uint32_t(words.hand_number),
        .points_north_south = north_south ? us : them,
        .points_east_west = north_south ? them : us,
        .phase = int(moment.phase()),
        .seat = number(std::optional(moment.actor())),
        .dealer = number(std::optional(words.dealer)),
        .dealer_stuck = words.is_stuck(),
        .upcard = number(words.upcard),
        .trump_card = number(words.trump_card),
        .trump = euchre ? number(made.trump) : 0,
        .maker = number(made.maker),
        .sits_out = number(made.sits_out),
        .discard = number(words.discard),
        .calls = calls,
        .hand = hand,
        .played = played,
        .leaders = leaders,
        .legal_calls = legal_calls,
        .legal_cards = legal_cards,
    };
  }

  Rules rules;
  std::vector<int> calls, hand, played, leaders, legal_calls, legal_cards;
  detail::Told told;
  View view;
};

Imagined::Imagined(const Situation& situation)
    : parts_(std::make_unique<Parts>(Moment(words_of(situation)))) {}

Imagined::~Imagined() = default;

const View& Imagined::view() const { return parts_->view; }

Action ask(Bot& bot, const View& view) {
  const Action choice = bot.choose(view, view.legal());
  if (!view.may(choice)) {
    throw IllegalChoice("the bot returned " + to_string(choice) +
                        "; legal here: " + to_string(view.legal()));
  }
  return choice;
}

}  // namespace upcard
