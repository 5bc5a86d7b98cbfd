/** What the bot does in situations that its author thought of; `npm test` runs them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Action } from "upcard";
import { ask, type Situation, situation } from "upcard/testing";
import { Player } from "../src/player.js";

/** Ask the bot, as the referee would. */
function decision(given: Situation): Action {
  return ask((table) => new Player(table), situation(given));
}

test("three trumps are enough to order up", () => {
  // The jack of diamonds would be the left bower.
  assert.equal(decision({ hand: "9C TC JD 9H AH", upcard: "KH" }), "order_up");
});

test("two trumps are not", () => {
  assert.equal(decision({ hand: "9C TC KS 9H AH", upcard: "KH" }), "pass");
});

test("the second round names a suit", () => {
  const calls = "pass pass pass pass";
  assert.equal(decision({ hand: "9C TS KS AS AH", upcard: "9H", calls }), "name:S");
});

test("the dealer keeps her trumps", () => {
  // West is the dealer, if no other is told.
  const hand = "TC AD 9H TH QH KS";
  assert.equal(decision({ hand, upcard: "QH", calls: "order_up" }), "discard:TC");
});

test("a trick is won as cheaply as it can be", () => {
  assert.equal(decision({ hand: "9C JC KC", trump: "H", played: "TC" }), "play:JC");
});

test("partner's trick is left to her", () => {
  // North leads to West's deal.
  assert.equal(decision({ hand: "TC AC", trump: "H", played: "KC 9C" }), "play:TC");
});
