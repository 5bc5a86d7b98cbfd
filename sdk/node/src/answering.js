/**
 * A bot's side of the conversation without the network: frames in, answers out.
 *
 * @import { Action, Factory, Rules, View } from "./index.js"
 * @import { Answers, Frame, TableOpened, Turn, Welcome } from "./protocol.js"
 * @import { Reader } from "./wire.js"
 */
import { seatAt } from "./cards.js";
import { IllegalChoice, UpcardError } from "./errors.js";
import * as euchre from "./euchre.js";
import { Random } from "./random.js";
import { nowDeciding, turnBeingDecided } from "./telling.js";
import * as whist from "./whist.js";

/** What is answered is sent at the latest so long after what was sent before. */
const PIECE_MS = 100;

/**
 * How to read the turns of a game: where a turn has its view and a welcome its rules, and what
 * makes them something for a bot.
 *
 * @typedef {object} Reading
 * @property {"euchre" | "whist"} field
 * @property {new (turn: Turn, legal: readonly Action[], rules: Rules) => View} View
 * @property {(shown: Reader) => Action[]} legalActions
 * @property {(message: any) => Rules} rulesOf
 */

/** @type {readonly Reading[]} */
const GAMES = [
  { field: "euchre", View: euchre.EuchreView, ...euchre },
  { field: "whist", View: whist.WhistView, ...whist },
];

/** The tables a bot sits at, with a bot of its own for each. */
export class Tables {
  #factory;
  #clock;
  #game;
  #rules;
  #seat;
  /** @type {Map<number, ReturnType<Factory>>} */
  #bots = new Map();

  /**
   * @param {Factory} factory
   * @param {Welcome} welcome
   * @param {() => number} clock milliseconds
   */
  constructor(factory, welcome, clock = () => performance.now()) {
    this.#factory = factory;
    this.#clock = clock;
    this.#game = gameOf(welcome);
    this.#rules = this.#game.rulesOf(welcome[this.#game.field]);
    this.#seat = seatAt(welcome.seat - 1);
  }

  /**
   * Answer every turn of a frame, in one piece or, if that takes long, in several.
   *
   * @param {Frame} frame
   */
  *answers({ opened, turns, closed }) {
    for (const table of opened) this.#open(table);
    yield* this.#decide(turns);
    for (const { tableId } of closed) this.#bots.delete(tableId);
  }

  /** Tell what is being decided, in a line. */
  situation() {
    const turn = turnBeingDecided();
    if (turn === null) return "no decision was due";
    const view = this.viewOf(turn);
    return `${view}, legal ${view.legal.join(" ")}`;
  }

  /** @param {Turn} turn */
  viewOf(turn) {
    const { View, field, legalActions } = this.#game;
    const shown = turn[field];
    if (shown === null) throw new UpcardError(`turn ${turn.turnId} is of another game`);
    return new View(turn, legalActions(shown), this.#rules);
  }

  /** @param {TableOpened} table */
  #open({ tableId, seed }) {
    const random = new Random(seed.low, seed.high);
    const bot = this.#factory({ seat: this.#seat, rules: this.#rules, random });
    this.#bots.set(tableId, bot);
  }

  /**
   * @param {Turn[]} turns
   * @returns {Generator<Answers, void>}
   */
  *#decide(turns) {
    let answers = noAnswers();
    let due = this.#clock() + PIECE_MS;
    for (const turn of turns) {
      answers.choices.push(this.#choice(turn));
      answers.turnIds.push(turn.turnId);
      if (this.#clock() >= due) {
        yield answers;
        answers = noAnswers();
        due = this.#clock() + PIECE_MS;
      }
    }
    nowDeciding(null);
    if (answers.turnIds.length > 0) yield answers;
  }

  /** @param {number} table */
  #botAt(table) {
    const bot = this.#bots.get(table);
    if (bot) return bot;
    throw new UpcardError(`table ${table} was not opened`);
  }

  /** @param {Turn} turn */
  #choice(turn) {
    // Until it is read: what cannot be read cannot be told either.
    nowDeciding(null);
    const view = this.viewOf(turn);
    nowDeciding(turn);
    const { legal } = view;
    const action = this.#botAt(turn.tableId).choose(view, legal);
    const choice = legal.indexOf(action);
    if (choice < 0) throw illegal(action, legal);
    return choice;
  }
}

/** @returns {Answers} */
function noAnswers() {
  return { turnIds: [], choices: [] };
}

/** @param {Welcome} welcome */
function gameOf(welcome) {
  const game = GAMES.find(({ field }) => welcome[field]);
  if (game) return game;
  throw new UpcardError("the referee plays a game that this version of the SDK does not know");
}

/**
 * @param {unknown} action
 * @param {readonly Action[]} legal
 */
function illegal(action, legal) {
  return new IllegalChoice(`the bot returned ${described(action)}; legal here: ${legal.join(" ")}`);
}

/** @param {unknown} action */
function described(action) {
  if (action instanceof Promise) return "a promise, but decides at once, without async and await";
  return String(action).slice(0, 80);
}
