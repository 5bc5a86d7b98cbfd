// A bot's stream to the referee, from hello to goodbye.
#pragma once

#include <string>

#include "upcard/run.h"

namespace upcard::detail {

/// Plays until the referee says goodbye; gives the exit code.
int converse(const Factory& make_bot, const std::string& address, const std::string& token,
             int tables);

}  // namespace upcard::detail
