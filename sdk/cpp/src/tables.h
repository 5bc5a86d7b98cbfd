// A bot's side of the conversation without the network: frames in, answers out.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>

#include "upcard/run.h"
#include "upcard/v1/referee.pb.h"

namespace upcard::detail {

using Instant = std::chrono::steady_clock::time_point;

/// The tables a bot sits at, with a bot of its own for each.
class Tables {
 public:
  /// Sends answers; says whether there is anybody left to send to.
  using Send = std::function<bool(const v1::PlayRequest&)>;

  /// Learns the seat and the rules. Throws `Error` if the game is not known here.
  Tables(const Factory& make_bot, const v1::Welcome& welcome,
         std::function<Instant()> now = std::chrono::steady_clock::now);

  /// Answers every turn of a frame, in one piece or, if that takes long, in several.
  void answer(const v1::Frame& frame, const Send& send);

  /// What is being decided, in a line; after a failure, as long as its frame is there.
  std::string situation() const;

 private:
  void open(const v1::TableOpened& opened);
  void decide(const v1::Frame& frame, const Send& send);
  int choice(const v1::Turn& turn);
  Bot& bot_at(std::uint32_t table);

  Factory make_bot_;
  Seat seat_;
  Rules rules_;
  std::function<Instant()> now_;
  std::unordered_map<std::uint32_t, std::unique_ptr<Bot>> bots_;
  const v1::Turn* deciding_ = nullptr;
  v1::PlayRequest request_;
};

}  // namespace upcard::detail
