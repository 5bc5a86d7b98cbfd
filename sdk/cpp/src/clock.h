// What time it is, as the system says or a test.
#pragma once

#include <chrono>
#include <functional>

namespace upcard::detail {

using Instant = std::chrono::steady_clock::time_point;
using Clock = std::function<Instant()>;

}  // namespace upcard::detail
