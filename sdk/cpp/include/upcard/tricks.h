// What the cards of a game are worth and what may be played: all that a search needs, without a
// view.
//
// Everything takes the trump suit; none stands for a hand in which trump is not made.
#pragma once

#include <array>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>

#include "upcard/cards.h"
#include "upcard/seats.h"

namespace upcard {

enum class Game : std::uint8_t { euchre, whist };

/// A card, and who played it.
struct Play {
  Seat seat{};
  Card card;

  friend constexpr bool operator==(const Play&, const Play&) = default;
};

/// Every card of the game, in order.
Cards pack_of(Game game);

/// Whether a card is the jack of trump's colour, which counts as a trump.
constexpr bool is_left_bower(Game game, Card card, std::optional<Suit> trump) {
  return game == Game::euchre && trump && card.rank() == Rank::jack &&
         card.suit() == same_colour(*trump);
}

/// The suit a card counts as: the left bower is a trump.
constexpr Suit effective_suit(Game game, Card card, std::optional<Suit> trump) {
  return is_left_bower(game, card, trump) ? *trump : card.suit();
}

/// The place of a card in its effective suit, the higher the stronger.
constexpr int strength(Game game, Card card, std::optional<Suit> trump) {
  if (game == Game::whist) return int(card.rank());
  if (card.rank() == Rank::jack && card.suit() == trump) return 7;
  if (is_left_bower(game, card, trump)) return 6;
  return int(card.rank()) - int(Rank::nine);
}

/// Whether a card takes the trick over from another that is winning it.
constexpr bool beats(Game game, Card card, Card other, std::optional<Suit> trump) {
  const Suit suit = effective_suit(game, card, trump);
  if (suit != effective_suit(game, other, trump)) return suit == trump;
  return strength(game, card, trump) > strength(game, other, trump);
}

/// Who is winning a trick of at least one card, and with which.
constexpr Play winner_of(Game game, Cards trick, Seat leader, std::optional<Suit> trump,
                         std::optional<Seat> sits_out = std::nullopt) {
  Play best{leader, trick[0]};
  Seat seat = leader;
  for (const Card card : trick.subspan(1)) {
    seat = left_of(seat, sits_out);
    if (beats(game, card, best.card, trump)) best = {seat, card};
  }
  return best;
}

/// The cards of a hand that may be played: those that follow the led card, or all if none does.
constexpr CardList legal_plays(Game game, Cards hand, std::optional<Card> led,
                               std::optional<Suit> trump) {
  CardList following, all;
  for (const Card card : hand) {
    all.push_back(card);
    if (led && effective_suit(game, card, trump) == effective_suit(game, *led, trump)) {
      following.push_back(card);
    }
  }
  return following.empty() ? all : following;
}

/// `euchre` or `whist`.
std::string to_string(Game game);
std::ostream& operator<<(std::ostream& out, Game game);

}  // namespace upcard
