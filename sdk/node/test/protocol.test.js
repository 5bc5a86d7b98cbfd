/** The protocol that the SDK speaks is that of the clone it lies in. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { EuchreMessage } from "../src/euchre_message.js";
import { decode, encode, faultNamed } from "../src/protocol.js";
import { WhistMessage } from "../src/whist_message.js";
import { Reader } from "../src/wire.js";
import { root, type } from "./proto.js";

const BIG = 2 ** 32 - 1;

for (const [Message, name] of /** @type {const} */ ([
  [EuchreMessage, "EuchreView"],
  [WhistMessage, "WhistView"],
])) {
  const whole = filled(type(name));

  test(`every field of ${name} is read`, () => {
    const read = new Message(new Reader(type(name).encode(whole).finish()));
    assert.deepEqual({ ...read }, { ...whole });
  });

  test(`${name} without anything in it has nothing`, () => {
    const read = new Message(new Reader(new Uint8Array()));
    assert.deepEqual({ ...read }, type(name).toObject(type(name).create(), { defaults: true }));
  });
}

test("every field of a turn is read", () => {
  const turn = { turnId: BIG, tableId: 300, timeLeftMs: 7 };
  const { frame } = decode(written({ frame: { turns: [turn] } }));
  assert.deepEqual(frame?.turns, [{ ...turn, euchre: null, whist: null }]);
});

test("every field of a welcome is read", () => {
  const rules = { alone: true, stickDealer: true, partnerMustGoAlone: true, target: 11 };
  const message = { protocolRevision: 1, seat: 3, limits: { tables: 9 }, euchre: rules };
  const { welcome } = decode(written({ welcome: message }));
  assert.deepEqual(welcome, { seat: 3, euchre: rules, whist: null });
});

test("the rules of whist are read", () => {
  const { welcome } = decode(written({ welcome: { whist: { target: 5 } } }));
  assert.deepEqual(welcome?.whist, { target: 5 });
});

test("every field of a fault is read", () => {
  const notice = { fault: 3, tableId: BIG, turnId: 128, explanation: "nobody asked: \u2660" };
  assert.deepEqual(decode(written({ fault: notice })).fault, notice);
});

test("a hello is written", () => {
  const hello = { token: "\u2660", protocolRevision: 1, sdk: "x".repeat(200), tables: 256 };
  assert.deepEqual(heard(encode({ hello })), { hello });
});

test("answers are written", () => {
  const answers = { turnIds: [1, 127, 128, 16384, BIG], choices: [0, 1, 12, 200, 0] };
  assert.deepEqual(heard(encode({ answers })), { answers });
});

test("faults have their names", () => {
  const { values } = root.lookupEnum("upcard.v1.Fault");
  const names = Object.values(values).map((number) => `FAULT_${faultNamed(number)}`);
  assert.deepEqual(names, Object.keys(values));
});

test("a fault that is not known has its number", () => {
  assert.equal(faultNamed(99), "99");
});

/**
 * Make a message with a value of its own for each field.
 *
 * @param {import("protobufjs").Type} of
 * @returns {any}
 */
function filled(of) {
  const fields = of.fieldsArray.map(({ name, id, type, repeated }) => {
    const value = type === "bool" ? true : type === "uint32" ? 1000 * id : 1 + (id % 3);
    return [name, repeated ? [value, 1, 2] : value];
  });
  return Object.fromEntries(fields);
}

/** @param {object} message */
function written(message) {
  const Response = type("PlayResponse");
  return Response.encode(Response.fromObject(message)).finish();
}

/** @param {Buffer} bytes */
function heard(bytes) {
  const Request = type("PlayRequest");
  return Request.toObject(Request.decode(bytes));
}
