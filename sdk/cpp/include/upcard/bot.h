// What an author writes: a class that is asked for decisions.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "upcard/actions.h"
#include "upcard/random.h"
#include "upcard/recycle.h"
#include "upcard/rules.h"
#include "upcard/seats.h"
#include "upcard/view.h"

namespace upcard {

/// Something the SDK cannot do, or that a bot must not do.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A bot returned an action that is not legal.
class IllegalChoice : public Error {
 public:
  using Error::Error;
};

/// A bot has no method for a decision.
class MissingMethod : public Error {
 public:
  using Error::Error;
};

/// The referee says what this version of the SDK does not know.
class NotKnown : public Error {
 public:
  explicit NotKnown(const std::string& what)
      : Error(what + " that this version of the SDK does not know") {}
};

/// What a bot is told when it sits down at a table.
struct Seating {
  /// Your seat, the same for the whole match.
  Seat seat;
  /// The rules at the table.
  Rules rules;
  /// Draw from nothing else, and the same match played again goes the same way.
  Random random;
  /// The game with your seat, if it is described in RECYCLE: then `seat` and `rules` mean nothing.
  const RecycleRules* recycle = nullptr;
};

/// A player for one match: a new object is made when the first decision in it is due.
///
/// Override `choose`, or `bid`, `discard` and `play` (whist needs only `play`); and `act`, if the
/// bot plays games described in RECYCLE. What you keep in the object is its memory of the match.
class Bot {
 public:
  explicit Bot(const Seating& seating) : seating_(seating) {}
  virtual ~Bot() = default;
  Bot(const Bot&) = delete;
  Bot& operator=(const Bot&) = delete;

  /// Returns one of the legal actions; asks `bid`, `discard` or `play` if not overridden.
  virtual Action choose(const View& view, Actions legal);
  /// Returns a call.
  virtual Action bid(const View& view, Actions legal);
  /// Returns what to lay away after taking the upcard.
  virtual Action discard(const View& view, Actions legal);
  /// Returns the card to play.
  virtual Action play(const View& view, Actions legal);
  /// Returns one of the legal moves of a game described in RECYCLE, which are told in words.
  virtual std::string_view act(const RecycleView& view, Texts legal);

 protected:
  Seat seat() const { return seating_.seat; }
  const Rules& rules() const { return seating_.rules; }
  Random& random() { return seating_.random; }

 private:
  Seating seating_;
};

}  // namespace upcard
