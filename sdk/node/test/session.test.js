/** A bot's process and its stream, with a referee that follows a script. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { receive, start } from "./fake_referee.js";
import { EUCHRE, frame, GOODBYE, OPENED, turn } from "./messages.js";

const FIRST = "return legal[0]";
const RUN = "run((table) => new MyBot(table))";

/**
 * @param {string} choose
 * @param {string} [main]
 */
function program(choose, main = RUN) {
  return `import { existsSync } from "node:fs"; import { Bot, log, run } from "upcard";
class MyBot extends Bot {
  choose(view, legal) {
    ${choose}
  }
}
${main};`;
}

/**
 * Ask for decisions in one frame, go on with what else there is, and say goodbye.
 *
 * @param {string} choose
 * @param {number} [tables]
 * @param {object[]} more
 */
async function play(choose, tables = 1, ...more) {
  /** @type {any[]} */
  const heard = [];
  const ended = await receive(program(choose), async ({ hear, say }) => {
    heard.push(await hear());
    say(EUCHRE, frame(tables));
    heard.push(await hear());
    say(...more, GOODBYE);
    heard.push(await hear());
  });
  return { ended, heard };
}

/** @param {object[]} messages */
function saying(...messages) {
  return async (/** @type {import("./fake_referee.js").End} */ { hear, say }) => {
    await hear();
    say(...messages);
  };
}

/** @param {string} choose */
function failing(choose) {
  return receive(program(choose), async ({ hear, say }) => {
    await hear();
    say(EUCHRE, OPENED, { frame: { turns: [turn(10)] } });
  });
}

/** @param {object[]} before */
function refusing(...before) {
  return async (/** @type {import("./fake_referee.js").End} */ { hear, say, refuse }) => {
    await hear();
    say(...before);
    refuse(16, "wrong token");
  };
}

test("a bot presents itself", async () => {
  const { heard } = await play(FIRST);
  const hello = { token: "secret", protocolRevision: 1, sdk: "upcard-node 0.1.0", tables: 256 };
  assert.deepEqual(heard[0], { hello });
});

test("a bot says how many tables it can hold", async () => {
  /** @type {any} */
  let hello;
  const main = "run((table) => new MyBot(table), { tables: 3 })";
  await receive(program(FIRST, main), async ({ hear, say }) => {
    ({ hello } = await hear());
    say(GOODBYE);
  });
  assert.equal(hello.tables, 3);
});

test("a frame is answered by one message", async () => {
  const { heard } = await play("return legal[2]", 256);
  const turnIds = Array.from({ length: 256 }, (_, place) => place + 10);
  assert.deepEqual(heard[1], { answers: { turnIds, choices: turnIds.map(() => 2) } });
});

test("a slow bot's pieces leave while it goes on", async () => {
  // Each decision waits until the referee has heard of the one before: it makes a file then.
  const choose = `
    const began = performance.now();
    while (performance.now() - began < 110) {}
    const heard = process.env.UPCARD_ADDRESS.slice("unix:".length) + ".heard";
    while (view.turn > 10 && !existsSync(heard + (view.turn - 1))) {}
    ${FIRST}`;
  /** @type {any[]} */
  const pieces = [];
  await receive(program(choose), async ({ hear, say }, address) => {
    await hear();
    say(EUCHRE, frame(3));
    for (const _ of [1, 2, 3]) {
      const { answers } = await hear();
      pieces.push(answers.turnIds);
      writeFileSync(`${address.slice("unix:".length)}.heard${answers.turnIds}`, "");
    }
    say(GOODBYE);
  });
  assert.deepEqual(pieces, [[10], [11], [12]]);
});

test("goodbye ends a bot in order", async () => {
  const { ended } = await play(FIRST);
  assert.deepEqual(ended, { code: 0, stdout: "", stderr: "" });
});

test("a bot closes its side after the goodbye", async () => {
  const { heard } = await play(FIRST);
  assert.equal(heard[2], undefined);
});

test("what a bot prints is not lost", async () => {
  const { ended } = await play(`console.log(view.upcard); ${FIRST}`);
  assert.equal(ended.stdout, "JS\n");
});

test("the end of the stream ends a bot in order", async () => {
  const ended = await receive(program(FIRST), saying(EUCHRE));
  assert.deepEqual(ended, { code: 0, stdout: "", stderr: "" });
});

test("a goodbye instead of a welcome ends a bot in order", async () => {
  const ended = await receive(program(FIRST), saying(GOODBYE));
  assert.deepEqual(ended, { code: 0, stdout: "", stderr: "" });
});

test("no timer of a bot keeps it alive", async () => {
  const { ended } = await play(`setInterval(() => {}, 1000); ${FIRST}`);
  assert.equal(ended.code, 0);
});

test("a frame of many megabytes is read", async () => {
  const closed = Array.from({ length: 800_000 }, () => ({ tableId: 2 ** 32 - 1 }));
  const { ended } = await play(FIRST, 1, { frame: { closed } });
  assert.deepEqual(ended, { code: 0, stdout: "", stderr: "" });
});

test("a message of an unknown kind is passed over", async () => {
  const { ended } = await play(FIRST, 1, {});
  assert.deepEqual(ended, { code: 0, stdout: "", stderr: "" });
});

test("a game that is not known ends a bot", async () => {
  const ended = await receive(program(FIRST), saying({ welcome: { seat: 1 } }));
  const stderr = "the referee plays a game that this version of the SDK does not know\n";
  assert.deepEqual(ended, { code: 1, stdout: "", stderr });
});

test("a bot that throws ends with exit code 1", async () => {
  const { code } = await failing("return legal.none.at(0)");
  assert.equal(code, 1);
});

test("a failure tells the situation first", async () => {
  const { stderr } = await failing("return legal.none.at(0)");
  assert.equal(
    stderr.split("\n")[0],
    "[table 1, turn 10] the bot failed; euchre, bidding: hand 9C TC JC QC KC, upcard JS, " +
      "legal pass order_up order_up_alone",
  );
});

test("the stack holds the bot's own code only", async () => {
  const { stderr } = await failing("return legal.none.at(0)");
  const [error, ...stack] = stderr.trimEnd().split("\n").slice(1);
  assert.equal(error, "TypeError: Cannot read properties of undefined (reading 'at')");
  assert.match(stack.join("\n"), /^\s+at MyBot\.choose \(file:.*:4:\d+\)$/);
});

test("a bot that cannot be made ends with exit code 1", async () => {
  const main = "run(() => { throw new Error('no cards') })";
  const { code, stderr } = await receive(program(FIRST, main), saying(EUCHRE, frame(1)));
  assert.equal(code, 1);
  assert.match(
    stderr,
    /^\[table 1, turn 10\] the bot failed; euchre, bidding: hand .*\nError: no cards\n/,
  );
});

for (const [what, asked, words] of /** @type {const} */ ([
  ["of another game", { euchre: null, whist: {} }, "shows a view"],
  ["without a view", { euchre: null }, "shows a view"],
  ["at an unknown phase", { euchre: { ...turn(11).euchre, phase: 4 } }, "asks in a phase"],
  [
    "with an unknown call",
    { euchre: { ...turn(11).euchre, legalCalls: [12] } },
    "offers an action",
  ],
])) {
  test(`a turn ${what} ends a bot with words`, async () => {
    const turns = [turn(10), { ...turn(11), ...asked }];
    const ended = await receive(program(FIRST), saying(EUCHRE, OPENED, { frame: { turns } }));
    const stderr = `[table 1, turn 11] the referee ${words} that this version of the SDK does not know\n`;
    assert.deepEqual(ended, { code: 1, stdout: "", stderr });
  });
}

test("a promise that a bot leaves rejected ends it", async () => {
  const { code, stderr } = await failing(`Promise.reject(new Error("lost")); ${FIRST}`);
  assert.equal(code, 1);
  assert.match(stderr, /^the bot failed; no decision was due\nError: lost\n/);
});

test("an illegal choice ends a bot", async () => {
  const { code, stderr } = await failing("return 'play:JD'");
  assert.equal(code, 1);
  assert.equal(
    stderr.trimEnd().split("\n").at(-1),
    "IllegalChoice: the bot returned play:JD; legal here: pass order_up order_up_alone",
  );
});

test("a promise instead of a choice is told", async () => {
  const { stderr } = await failing("return Promise.resolve(legal[0])");
  assert.match(stderr, /the bot returned a promise, but decides at once, without async and await;/);
});

test("a bot may end itself", async () => {
  const { code } = await failing("process.exit(7)");
  assert.equal(code, 7);
});

test("a log line tells table and turn", async () => {
  const { ended } = await play(`log(view.hand[0]); ${FIRST}`);
  assert.equal(ended.stderr, "[table 1, turn 10] 9C\n");
});

test("a log line without a turn stands alone", async () => {
  const ended = await receive(program(FIRST, `log("ready"); ${RUN}`), saying(GOODBYE));
  assert.equal(ended.stderr, "ready\n");
});

test("a fault is told in words", async () => {
  const fault = { fault: 1, tableId: 1, turnId: 10, explanation: "no such action" };
  const { ended } = await play(FIRST, 1, { fault });
  assert.equal(ended.stderr, "fault ILLEGAL_ACTION at table 1, turn 10: no such action\n");
});

test("a fault before the welcome is told too", async () => {
  const fault = { fault: 1, explanation: "no" };
  const ended = await receive(program(FIRST), saying({ fault }, GOODBYE));
  assert.equal(ended.stderr, "fault ILLEGAL_ACTION: no\n");
});

test("a refused bot says why", async () => {
  const ended = await receive(program(FIRST), refusing());
  const stderr = "the referee does not receive this bot: UNAUTHENTICATED: wrong token\n";
  assert.deepEqual(ended, { code: 1, stdout: "", stderr });
});

test("a referee that goes away is no failure of the bot", async () => {
  const ended = await receive(program(FIRST), refusing(EUCHRE));
  const stderr = "the referee is gone: UNAUTHENTICATED: wrong token\n";
  assert.deepEqual(ended, { code: 0, stdout: "", stderr });
});

test("a referee that is not there is told", async () => {
  const { code, stderr } = await start(program(FIRST), { UPCARD_ADDRESS: "unix:/nowhere" });
  assert.equal(code, 1);
  assert.match(stderr, /^the referee does not receive this bot: UNAVAILABLE: /);
});

test("without a referee a bot says how to try it", async () => {
  const { code, stderr } = await start(program(FIRST));
  assert.equal(code, 2);
  assert.match(stderr, /`upcard try DIR`/);
});

for (const [call, complaint] of [
  ["run(new MyBot({}))", /run takes a function that makes a bot/],
  ["run(MyBot)", /run takes a function that makes a bot: run\(\(table\) => new MyBot\(table\)\)/],
  ["run(() => null, { tables: 0 })", /a bot sits at 1 to 256 tables, not 0/],
  ["run(() => null, { tables: 257 })", /a bot sits at 1 to 256 tables, not 257/],
]) {
  test(`a wrong call of run is told: ${call}`, async () => {
    const { stderr } = await start(program(FIRST, String(call)));
    assert.match(stderr, /** @type {RegExp} */ (complaint));
  });
}
