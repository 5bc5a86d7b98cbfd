// @ts-check
/** What the bot does in situations that its author thought of; `npm test` runs them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Random } from "upcard";
import { situation } from "upcard/testing";
import { Player } from "../src/player.js";

/**
 * Ask the bot, as the referee would.
 *
 * @param {import("upcard/testing").Situation} given
 */
function decision(given) {
  const view = situation(given);
  const bot = new Player({ seat: view.seat, rules: view.rules, random: new Random(1) });
  return bot.choose(view, view.legal);
}

test("three trumps are enough to order up", () => {
  // The jack of diamonds would be the left bower.
  assert.equal(decision({ hand: ["9C", "TC", "JD", "9H", "AH"], upcard: "KH" }), "order_up");
});

test("two trumps are not", () => {
  assert.equal(decision({ hand: ["9C", "TC", "KS", "9H", "AH"], upcard: "KH" }), "pass");
});

test("the second round names a suit", () => {
  const hand = /** @type {const} */ (["9C", "TS", "KS", "AS", "AH"]);
  const calls = /** @type {const} */ (["pass", "pass", "pass", "pass"]);
  assert.equal(decision({ hand, calls, upcard: "9H" }), "name:S");
});

test("the dealer keeps her trumps", () => {
  const hand = /** @type {const} */ (["TC", "AD", "9H", "TH", "QH", "KS"]);
  assert.equal(decision({ hand, trump: "H" }), "discard:TC");
});

test("a trick is won as cheaply as it can be", () => {
  const trick = /** @type {const} */ (["TC"]);
  assert.equal(decision({ hand: ["9C", "JC", "KC"], trump: "H", leader: 1, trick }), "play:JC");
});

test("partner's trick is left to her", () => {
  const trick = /** @type {const} */ (["KC", "9C"]);
  assert.equal(decision({ hand: ["TC", "AC"], trump: "H", leader: 0, trick }), "play:TC");
});
