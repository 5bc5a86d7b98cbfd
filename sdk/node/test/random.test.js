/** Chance. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Random } from "upcard";

/** @param {() => number} draw */
function drawn(draw) {
  return Array.from({ length: 1000 }, draw);
}

test("the same seed draws the same", () => {
  const [one, other] = [new Random(1, 2), new Random(1, 2)];
  assert.deepEqual(
    drawn(() => one.next()),
    drawn(() => other.next()),
  );
});

test("both halves of a seed count", () => {
  const firsts = [new Random(1, 2), new Random(2, 1), new Random(1, 1)].map((chance) =>
    chance.next(),
  );
  assert.equal(new Set(firsts).size, 3);
});

test("a draw is at least 0 and less than 1", () => {
  const chance = new Random(-1, -1);
  assert(drawn(() => chance.next()).every((number) => number >= 0 && number < 1));
});

test("every whole number below the limit comes", () => {
  const chance = new Random(3);
  assert.deepEqual(new Set(drawn(() => chance.below(4))), new Set([0, 1, 2, 3].sort()));
});

test("every value is picked", () => {
  const chance = new Random(4);
  const picked = new Set(Array.from({ length: 1000 }, () => chance.pick(["C", "D", "H"])));
  assert.equal(picked.size, 3);
});

test("shuffled values are the same ones", () => {
  const values = drawn(() => 0).map((_, place) => place);
  const mixed = new Random(5).shuffled(values);
  assert.notDeepEqual(mixed, values);
  assert.deepEqual(
    mixed.sort((one, other) => one - other),
    values,
  );
});
