/** The situations made for the tests of bots; `situations.jsonl` says what each comes to. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Bot, IllegalChoice } from "upcard";
import { ask, ImpossibleSituation, situation } from "upcard/testing";

test("cards are told in a text or one by one", () => {
  const listed = situation({ hand: ["JD", "9H"], upcard: "TS" });
  assert.equal(String(listed), "euchre, bidding: hand JD 9H, upcard TS");
  assert.deepEqual(situation({ hand: " 9H  JD", upcard: "TS" }).hand, listed.hand);
});

test("whist has situations", () => {
  const view = situation({ game: "whist", hand: "9C AH", trumpCard: "TS", played: "AC" });
  assert.deepEqual([view.seat, view.trump, view.legal], [1, "S", ["play:9C"]]);
});

test("another game has none", () => {
  const poker = /** @type {any} */ ({ game: "poker", hand: "9C" });
  assert.throws(() => situation(poker), ImpossibleSituation);
});

test("a word that no situation has is refused", () => {
  const told = /** @type {any} */ ({ hand: "9C", trump: "H", leader: 1 });
  assert.throws(() => situation(told), { message: "a situation has no leader" });
});

test("what types rule out is refused", () => {
  const told = { hand: "9C", upcard: /** @type {const} */ ("9H") };
  const says = (/** @type {string} */ message) => ({ name: "ImpossibleSituation", message });
  const noSeat = "there is no seat 4; they are 0 to 3 for North, East, South, West";
  assert.throws(() => situation({ ...told, seat: 4 }), says(noSeat));
  const trump = /** @type {any} */ ("X");
  assert.throws(() => situation({ ...told, trump }), says("X is no suit"));
});

test("a bot is asked in a situation, always with the same chance", () => {
  class Drawing extends Bot {
    /** @type {Bot["choose"]} */
    choose(view, legal) {
      assert.deepEqual([view.seat, view.rules], [this.seat, this.rules]);
      return this.random.pick(legal);
    }
  }
  const view = situation({ hand: "9C AC JD KS 9S", trump: "H", dealer: 1 });
  const choices = Array.from({ length: 20 }, () => ask((table) => new Drawing(table), view));
  assert.equal(new Set(choices).size, 1);
});

test("what a bot may not do is told", () => {
  const wrong = { choose: () => /** @type {any} */ ("fold") };
  const view = situation({ hand: "9C JD", upcard: "9H" });
  assert.throws(() => ask(() => wrong, view), IllegalChoice);
});
