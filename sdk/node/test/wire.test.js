/** Bytes as the wire has them, in every form that is allowed, and in some that are not. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { EuchreMessage } from "../src/euchre_message.js";
import { decode } from "../src/protocol.js";
import { Reader } from "../src/wire.js";
import { encoded } from "./fake_referee.js";
import { EUCHRE, frame } from "./messages.js";

/** @param {number[]} bytes */
function numberOf(...bytes) {
  return new Reader(Uint8Array.from(bytes)).number();
}

/** @param {number[]} bytes */
function handOf(...bytes) {
  return new EuchreMessage(new Reader(Uint8Array.from(bytes))).hand;
}

test("a number has one byte or more", () => {
  const found = [numberOf(127), numberOf(0x80, 1), numberOf(0xff, 0xff, 0xff, 0xff, 0x0f)];
  assert.deepEqual(found, [127, 128, 2 ** 32 - 1]);
});

test("of a number of 64 bits the lower ones count", () => {
  const minusOne = [...new Array(9).fill(0xff), 1];
  assert.equal(numberOf(...minusOne), 2 ** 32 - 1);
});

test("a number of more than 64 bits is none", () => {
  assert.throws(() => numberOf(...new Array(10).fill(0xff), 1), /breaks off/);
});

for (const [form, ...bytes] of /** @type {[string, ...number[]][]} */ ([
  ["at once", 0x6a, 3, 8, 9, 10],
  ["one by one", 0x68, 8, 0x68, 9, 0x68, 10],
  ["in pieces", 0x6a, 2, 8, 9, 0x68, 10],
  ["in longer numbers", 0x6a, 5, 0x88, 0, 9, 0x8a, 0],
])) {
  test(`a list may come ${form}`, () => assert.deepEqual(handOf(...bytes), [8, 9, 10]));
}

for (const [kind, ...unknown] of /** @type {[string, ...number[]][]} */ ([
  ["a number", 0xf8, 0x07, 0xff, 0xff, 1],
  ["eight bytes", 0xf9, 0x07, 1, 2, 3, 4, 5, 6, 7, 8],
  ["bytes", 0xfa, 0x07, 2, 0xff, 0xff],
  ["a group", 0xfb, 0x07, 0x08, 1, 0x13, 0x14, 0xfc, 0x07],
  ["four bytes", 0xfd, 0x07, 1, 2, 3, 4],
])) {
  test(`an unknown field that is ${kind} is passed over`, () => {
    assert.deepEqual(handOf(...unknown, 0x6a, 1, 8, ...unknown), [8]);
  });
}

for (const [what, ...bytes] of /** @type {[string, ...number[]][]} */ ([
  ["a number", 0x08, 0x80],
  ["a list", 0x6a, 3, 8],
  ["a number in a list", 0x6a, 1, 0x80, 0],
  ["eight bytes", 0xf9, 0x07, 1],
  ["four bytes", 0xfd, 0x07, 1],
  ["a group", 0xfb, 0x07, 0x08, 1],
  ["a field of no kind", 0xff, 0x07],
])) {
  test(`${what} that breaks off is an error`, () => {
    assert.throws(() => handOf(...bytes), { name: "NotUnderstood", message: /breaks off/ });
  });
}

test("hundreds of groups in groups are an error", () => {
  const groups = [[0xfb, 0x07], [0xfc, 0x07]].map((tag) => new Array(500).fill(tag).flat());
  assert.throws(() => handOf(...groups.flat()), /breaks off/);
});

test("a message that breaks off anywhere within its only field is an error", () => {
  for (const message of [EUCHRE, frame(2)]) {
    const bytes = encoded(message);
    for (let size = 1; size < bytes.length; size++) {
      assert.throws(() => decode(bytes.subarray(0, size)), /breaks off/);
    }
  }
});
