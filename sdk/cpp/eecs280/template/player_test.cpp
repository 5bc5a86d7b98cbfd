// Puts the Player into situations of a game. Whatever its strategy is, it may not break a rule.
#include <upcard/situation.h>

#include <iostream>
#include <string>

#include "player_bot.h"

using upcard::Seat;
using upcard::Situation;

namespace {

int failures = 0;

// What the Player chooses; if that is against the rules, it is told, and nothing is chosen.
std::string choice(const Situation& situation) {
  const upcard::Imagined imagined(situation);
  const upcard::View& view = imagined.view();
  upcard::eecs280::PlayerBot bot({view.seat(), view.rules(), upcard::Random(1)}, "Simple");
  try {
    return to_string(upcard::ask(bot, view));
  } catch (const std::exception& error) {
    ++failures;
    std::cerr << view << ": " << error.what() << '\n';
    return "";
  }
}

// Where you know what it should choose.
void expect(const std::string& wanted, const Situation& situation) {
  const std::string chosen = choice(situation);
  if (chosen.empty() || chosen == wanted) return;
  ++failures;
  std::cerr << upcard::Imagined(situation).view() << ": " << chosen << ", not " << wanted << '\n';
}

}  // namespace

int main() {
  choice({.hand = "9C TD AH JC KS", .upcard = "9S"});
  // The dealer has to name a suit when all others passed twice.
  choice({.dealer = Seat::south,
          .hand = "9C TD AH JC KS",
          .upcard = "9S",
          .calls = "pass pass pass pass pass pass pass"});
  // The dealer took the upcard.
  choice({.dealer = Seat::south,
          .hand = "9C TC AH JC KS 9S",
          .upcard = "9S",
          .calls = "pass pass pass order_up"});
  // Leading, and following with the left bower, the only trump.
  choice({.hand = "9C TD AH JC KS", .upcard = "9S", .trump = "S"});
  expect("play:JC", {.hand = "9C TD AH JC KD", .upcard = "9S", .trump = "S", .played = "KS"});
  return failures == 0 ? 0 : 1;
}
