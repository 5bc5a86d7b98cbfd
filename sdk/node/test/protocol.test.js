/** The protocol that the SDK speaks is that of the clone it lies in. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { described } from "../tools/protocol.js";

test("what is kept of the .proto files is what they say", () => {
  const kept = readFileSync(new URL("../src/protocol.json", import.meta.url), "utf8");
  assert.equal(kept, described(), "run `npm run protocol`");
});
