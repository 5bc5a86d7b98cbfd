/** The JavaScript SDK for authors of bots that play Euchre and Whist under the Upcard referee. */
export { Bot } from "./bot.js";
export { EAST, NORTH, SOUTH, SUITS, WEST } from "./cards.js";
export { IllegalChoice, MissingMethod, UpcardError } from "./errors.js";
export { euchre } from "./euchre.js";
export { Random } from "./random.js";
export { run } from "./running.js";
export { log } from "./telling.js";
export { whist } from "./whist.js";
