/**
 * A word from a bot to its author.
 *
 * @import { Turn } from "./protocol.js"
 */
import { inspect } from "node:util";

const SDK = new URL(".", import.meta.url).href;

/**
 * The turn that is being decided.
 *
 * @type {Turn | null}
 */
let deciding = null;

/** @param {Turn | null} turn */
export function nowDeciding(turn) {
  deciding = turn;
}

export function turnBeingDecided() {
  return deciding;
}

/** @param {unknown} message */
export function log(message) {
  const where = deciding ? `[table ${deciding.tableId}, turn ${deciding.turnId}] ` : "";
  process.stderr.write(`${where}${message}\n`);
}

/**
 * Log what a bot threw, with the stack of its own code.
 *
 * @param {unknown} error
 * @param {string} situation
 */
export function tellFailure(error, situation) {
  log(`the bot failed; ${situation}`);
  process.stderr.write(`${traced(error)}\n`);
}

/** @param {unknown} error */
function traced(error) {
  return inspect(error)
    .split("\n")
    .filter((line) => !isFrame(line) || !isNotTheBots(line))
    .join("\n");
}

/** @param {string} line */
function isFrame(line) {
  return /^\s+at /.test(line);
}

/** @param {string} line */
function isNotTheBots(line) {
  // The last is how the frames of a generator are called, such as the SDK's own.
  return [SDK, "node:internal/", ".next (<anonymous>)"].some((part) => line.includes(part));
}
