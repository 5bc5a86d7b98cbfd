// Actions: what a player says or does, printed and parsed as "order_up" or "play:JD".
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "upcard/cards.h"

namespace upcard {

/// One thing a player may do: a call, a discard, or a card to the trick.
class Action {
 public:
  enum class Kind : std::uint8_t {
    pass,
    order_up,
    order_up_alone,
    name,
    name_alone,
    discard,
    play,
  };

  /// A pass, so that there can be arrays of actions.
  constexpr Action() = default;

  static constexpr Action pass() { return {Kind::pass, 0}; }
  static constexpr Action order_up() { return {Kind::order_up, 0}; }
  static constexpr Action order_up_alone() { return {Kind::order_up_alone, 0}; }
  static constexpr Action name(Suit suit) { return {Kind::name, int(suit)}; }
  static constexpr Action name_alone(Suit suit) { return {Kind::name_alone, int(suit)}; }
  static constexpr Action discard(Card card) { return {Kind::discard, card.number()}; }
  static constexpr Action play(Card card) { return {Kind::play, card.number()}; }

  constexpr Kind kind() const { return kind_; }

  constexpr bool is_alone() const {
    return kind_ == Kind::order_up_alone || kind_ == Kind::name_alone;
  }

  /// The suit that is named, if one is.
  constexpr std::optional<Suit> suit() const {
    if (kind_ != Kind::name && kind_ != Kind::name_alone) return std::nullopt;
    return Suit(what_);
  }

  /// The card that is played or laid away, if one is.
  constexpr std::optional<Card> card() const {
    if (kind_ != Kind::discard && kind_ != Kind::play) return std::nullopt;
    return Card::numbered(what_);
  }

  friend constexpr bool operator==(Action, Action) = default;

 private:
  constexpr Action(Kind kind, int what) : kind_(kind), what_(std::uint8_t(what)) {}

  Kind kind_ = Kind::pass;
  std::uint8_t what_ = 0;
};

/// Actions that somebody else keeps.
using Actions = std::span<const Action>;

/// The action of a text such as `pass`, `order_up_alone`, `name:S`, `discard:9H` or `play:JD`.
std::optional<Action> parse_action(std::string_view text);

std::string to_string(Action action);
/// The actions with spaces between them.
std::string to_string(Actions actions);
std::ostream& operator<<(std::ostream& out, Action action);

}  // namespace upcard
