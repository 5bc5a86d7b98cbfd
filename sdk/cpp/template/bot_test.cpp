// Puts the bot into situations. Any test library does; this one needs none.
#include "bot.h"

#include <upcard/situation.h>

#include <iostream>

using upcard::Situation;

namespace {

int failures = 0;

void expect(const std::string& choice, const Situation& situation) {
  Player bot({situation.seat, situation.rules, upcard::Random(1)});
  const std::string chosen = to_string(upcard::ask(bot, situation));
  if (chosen == choice) return;
  ++failures;
  std::cerr << upcard::Imagined(situation).view() << ": " << chosen << ", not " << choice << '\n';
}

}  // namespace

int main() {
  // Three trumps with the left bower.
  expect("order_up", {.hand = "9C JC AH TS KS", .legal = "pass order_up", .upcard = "QS"});
  expect("pass", {.hand = "9C JH AH TS KD", .legal = "pass order_up", .upcard = "QS"});
  // East leads the king, and the ace takes it.
  expect("play:AC", {.hand = "9C AC AH", .trump = "H", .played = "KC", .leaders = "E"});
  // North, our partner, is winning.
  expect("play:9C", {.hand = "9C AC AH", .trump = "H", .played = "KC TC", .leaders = "N"});
  return failures == 0 ? 0 : 1;
}
