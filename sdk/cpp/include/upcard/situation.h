// Situations for the tests of a bot: the view of a moment that its author thinks of.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "upcard/bot.h"

namespace upcard {

/// A moment in a hand, told in words of the table with spaces between them: `9C JD AH`.
///
/// Only what matters has to be told; the rest follows by the rules: who is to act, who made trump,
/// who won which trick, what is legal.
struct Situation {
  Game game = Game::euchre;
  /// Who is to act: that follows from the rest, and is checked if it is told.
  std::optional<Seat> seat = std::nullopt;
  Seat dealer = Seat::west;
  /// The cards of who is to act; with six, the dealer has to lay one away. There may be fewer than
  /// there would be: those that matter.
  std::string_view hand = "";
  /// Euchre: the card turned up.
  std::string_view upcard = "";
  /// Whist: the last card dealt.
  std::string_view trump_card = "";
  /// Euchre: the trump suit, instead of `calls`. It was ordered up if it is the upcard's, else
  /// named; where no upcard is told, that is a card nobody has.
  std::string_view trump = "";
  /// Euchre: what was said so far, eldest's call first.
  std::string_view calls = "";
  /// Euchre: who made trump, instead of `calls`; eldest if it is not told.
  std::optional<Seat> maker = std::nullopt;
  /// Euchre: what the dealer laid away, where she is the one to act.
  std::string_view discard = "";
  /// Every card of this hand that was played, in order; who played it follows.
  std::string_view played = "";
  /// Before this hand.
  Sides score = {};
  /// The number of the hand in its match, from 0.
  int hand_number = 0;
  /// Euchre: whether the dealer must name a suit in the end though the rules do not say so.
  bool dealer_stuck = false;
  /// The usual ones of a match to 10 points if they are not told.
  std::optional<Rules> rules = std::nullopt;
};

/// A situation that cannot have come about by the rules, or that is told in words that are none.
class ImpossibleSituation : public Error {
 public:
  using Error::Error;
};

/// A view of a situation.
class Imagined {
 public:
  /// Throws `ImpossibleSituation`.
  explicit Imagined(const Situation& situation);
  ~Imagined();

  /// What the seat that is to act knows.
  const View& view() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// What a bot chooses; throws `IllegalChoice` if that is not legal.
Action ask(Bot& bot, const View& view);

/// What a new bot chooses in a situation; what it draws from is the same each time.
template <class Player>
Action ask(const Situation& situation) {
  const Imagined imagined(situation);
  const View& view = imagined.view();
  Player player(Seating{view.seat(), view.rules(), Random(1)});
  return ask(player, view);
}

}  // namespace upcard
