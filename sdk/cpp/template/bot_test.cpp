// Puts the bot into situations. Any test library does; this one needs none.
#include "bot.h"

#include <upcard/situation.h>

#include <iostream>

using upcard::Situation;

namespace {

int failures = 0;

void expect(const std::string& choice, const Situation& situation) {
  const std::string chosen = to_string(upcard::ask<Player>(situation));
  if (chosen == choice) return;
  ++failures;
  std::cerr << upcard::Imagined(situation).view() << ": " << chosen << ", not " << choice << '\n';
}

}  // namespace

int main() {
  // Three trumps with the left bower.
  expect("order_up", {.hand = "9C JC AH TS KS", .upcard = "QS"});
  expect("pass", {.hand = "9C JH AH TS KD", .upcard = "QS"});
  // West is the dealer, if no other is told: she took the queen.
  expect("discard:TC", {.hand = "TC AD 9H TH QH KS", .upcard = "QH", .calls = "order_up"});
  // North leads the king, and the ace takes it.
  expect("play:AC", {.hand = "9C AC AH", .trump = "H", .played = "KC"});
  // North, our partner, is winning.
  expect("play:9C", {.hand = "9C AC AH", .trump = "H", .played = "KC TC"});
  return failures == 0 ? 0 : 1;
}
