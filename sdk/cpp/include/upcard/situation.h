// A situation made up for the test of a bot, in tokens.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "upcard/bot.h"

namespace upcard {

/// What the referee would tell. Lists are tokens with spaces between them.
///
/// The phase follows from what is legal; where nothing is said to be, it is what may be played.
struct Situation {
  Game game = Game::euchre;
  Seat seat = Seat::south;
  Seat dealer = Seat::west;
  std::string_view hand;
  std::string_view legal = "";
  std::string_view upcard = "";
  std::string_view trump_card = "";
  std::string_view trump = "";
  std::string_view calls = "";
  std::optional<Seat> maker = std::nullopt;
  std::optional<Seat> sits_out = std::nullopt;
  std::string_view discard = "";
  /// Every card played in this hand, trick after trick.
  std::string_view played = "";
  /// Who led each trick, the one in progress included: `N E`.
  std::string_view leaders = "";
  Sides score = {};
  Rules rules = {.target = 10, .alone = true, .stick_dealer = true};
};

/// A view of a situation.
class Imagined {
 public:
  /// Throws `std::invalid_argument` for a token that is none.
  explicit Imagined(const Situation& situation);
  ~Imagined();

  const View& view() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// What a bot chooses in a situation.
Action ask(Bot& bot, const Situation& situation);

}  // namespace upcard
