// A bot's stream to the referee, from hello to goodbye.
#pragma once

#include <string>

#include "clock.h"
#include "upcard/run.h"

namespace upcard::detail {

/// Plays until the referee says goodbye; gives the exit code.
int converse(const Factory& make_bot, const std::string& address, const std::string& token,
             int tables, const Clock& now = std::chrono::steady_clock::now);

}  // namespace upcard::detail
