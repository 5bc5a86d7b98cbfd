// Says which call of a Player was being made when a signal ends the process.
#pragma once

#include <string_view>

namespace upcard::eecs280 {

/// Reports a failed assert, a bad pointer and the like with the call they happened in.
void watch_for_signals();

/// The call that is being made as long as this lives. Not to be nested.
class CallWatch {
 public:
  explicit CallWatch(std::string_view call);
  ~CallWatch();
  CallWatch(const CallWatch&) = delete;
  CallWatch& operator=(const CallWatch&) = delete;
};

}  // namespace upcard::eecs280
