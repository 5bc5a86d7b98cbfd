// How a bot's process starts and ends.
#include "upcard/run.h"

#include <cstdio>
#include <cstdlib>
#include <string>

#include "session.h"

namespace upcard {
namespace {

constexpr auto usage =
    "UPCARD_ADDRESS is not set: a bot is started by the referee. "
    "Try yours with `upcard try DIR`, where DIR is the directory with its bot.toml.";

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

}  // namespace

int run(const Factory& make_bot, int tables) {
  if (tables < 1 || tables > most_tables) {
    throw std::invalid_argument("a bot sits at 1 to 256 tables, not " + std::to_string(tables));
  }
  const std::string address = variable("UPCARD_ADDRESS");
  if (address.empty()) {
    log(usage);
    return 2;
  }
  // Whole lines, though nobody watches: what is in a buffer of a process that is killed is lost.
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  return detail::converse(make_bot, address, variable("UPCARD_TOKEN"), tables);
}

}  // namespace upcard
