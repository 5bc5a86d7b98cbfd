/** Frames in, answers out. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Bot, SUITS } from "upcard";
import { Tables } from "../src/answering.js";
import { decode } from "../src/protocol.js";
import { EUCHRE, frame, RECYCLE, SNAP, turn } from "./messages.js";
import { encoded } from "./fake_referee.js";

/** @typedef {import("upcard").Factory} Factory */

/** @param {object} message */
function received(message) {
  return decode(encoded(message));
}

/**
 * @param {Factory} factory
 * @param {() => number} [clock]
 */
function seated(factory, clock) {
  const { welcome } = received(EUCHRE);
  assert(welcome);
  return new Tables(factory, welcome, clock);
}

/**
 * @param {Tables} tables
 * @param {{ frame: object }} message
 */
function answers(tables, message) {
  const { frame: told } = received(message);
  assert(told);
  return [...tables.answers(told)];
}

/** @param {number} choice */
function always(choice) {
  return () => ({
    choose: (/** @type {any} */ _, /** @type {readonly any[]} */ legal) => legal[choice],
  });
}

test("an answer is the place of the action", () => {
  assert.deepEqual(answers(seated(always(1)), frame(1)), [{ turnIds: [10], choices: [1] }]);
});

/** @param {Factory} factory */
function snapped(factory) {
  const { welcome } = received(RECYCLE);
  assert(welcome);
  const tables = new Tables(factory, welcome);
  return { tables, answer: () => answers(tables, SNAP) };
}

test("choose is asked in a game described in RECYCLE", () => {
  assert.deepEqual(snapped(always(1)).answer(), [{ turnIds: [1], choices: [1] }]);
});

test("a game described in RECYCLE needs only act", () => {
  class Acting extends Bot {
    /** @param {import("upcard").RecycleView} view */
    act({ moves }) {
      return moves[1].text;
    }
  }
  const { answer } = snapped((table) => new Acting(table));
  assert.deepEqual(answer(), [{ turnIds: [1], choices: [1] }]);
});

test("act is named where it is missing", () => {
  class Silent extends Bot {}
  const { answer } = snapped((table) => new Silent(table));
  assert.throws(answer, /Silent cannot decide: write act\(view, legal\)/);
});

test("a table of a game described in RECYCLE tells its seat and the game", () => {
  /** @type {any} */
  let told = null;
  snapped((table) => {
    told = table;
    return always(0)();
  }).answer();
  assert.deepEqual([told.seat, told.rules.name, told.rules.seat], [1, "snap", 2]);
});

test("moves in words are told apart", () => {
  const { tables, answer } = snapped(() => ({ choose: () => /** @type {any} */ ("shout") }));
  assert.throws(answer, /returned shout; legal here: wait; say snap$/);
  assert.equal(
    tables.situation(),
    "recycle, acting: snap, player 2, legal wait; say snap",
  );
});

test("a frame without turns has no answer", () => {
  assert.deepEqual(answers(seated(always(0)), { frame: {} }), []);
});

for (const [does, change] of /** @type {const} */ ([
  ["sort", (/** @type {any[]} */ legal) => legal.sort()],
  ["reverse", (/** @type {any[]} */ legal) => legal.reverse()],
  ["cut", (/** @type {any[]} */ legal) => legal.splice(0, 1)],
])) {
  test(`a bot may ${does} its legal actions`, () => {
    const factory = () => ({
      choose(/** @type {any} */ _, /** @type {readonly any[]} */ legal) {
        change(/** @type {any[]} */ (legal));
        return /** @type {const} */ ("order_up_alone");
      },
    });
    assert.deepEqual(answers(seated(factory), frame(1)), [{ turnIds: [10], choices: [2] }]);
  });
}

test("what a bot does to a list shows in no later turn", () => {
  /** @type {string[]} */
  const shown = [];
  const factory = () => ({
    choose(/** @type {any} */ view, /** @type {readonly any[]} */ legal) {
      const choice = legal[0];
      const lists = listsOf(view);
      shown.push(JSON.stringify(lists));
      for (const list of lists) if (!Object.isFrozen(list)) list.reverse().push("what is no card");
      return choice;
    },
  });
  const tables = seated(factory);
  answers(tables, frame(1));
  answers(tables, { frame: { turns: [turn(10)] } });
  assert.equal(shown[1], shown[0]);
});

test("what took long is answered in pieces", () => {
  let time = 0;
  const pieces = answers(
    seated(always(0), () => (time += 30)),
    frame(9),
  );
  assert.deepEqual(
    pieces.map(({ turnIds }) => turnIds.length),
    [4, 4, 1],
  );
});

test("the making of the bots is a part of what takes long", () => {
  let time = 0;
  const factory = () => {
    time += 30;
    return always(0)();
  };
  const pieces = answers(
    seated(factory, () => time),
    frame(9),
  );
  assert.deepEqual(
    pieces.map(({ turnIds }) => turnIds.length),
    [4, 4, 1],
  );
});

test("a table that is never asked makes no bot", () => {
  const tables = seated(() => assert.fail("a bot is made"));
  assert.deepEqual(answers(tables, { frame: { ...frame(3).frame, turns: [] } }), []);
});

test("every table has a bot of its own", () => {
  /** @type {Set<unknown>} */
  const bots = new Set();
  const tables = seated(() => {
    const bot = {
      choose(/** @type {any} */ _, /** @type {readonly any[]} */ legal) {
        bots.add(this);
        return legal[0];
      },
    };
    return bot;
  });
  answers(tables, frame(3));
  answers(tables, { frame: { turns: [turn(20, 1), turn(21, 2)] } });
  assert.equal(bots.size, 3);
});

test("a bot knows its seat, its rules and its chance", () => {
  /** @type {any} */
  let table;
  const factory = (/** @type {any} */ given) => {
    table = given;
    return always(0)();
  };
  answers(seated(factory), frame(1));
  const rules = { target: 10, alone: true, stickDealer: true, partnerMustGoAlone: false };
  assert.deepEqual({ seat: table.seat, rules: table.rules }, { seat: 0, rules });
  assert(table.random.next() < 1);
});

test("the same seed gives the same chance", () => {
  /** @type {number[]} */
  const drawn = [];
  /** @type {Factory} */
  const factory = ({ random }) => {
    drawn.push(random.next());
    return always(0)();
  };
  const seeds = ["18446744073709551615", "18446744073709551615", "4294967295"];
  const opened = seeds.map((seed, place) => ({ tableId: place + 1, seed }));
  answers(seated(factory), { frame: { ...frame(3).frame, opened } });
  assert(drawn[0] === drawn[1] && drawn[0] !== drawn[2]);
});

test("a closed table is forgotten", () => {
  const tables = seated(always(0));
  answers(tables, { frame: { ...frame(1).frame, closed: [{ tableId: 1 }] } });
  assert.throws(() => answers(tables, { frame: { turns: [turn(20)] } }), /was not opened/);
});

for (const [what, shown] of /** @type {const} */ ([
  ["a call of a later version", { legalCalls: [1, 12] }],
  ["a call that is none", { legalCalls: [1, 0] }],
  ["a card of a later version", { phase: 3, legalCalls: [], legalCards: [8, 53] }],
  ["a card that is none", { phase: 2, legalCalls: [], legalCards: [0, 8] }],
  ["a phase of a later version", { phase: 4 }],
  ["a phase that is none", { phase: 0 }],
])) {
  test(`no bot is asked about ${what}`, () => {
    const asked = { ...turn(10), euchre: { ...turn(10).euchre, ...shown } };
    const tables = seated(() => assert.fail("a bot is made"));
    assert.throws(() => answers(tables, { frame: { ...frame(1).frame, turns: [asked] } }), {
      name: "NotUnderstood",
      message: /^the referee .* that this version of the SDK does not know$/,
    });
  });
}

for (const [phase, name, choices] of /** @type {const} */ ([
  [1, "bid", { legalCalls: [1, 2] }],
  [2, "discard", { legalCards: [8, 9] }],
  [3, "play", { legalCards: [8, 9] }],
])) {
  const asked = { ...turn(10), euchre: { ...turn(10).euchre, legalCalls: [], ...choices, phase } };
  const message = { frame: { ...frame(1).frame, turns: [asked] } };

  test(`a bot without a method for everything is asked its ${name}`, () => {
    const factory = (/** @type {import("upcard").Table} */ table) =>
      Object.assign(new Bot(table), {
        [name]: (/** @type {any} */ _, /** @type {any} */ legal) => legal[1],
      });
    assert.deepEqual(answers(seated(factory), message), [{ turnIds: [10], choices: [1] }]);
  });

  test(`a bot without ${name} is told to write it`, () => {
    const factory = (/** @type {import("upcard").Table} */ table) => new Bot(table);
    assert.throws(() => answers(seated(factory), message), {
      name: "MissingMethod",
      message: `Bot cannot decide: write ${name}(view, legal) for this, or choose(view, legal) for everything`,
    });
  });
}

/**
 * @param {any} view
 * @returns {any[]}
 */
function listsOf(view) {
  const names = "legal legalCards hand pack cardsStillOut calls trick tricks plays".split(" ");
  const bySuit = SUITS.flatMap((suit) => [view.holding(suit), view.stillOut(suit)]);
  return [...names.map((name) => view[name]), ...bySuit, SUITS];
}
