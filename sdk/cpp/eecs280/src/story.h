// What a seat has been through in a hand: all that a Player is told of it, in the order of a game.
#pragma once

#include <upcard/upcard.h>

#include <optional>

namespace upcard::eecs280 {

/// A card that the seat played.
struct OwnPlay {
  Card card;
  /// The card led; nothing if it was this one.
  std::optional<Card> led;
  /// Whether no other card could be played: the referee plays such a card without asking.
  bool forced = false;

  /// Whether it is the same play of a hand: the rest follows from the card.
  friend bool operator==(const OwnPlay& one, const OwnPlay& other) {
    return one.card == other.card;
  }
};

struct Story {
  int hand_number = -1;
  /// The five cards it was dealt, in the order of the pack.
  CardList dealt = {};
  /// What it called.
  List<Action, 2> called = {};
  /// What it laid away, as the dealer who took the upcard.
  std::optional<Card> laid_away = std::nullopt;
  List<OwnPlay, 5> played = {};
};

/// The story so far, as a view has it.
Story story_of(const View& view);

/// Whether a Player that knows an earlier part of a story has only forced plays to be told of.
bool leads_to(const Story& earlier, const Story& later);

}  // namespace upcard::eecs280
