/** The protocol that the SDK speaks is that of the clone it lies in. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { EuchreMessage } from "../src/euchre_message.js";
import { decode, encode, faultNamed } from "../src/protocol.js";
import { RecycleMessage } from "../src/recycle_message.js";
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
  assert.deepEqual(frame?.turns, [{ ...turn, euchre: null, whist: null, recycle: null }]);
});

test("every field of RecycleView is read", () => {
  const message = {
    ...{ player: 8, handNumber: 300, scores: [-1, 2 ** 31 - 1, -(2 ** 31)], flow: [0, -300] },
    places: [
      {
        ...{ owner: -2, kind: "iloc", name: "HAND", index: 300, size: 7, hidden: true },
        ...{ faces: [1, 300], backs: [{ name: "RED", cards: 7 }] },
      },
    ],
    numbers: [{ owner: 8, name: "BET", value: -70000 }],
    texts: [{ owner: -1, name: "SAYS", value: "\u2660" }],
    points: [{ owner: 1, name: "ORDER", awards: [award()] }],
    legal: [{ text: "go \u2660", steps: steps() }],
  };
  const View = type("RecycleView");
  const read = new RecycleMessage(new Reader(View.encode(View.fromObject(message)).finish()));
  const [place] = read.places;
  assert.deepEqual(place, { ...message.places[0], backs: [["RED", 7]] });
  const [{ text, steps: read_steps }] = read.legal;
  assert.equal(text, "go \u2660");
  assert.deepEqual(
    read_steps.map(({ verb, face, owner, name, value, otherFace }) => [
      ...[verb, face, owner, name, value, otherFace],
    ]),
    [
      ["move", 3, null, "", -3, 0],
      ["set", 0, 0, "BET", "", 0],
      ["update", 0, -1, "", [{ attributes: [["SUIT", "H"]], points: -5 }], 9],
    ],
  );
  assert.deepEqual(
    read_steps.map(({ source, target }) => [source?.name, target?.owner]),
    [
      ["A", -1],
      [undefined, undefined],
      [undefined, undefined],
    ],
  );
  const { places, points, legal, ...plain } = message;
  const { player, handNumber, scores, flow, numbers, texts } = read;
  assert.deepEqual({ player, handNumber, scores, flow, numbers, texts }, plain);
  const awards = [{ attributes: [["SUIT", "H"]], points: -5 }];
  assert.deepEqual(read.points, [{ ...points[0], awards }]);
});

test("RecycleView without anything in it has nothing", () => {
  const empty = type("RecycleView").toObject(type("RecycleView").create(), { defaults: true });
  assert.deepEqual({ ...new RecycleMessage(new Reader(new Uint8Array())) }, empty);
});

function award() {
  return { attributes: [{ key: "SUIT", value: "H" }], points: -5 };
}

function steps() {
  return [
    { verb: "move", face: 3, source: { name: "A" }, target: { owner: -1 }, number: -3 },
    { verb: "set", owner: 0, name: "BET", text: "" },
    { verb: "update", owner: -1, points: { awards: [award()] }, otherFace: 9 },
  ];
}

test("every field of a welcome is read", () => {
  const rules = { alone: true, stickDealer: true, partnerMustGoAlone: true, target: 11 };
  const message = { protocolRevision: 1, seat: 3, limits: { tables: 9 }, euchre: rules };
  const { welcome } = decode(written({ welcome: message }));
  assert.deepEqual(welcome, { seat: 3, euchre: rules, whist: null, recycle: null });
});

test("the rules of a game described in RECYCLE are read", () => {
  const face = { name: "ACE-H", back: "RED", cards: 300 };
  const rules = {
    ...{ name: "\u2660", program: "(game)", numbering: 1, hands: 300, players: 8, seat: 8 },
    ...{ sides: [1, 2, 300], lowestWins: true },
  };
  const faces = [{ ...face, attributes: [{ key: "SUIT", value: "H" }] }];
  const { welcome } = decode(written({ welcome: { recycle: { ...rules, faces } } }));
  const read = [{ ...face, attributes: [["SUIT", "H"]] }];
  assert.deepEqual(welcome?.recycle, { ...rules, faces: read });
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
