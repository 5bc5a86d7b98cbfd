// What is being decided now, for the lines a bot writes, and what a bot failed with.
#pragma once

#include <cstdint>
#include <string>

namespace upcard::detail {

/// Which decision is due in this thread; turn 0 is none.
struct Deciding {
  std::uint32_t table = 0;
  std::uint32_t turn = 0;
};

extern thread_local Deciding deciding;

/// The exception that is being caught, with its type in front, as `std::out_of_range: at`.
std::string current_exception();

}  // namespace upcard::detail
