// Sends the answers to a frame.
#include "pieces.h"

namespace upcard::detail {
namespace {

/// What is answered is sent at the latest so long after what was sent before.
constexpr std::chrono::milliseconds patience{100};

}  // namespace

void Pieces::begin(int turns) {
  const std::lock_guard lock(mutex_);
  request_.mutable_answers()->Clear();
  due_ = now_() + patience;
  open_ = watched_ && turns > 1;
  if (!open_) return;
  if (!watcher_.joinable()) {
    watcher_ = std::jthread([this](const std::stop_token& stop) { watch(stop); });
  } else if (rests_) {
    begun_.notify_one();
  }
}

bool Pieces::add(std::uint32_t turn, std::uint32_t choice) {
  const std::lock_guard lock(mutex_);
  v1::Answers& answers = *request_.mutable_answers();
  answers.add_choices(choice);
  answers.add_turn_ids(turn);
  if (now_() >= due_) send();
  return heard_;
}

void Pieces::end() {
  const std::lock_guard lock(mutex_);
  open_ = false;
  send();
}

void Pieces::send() {
  if (request_.answers().turn_ids().empty()) return;
  heard_ = send_(request_);
  request_.mutable_answers()->Clear();
  due_ = now_() + patience;
}

/// Sends each piece that is due, as long as frames follow one another; then rests.
void Pieces::watch(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    rests_ = !open_;
    if (rests_) {
      begun_.wait(lock, stop, [this] { return open_; });
      continue;
    }
    Instant until = due_;
    if (now_() >= due_) {
      send();
      // If nothing was finished, what is finished next is sent by who decides.
      until = now_() + patience;
    }
    begun_.wait_until(lock, stop, until, [] { return false; });
  }
}

}  // namespace upcard::detail
