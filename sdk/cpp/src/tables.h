// A bot's side of the conversation without the network: frames in, answers out.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

#include "pieces.h"
#include "upcard/run.h"
#include "upcard/v1/referee.pb.h"

namespace upcard::detail {

/// The tables a bot sits at, with a match of its own at each.
class Tables {
 public:
  /// Learns the seat and the rules. Throws `NotKnown` if they are of no game that is known here.
  Tables(const Factory& make_bot, const v1::Welcome& welcome);

  /// Answers every turn of a frame; if a decision fails, those before it are sent. Throws
  /// `NotKnown` for a turn that cannot be read, and whatever a bot throws.
  void answer(const v1::Frame& frame, Pieces& pieces);

  /// What is being decided, in a line; after a failure, as long as its frame is there.
  std::string situation() const;

 private:
  /// Its bot is made at its first turn: many tables may open in a frame that has to be answered in
  /// the time of one decision.
  struct Match {
    std::uint64_t seed;
    std::unique_ptr<Bot> bot;
  };

  void decide(const v1::Frame& frame, Pieces& pieces);
  int choice(const v1::Turn& turn);
  int chosen_action(const v1::Turn& turn);
  int chosen_move(const v1::Turn& turn);
  Bot& bot_at(std::uint32_t table);

  Factory make_bot_;
  /// The game, if it is described in RECYCLE; then there is none of the three below.
  std::unique_ptr<const RecycleRules> recycle_;
  Seat seat_;
  Game game_;
  Rules rules_;
  std::unordered_map<std::uint32_t, Match> matches_;
  const v1::Turn* deciding_ = nullptr;
};

}  // namespace upcard::detail
