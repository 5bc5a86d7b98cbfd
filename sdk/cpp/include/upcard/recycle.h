// Games described in RECYCLE: their rules, what a player knows when it is to act, and its moves.
//
// Nothing here knows a game. Players and owners count from 1: an owner is 0 for the table, n for
// player n and -n for team n.
#pragma once

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace upcard {

namespace v1 {
class RecycleView;
}

/// What is printed on a card; equal cards have one face.
struct RecycleFace {
  /// The values that tell it from the others: `NINE-HEARTS`.
  std::string name;
  /// All that is printed on it: the name and the value of each attribute.
  std::vector<std::pair<std::string, std::string>> attributes;
  /// The design on its back.
  std::string back;
  /// How many cards have this face.
  int cards = 0;

  /// The value of an attribute; empty if the card has none of that name.
  std::string_view attribute(std::string_view key) const;
};

/// A game described in RECYCLE.
struct RecycleRules {
  /// What the game is called.
  std::string name;
  /// Its rules.
  std::string program;
  /// With which number the program begins to count players: 0 or 1.
  int numbering = 0;
  /// How many hands a match has.
  int hands = 1;
  /// How many players there are.
  int players = 0;
  /// The side of each player, from 1.
  std::vector<int> sides;
  /// Your seat for the whole match, from 1.
  int seat = 0;
  /// Whether the program's scores are the better the lower; what you are told is turned round.
  bool lowest_wins = false;
  /// The different cards.
  std::vector<RecycleFace> faces;
};

/// Where cards lie.
struct RecycleSpot {
  /// 0 the table, n player n, -n team n.
  int owner = 0;
  /// Who sees the cards: `vloc` all, `iloc` the owner, `hloc` nobody, `oloc` all but the owner.
  /// `mem` is seen by all, and has only references to cards that lie elsewhere.
  std::string_view kind;
  /// What the program calls it.
  std::string_view name;
  /// Its number among the places of one name.
  int index = 0;

  friend bool operator==(const RecycleSpot&, const RecycleSpot&) = default;
};

/// A design on the back of cards, and how many cards have it.
struct RecycleBack {
  std::string_view name;
  int cards = 0;
};

/// A place for cards, with what you may know of them.
struct RecyclePlace {
  RecycleSpot spot;
  /// How many cards lie there.
  int size = 0;
  /// Whether the cards are hidden from you; then there are no faces.
  bool hidden = false;
  /// The cards, the bottom one first.
  std::vector<const RecycleFace*> faces;
  /// How many hidden cards of each back there are, if the deck has several.
  std::vector<RecycleBack> backs;
};

/// A number that the program stored.
struct RecycleNumber {
  int owner = 0;
  std::string_view name;
  int value = 0;
};

/// A text that the program stored.
struct RecycleText {
  int owner = 0;
  std::string_view name;
  std::string_view value;
};

/// What a card gets that has all of some attributes.
struct RecycleAward {
  std::vector<std::pair<std::string_view, std::string_view>> attributes;
  int points = 0;
};

/// A map of what cards score: each the sum of the awards it gets.
struct RecyclePoints {
  int owner = 0;
  std::string_view name;
  std::vector<RecycleAward> awards;
};

/// One thing that a move does; what does not apply is nothing.
struct RecycleStep {
  /// What it is: `move`, `set`, `pass` and so on.
  std::string_view verb;
  /// The card; nothing also if you may not see it.
  const RecycleFace* face = nullptr;
  /// Where the card comes from.
  std::optional<RecycleSpot> source;
  /// Where it goes.
  std::optional<RecycleSpot> target;
  /// Whose storage it is, or which player is meant.
  std::optional<int> owner;
  /// What is stored; empty if nothing is.
  std::string_view name;
  /// What it is done with.
  std::variant<std::monostate, int, std::string_view, std::vector<RecycleAward>> value;
  /// The second card that is swapped.
  const RecycleFace* other_face = nullptr;
};

/// Something you may do.
struct RecycleMove {
  /// The move in words, as it stands in what is legal.
  std::string_view text;
  /// What is done, one after the other; empty where a decision has too many moves to tell.
  std::vector<RecycleStep> steps;
};

/// Moves in words, which somebody else keeps.
using Texts = std::span<const std::string_view>;

/// What you know of a hand of a game that is described in RECYCLE.
///
/// It works out what you ask for, each time: keep what you need again. Texts, and faces, live as
/// long as the decision.
class RecycleView {
 public:
  /// Reads a message of the referee, which outlives the view.
  RecycleView(const v1::RecycleView& message, const RecycleRules& rules, std::uint32_t table,
              std::uint32_t turn, std::uint32_t time_left_ms);
  RecycleView(const RecycleView&) = delete;
  RecycleView& operator=(const RecycleView&) = delete;

  /// The game at this table.
  const RecycleRules& rules() const { return rules_; }
  /// The texts of what you may do; one of these is to be returned.
  Texts legal() const { return legal_; }
  /// What you may do, in the order of `legal`.
  std::vector<RecycleMove> moves() const;

  /// The table: a number that means nothing, another one for every match.
  std::uint32_t table() const { return table_; }
  /// The number of this decision; the referee counts them.
  std::uint32_t turn() const { return turn_; }
  /// What is left for this match; nothing if only each decision is limited.
  std::optional<std::chrono::milliseconds> time_left() const;
  /// The number of this hand in its match, from 0.
  int hand_number() const;

  /// Which player of the program you are in this hand, from 1.
  int player() const;
  /// What each side of this hand scored before it, the first side first; more is better.
  std::vector<int> scores() const;

  /// The places that were used in this hand.
  std::vector<RecyclePlace> places() const;
  /// The numbers that are stored; what is not there is 0.
  std::vector<RecycleNumber> numbers() const;
  /// A number that is stored.
  int number(int owner, std::string_view name) const;
  /// The texts that are stored; what is not there is empty.
  std::vector<RecycleText> texts() const;
  /// A text that is stored.
  std::string_view text(int owner, std::string_view name) const;
  /// What cards score, by the maps that are stored.
  std::vector<RecyclePoints> points() const;
  /// Where the program stands.
  std::vector<int> flow() const;

 private:
  const v1::RecycleView& message_;
  const RecycleRules& rules_;
  std::uint32_t table_;
  std::uint32_t turn_;
  std::uint32_t time_left_ms_;
  std::vector<std::string_view> legal_;
};

/// The situation in a line.
std::string to_string(const RecycleView& view);
/// Moves with semicolons between them; the first hundred of very many.
std::string to_string(Texts legal);
std::ostream& operator<<(std::ostream& out, const RecycleView& view);

}  // namespace upcard
