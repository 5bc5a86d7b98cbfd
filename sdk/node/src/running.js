/**
 * How a bot's process starts and ends.
 *
 * @import { Factory } from "./index.js"
 */
import { Bot } from "./bot.js";
import { UpcardError } from "./errors.js";

const MOST_TABLES = 256;
const USAGE =
  "UPCARD_ADDRESS is not set: a bot is started by the referee. " +
  "Try yours with `upcard try DIR`, where DIR is the directory with its bot.toml.\n";

/**
 * @param {Factory} factory
 * @param {{ tables?: number }} [options]
 * @returns {Promise<never>}
 */
export function run(factory, { tables = MOST_TABLES } = {}) {
  if (typeof factory !== "function" || factory.prototype instanceof Bot) {
    throw new UpcardError(
      "run takes a function that makes a bot: run((table) => new MyBot(table))",
    );
  }
  if (!Number.isInteger(tables) || tables < 1 || tables > MOST_TABLES) {
    throw new UpcardError(`a bot sits at 1 to ${MOST_TABLES} tables, not ${tables}`);
  }
  return play(factory, tables);
}

/**
 * @param {Factory} factory
 * @param {number} tables
 */
async function play(factory, tables) {
  const { UPCARD_ADDRESS: address, UPCARD_TOKEN: token = "" } = process.env;
  if (!address) {
    process.stderr.write(USAGE);
    return process.exit(2);
  }
  // Not before: only a bot at play needs gRPC, which takes long to load.
  const { converse } = await import("./session.js");
  // Whatever the bot still has to do must not keep the process alive.
  return process.exit(await converse(factory, address, token, tables));
}
