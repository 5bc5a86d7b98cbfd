// A bot's side of the conversation without the network: frames in, answers out.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>

#include "clock.h"
#include "upcard/run.h"
#include "upcard/v1/referee.pb.h"

namespace upcard::detail {

/// The tables a bot sits at, with a match of its own at each.
class Tables {
 public:
  /// Sends answers; says whether there is anybody left to send to.
  using Send = std::function<bool(const v1::PlayRequest&)>;

  /// Learns the seat and the rules. Throws `NotKnown` if they are of no game that is known here.
  Tables(const Factory& make_bot, const v1::Welcome& welcome,
         Clock now = std::chrono::steady_clock::now);

  /// Answers every turn of a frame, in one piece or, if that takes long, in several. Throws
  /// `NotKnown` for a turn that cannot be read, and whatever a bot throws.
  void answer(const v1::Frame& frame, const Send& send);

  /// What is being decided, in a line; after a failure, as long as its frame is there.
  std::string situation() const;

 private:
  /// Its bot is made at its first turn: many tables may open in a frame that has to be answered in
  /// the time of one decision.
  struct Match {
    std::uint64_t seed;
    std::unique_ptr<Bot> bot;
  };

  void decide(const v1::Frame& frame, const Send& send);
  int choice(const v1::Turn& turn);
  Bot& bot_at(std::uint32_t table);

  Factory make_bot_;
  Seat seat_;
  Game game_;
  Rules rules_;
  Clock now_;
  std::unordered_map<std::uint32_t, Match> matches_;
  const v1::Turn* deciding_ = nullptr;
  v1::PlayRequest request_;
};

}  // namespace upcard::detail
