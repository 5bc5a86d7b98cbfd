/** The situations made for the tests of bots. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { situation } from "upcard/testing";

test("a call is due until there is a trump", () => {
  const view = situation({ hand: ["JD", "9H"], upcard: "TS" });
  assert.equal(String(view), "euchre, bidding: hand JD 9H, upcard TS");
});

test("the first round offers an order up", () => {
  const { legal } = situation({ hand: ["JD"], calls: ["pass"] });
  assert.deepEqual(legal, ["pass", "order_up", "order_up_alone"]);
});

test("the second round offers the other suits", () => {
  const calls = /** @type {const} */ (["pass", "pass", "pass", "pass"]);
  const { legal } = situation({ hand: ["JD"], upcard: "9C", calls });
  const names = ["name:D", "name:H", "name:S"];
  assert.deepEqual(legal, ["pass", ...names, ...names.map((name) => name.replace(":", "_alone:"))]);
});

test("six cards are one too many", () => {
  const view = situation({ hand: ["9C", "TC", "QC", "KC", "AC", "JD"], trump: "H" });
  assert.equal(view.legal[5], "discard:JD");
});

test("the trick in progress must be followed", () => {
  const view = situation({ hand: ["9C", "JD", "AH"], trump: "H", leader: 1, trick: ["9H"] });
  assert.deepEqual(view.legal, ["play:JD", "play:AH"]);
});

test("what is told is seen", () => {
  const view = situation({
    game: "whist",
    hand: ["9C", "AH"],
    trumpCard: "TS",
    seat: 1,
    dealer: 2,
    score: { us: 3, them: 4 },
    rules: { target: 5 },
    tricks: [{ leader: 3, cards: ["2D", "3D", "4D", "5D"] }],
    leader: 0,
    trick: ["AC"],
  });
  const { seat, dealer, score, target, tricks, winningSeat, legalCards } = view;
  assert.deepEqual(
    { seat, dealer, score, target, tricks, winningSeat, legalCards },
    {
      seat: 1,
      dealer: 2,
      score: { us: 3, them: 4 },
      target: 5,
      tricks: [{ leader: 3, cards: ["2D", "3D", "4D", "5D"], winner: 0 }],
      winningSeat: 0,
      legalCards: ["9C"],
    },
  );
});
