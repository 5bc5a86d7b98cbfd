/**
 * What a bot's author writes: a class that is asked for decisions.
 *
 * @import { Action, Bot as PublicBot, EuchreView, RecycleView, Table, View } from "./index.js"
 */
import { MissingMethod } from "./errors.js";

const METHODS = /** @type {const} */ ({
  bidding: "bid",
  discarding: "discard",
  playing: "play",
  acting: "act",
});

/** @implements {PublicBot} */
export class Bot {
  /** @param {Table} table */
  constructor({ seat, rules, random }) {
    this.seat = seat;
    this.rules = rules;
    this.random = random;
  }

  /**
   * @param {View} view
   * @param {readonly Action[]} legal
   * @returns {Action}
   */
  choose(view, legal) {
    const due = /** @type {keyof typeof METHODS} */ (view.phase);
    return /** @type {Action} */ (this[METHODS[due]](/** @type {any} */ (view), legal));
  }

  /**
   * @param {EuchreView} _view
   * @param {readonly Action[]} _legal
   * @returns {Action}
   */
  bid(_view, _legal) {
    throw missing(this, "bid");
  }

  /**
   * @param {EuchreView} _view
   * @param {readonly Action[]} _legal
   * @returns {Action}
   */
  discard(_view, _legal) {
    throw missing(this, "discard");
  }

  /**
   * @param {View} _view
   * @param {readonly Action[]} _legal
   * @returns {Action}
   */
  play(_view, _legal) {
    throw missing(this, "play");
  }

  /**
   * @param {RecycleView} _view
   * @param {readonly string[]} _legal
   * @returns {string}
   */
  act(_view, _legal) {
    throw missing(this, "act");
  }
}

/**
 * @param {Bot} bot
 * @param {string} method
 */
function missing(bot, method) {
  return new MissingMethod(
    `${bot.constructor.name} cannot decide: write ${method}(view, legal) for this, ` +
      "or choose(view, legal) for everything",
  );
}
