/** A bot built today and one built in a year have the same packages. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const { dependencies } = told("package.json");
const { packages } = told("package-lock.json");

/** @param {string} name */
function told(name) {
  return JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), "utf8"));
}

test("every package that a bot gets with the SDK is named at its version", () => {
  /** @type {Record<string, string>} */
  const versions = {};
  for (const [path, { version, dev }] of Object.entries(packages)) {
    if (path && !dev) versions[path.replace("node_modules/", "")] = version;
  }
  assert.deepEqual(dependencies, versions);
});

test("the lock file names no place to get a package from", () => {
  const places = Object.values(packages).filter(({ resolved }) => resolved);
  assert.deepEqual(places, []);
});
