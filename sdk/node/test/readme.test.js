/** What the README shows works, and its table of names is complete. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { situation } from "upcard/testing";
import { RecycleView } from "../src/recycle.js";
import { receive } from "./fake_referee.js";
import { EUCHRE, frame, GOODBYE, RECYCLE, SNAP } from "./messages.js";

const README = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const PROGRAMS = [...README.matchAll(/```js\n(.*?)```/gs)].map(([, program]) => program);
const FROM_SDK = 'import { Bot, run } from "upcard";';

for (const [name, program] of /** @type {const} */ ([
  ["whole bot", PROGRAMS[0]],
  ["bot by kinds", `${FROM_SDK} ${PROGRAMS[1]} run((table) => new ByKind(table));`],
])) {
  test(`the ${name} plays`, async () => {
    const ended = await receive(program, async ({ hear, say }) => {
      await hear();
      say(EUCHRE, frame(3));
      assert.equal((await hear()).answers.turnIds.length, 3);
      say(GOODBYE);
      await hear();
    });
    assert.deepEqual(ended, { code: 0, stdout: "", stderr: "" });
  });
}

test("the bot for any game plays", async () => {
  const program = `${FROM_SDK} ${PROGRAMS[2]} run((table) => new Reader(table));`;
  const ended = await receive(program, async ({ hear, say }) => {
    await hear();
    say(RECYCLE, SNAP);
    assert.deepEqual((await hear()).answers.choices, [0]);
    say(GOODBYE);
    await hear();
  });
  assert.deepEqual(ended, { code: 0, stdout: "", stderr: "" });
});

test("the situation shown can be made", () => {
  const [, shown] = /situation\((\{.*\})\)/.exec(PROGRAMS[3]) ?? [];
  const given = new Function(`return ${shown}`)();
  assert.equal(String(situation(given)), "euchre, playing: hand JD 9H AS, trump H, trick 9S KS");
});

test("the table of names is that of a view", () => {
  const [section] = README.split("## The view")[1].split("\nThe last three");
  assert.deepEqual(listed(section), namesOf(situation({ hand: "9C", upcard: "9H" })).sort());
});

test("the table of names is that of a view of any game", () => {
  const [section] = README.split("## Any other game")[1].split("\n## ");
  const view = new RecycleView(/** @type {any} */ ({}), [], /** @type {any} */ ({}));
  assert.deepEqual(listed(section), namesOf(view).sort());
});

/** @param {string} section */
function listed(section) {
  const rows = [...section.matchAll(/^\| (`.*?`) \|/gm)];
  return rows
    .flatMap(([, names]) => [...names.matchAll(/`(\w+)/g)].map(([, name]) => name))
    .sort();
}

/** @param {object} view */
function namesOf(view) {
  const kind = Object.getPrototypeOf(view);
  const names = [view, kind, Object.getPrototypeOf(kind)].flatMap(Object.getOwnPropertyNames);
  const hidden = (/** @type {string} */ name) =>
    name.startsWith("_") || Object.hasOwn(Object.prototype, name);
  return [...new Set(names)].filter((name) => !hidden(name));
}
