// Cards, suits, ranks, seats and actions as text.
#include <array>
#include <ostream>

#include "upcard/actions.h"
#include "upcard/cards.h"
#include "upcard/seats.h"
#include "upcard/tricks.h"

namespace upcard {
namespace {

using Kind = Action::Kind;

/// By kind; what ends in a colon is followed by a suit or a card.
constexpr std::array<std::string_view, 7> verbs{
    "pass", "order_up", "order_up_alone", "name:", "name_alone:", "discard:", "play:"};

template <class Values>
std::string joined(const Values& values) {
  std::string line;
  for (const auto& value : values) {
    if (!line.empty()) line += ' ';
    line += to_string(value);
  }
  return line;
}

std::optional<Action> completed(Kind kind, std::string_view rest) {
  const auto suit = parse_suit(rest);
  const auto card = parse_card(rest);
  if (kind == Kind::name && suit) return Action::name(*suit);
  if (kind == Kind::name_alone && suit) return Action::name_alone(*suit);
  if (kind == Kind::discard && card) return Action::discard(*card);
  if (kind == Kind::play && card) return Action::play(*card);
  return std::nullopt;
}

}  // namespace

std::string to_string(Suit suit) { return {suit_letters[std::size_t(suit)]}; }

std::string to_string(Rank rank) { return {rank_letters[std::size_t(rank)]}; }

std::string to_string(Card card) { return to_string(card.rank()) + to_string(card.suit()); }

std::string to_string(Cards cards) { return joined(cards); }

std::string to_string(Seat seat) { return {"NESW"[std::size_t(seat)]}; }

std::string to_string(Game game) { return game == Game::euchre ? "euchre" : "whist"; }

std::string to_string(Action action) {
  std::string text(verbs[std::size_t(action.kind())]);
  if (action.suit()) text += to_string(*action.suit());
  if (action.card()) text += to_string(*action.card());
  return text;
}

std::string to_string(Actions actions) { return joined(actions); }

std::optional<Action> parse_action(std::string_view text) {
  for (const Action call : {Action::pass(), Action::order_up(), Action::order_up_alone()}) {
    if (text == verbs[std::size_t(call.kind())]) return call;
  }
  for (const Kind kind : {Kind::name, Kind::name_alone, Kind::discard, Kind::play}) {
    const std::string_view verb = verbs[std::size_t(kind)];
    if (text.starts_with(verb)) return completed(kind, text.substr(verb.size()));
  }
  return std::nullopt;
}

std::ostream& operator<<(std::ostream& out, Suit suit) { return out << to_string(suit); }
std::ostream& operator<<(std::ostream& out, Rank rank) { return out << to_string(rank); }
std::ostream& operator<<(std::ostream& out, Card card) { return out << to_string(card); }
std::ostream& operator<<(std::ostream& out, Seat seat) { return out << to_string(seat); }
std::ostream& operator<<(std::ostream& out, Game game) { return out << to_string(game); }
std::ostream& operator<<(std::ostream& out, Action action) { return out << to_string(action); }

}  // namespace upcard
