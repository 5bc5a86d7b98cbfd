// How a bot's process plays, and what it tells its author.
#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <string_view>

#include "upcard/bot.h"

namespace upcard {

/// Makes the bot of a match, when the first decision in it is due.
using Factory = std::function<std::unique_ptr<Bot>(const Seating& seating)>;

inline constexpr int most_tables = 256;

/// Plays for the referee that started this process; gives what `main` is to return.
///
/// `tables` says at how many tables at the same time, 1 to 256. Many are faster; with 1, every
/// decision has the time limit for itself.
int run(const Factory& make_bot, int tables = most_tables);

/// The same for a bot that is made from its seating alone.
template <std::derived_from<Bot> Kind>
int run(int tables = most_tables) {
  return run([](const Seating& seating) { return std::make_unique<Kind>(seating); }, tables);
}

/// Writes a line to stderr, with the table and the turn that is being decided in front.
void log(std::string_view message);

}  // namespace upcard
