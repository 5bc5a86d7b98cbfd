/** What the README shows works, and its table of names is complete. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { situation } from "upcard/testing";
import { receive } from "./fake_referee.js";
import { EUCHRE, frame, GOODBYE } from "./messages.js";

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

test("the situation shown can be made", () => {
  const [, shown] = PROGRAMS[2].split("const view = situation(");
  const given = new Function(`return ${shown.replace(/\);\s*$/, "")}`)();
  assert.equal(String(situation(given)), "euchre, playing: hand JD 9H AS, trump H, trick 9S KS");
});

test("the table of names is that of a view", () => {
  const [, section] = README.split("## The view");
  const rows = [...section.split("\nThe last three")[0].matchAll(/^\| (`.*?`) \|/gm)];
  const listed = rows.flatMap(([, names]) =>
    [...names.matchAll(/`(\w+)/g)].map(([, name]) => name),
  );
  assert.deepEqual(listed.sort(), namesOf(situation({ hand: [] })).sort());
});

/** @param {object} view */
function namesOf(view) {
  const kind = Object.getPrototypeOf(view);
  const names = [view, kind, Object.getPrototypeOf(kind)].flatMap(Object.getOwnPropertyNames);
  const hidden = (/** @type {string} */ name) =>
    name.startsWith("_") || /^(constructor|toString)$/.test(name);
  return [...new Set(names)].filter((name) => !hidden(name));
}
