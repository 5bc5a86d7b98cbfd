// Plays for the Player that Player_factory makes of the strategy in the first argument.
#include <upcard/upcard.h>

#include <memory>
#include <string>

#include "call_watch.h"
#include "player_bot.h"

int main(int argc, char** argv) {
  const std::string strategy = argc > 1 ? argv[1] : "Simple";
  upcard::eecs280::watch_for_signals();
  return upcard::run([&](const upcard::Seating& seating) {
    return std::make_unique<upcard::eecs280::PlayerBot>(seating, strategy);
  });
}
