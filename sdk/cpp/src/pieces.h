// The answers to a frame, sent in one piece or, if that takes long, in several.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

#include "clock.h"
#include "upcard/v1/referee.pb.h"

namespace upcard::detail {

/// Who decides sends what is due between decisions; while a decision takes its time, a thread does.
class Pieces {
 public:
  /// Sends answers; says whether there is anybody left to send to.
  using Send = std::function<bool(const v1::PlayRequest&)>;

  explicit Pieces(Send send, Clock now = std::chrono::steady_clock::now, bool watched = true)
      : send_(std::move(send)), now_(std::move(now)), watched_(watched) {}

  /// Begins a frame of so many turns.
  void begin(int turns);

  /// Adds an answer, and sends what is due. Says whether there is anybody left to send to.
  bool add(std::uint32_t turn, std::uint32_t choice);

  /// Sends the last piece.
  void end();

 private:
  void send();
  void watch(const std::stop_token& stop);

  const Send send_;
  const Clock now_;
  const bool watched_;
  std::mutex mutex_;
  std::condition_variable_any begun_;
  /// Kept from frame to frame with the memory it has.
  v1::PlayRequest request_;
  Instant due_;
  bool heard_ = true;
  /// Whether a frame is being decided that may be sent in several pieces.
  bool open_ = false;
  /// Whether the thread waits for a frame to begin.
  bool rests_ = false;
  /// Started when it is first needed; the last member, so that it ends before the others.
  std::jthread watcher_;
};

/// Begins a frame, and ends it however that is left.
class OpenFrame {
 public:
  OpenFrame(Pieces& pieces, int turns) : pieces_(pieces) { pieces.begin(turns); }
  ~OpenFrame() { pieces_.end(); }
  OpenFrame(const OpenFrame&) = delete;
  OpenFrame& operator=(const OpenFrame&) = delete;

 private:
  Pieces& pieces_;
};

}  // namespace upcard::detail
