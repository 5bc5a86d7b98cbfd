/** What the bot does in situations that its author thought of; `npm test` runs them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Action, Random } from "upcard";
import { type Situation, situation } from "upcard/testing";
import { Player } from "../src/player.js";

/** Ask the bot, as the referee would. */
function decision(given: Situation): Action {
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
  const calls: Action[] = ["pass", "pass", "pass", "pass"];
  assert.equal(decision({ hand: ["9C", "TS", "KS", "AS", "AH"], calls, upcard: "9H" }), "name:S");
});

test("the dealer keeps her trumps", () => {
  const hand: Situation["hand"] = ["TC", "AD", "9H", "TH", "QH", "KS"];
  assert.equal(decision({ hand, trump: "H" }), "discard:TC");
});

test("a trick is won as cheaply as it can be", () => {
  const hand: Situation["hand"] = ["9C", "JC", "KC"];
  assert.equal(decision({ hand, trump: "H", leader: 1, trick: ["TC"] }), "play:JC");
});

test("partner's trick is left to her", () => {
  const hand: Situation["hand"] = ["TC", "AC"];
  assert.equal(decision({ hand, trump: "H", leader: 0, trick: ["KC", "9C"] }), "play:TC");
});
