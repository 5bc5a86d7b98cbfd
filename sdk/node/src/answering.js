/**
 * A bot's side of the conversation without the network: frames in, answers out.
 *
 * @import { Action, Factory, Player, RecycleView, Seat, View } from "./index.js"
 * @import { Answers, Frame, TableOpened, Turn, Welcome } from "./protocol.js"
 * @import { Reader } from "./wire.js"
 */
import { seatAt } from "./cards.js";
import { IllegalChoice, notKnown, UpcardError } from "./errors.js";
import * as euchre from "./euchre.js";
import { Random } from "./random.js";
import * as recycle from "./recycle.js";
import { nowDeciding, turnBeingDecided } from "./telling.js";
import * as whist from "./whist.js";

/** Legal actions that an error lists. */
const MOST_LISTED = 100;

/** What is answered is sent at the latest so long after what was sent before. */
const PIECE_MS = 100;

/**
 * How to read the turns of a game: where a turn has its view and a welcome its rules, and what
 * makes them something for a bot.
 *
 * @typedef {object} Reading
 * @property {"euchre" | "whist" | "recycle"} field
 * @property {new (turn: Turn, legal: readonly Action[], rules: any) => View | RecycleView} View
 * @property {(shown: Reader) => Action[]} legalActions
 * @property {(message: any) => any} rulesOf
 */

/** @type {readonly Reading[]} */
const GAMES = [
  { field: "euchre", View: euchre.EuchreView, ...euchre },
  { field: "whist", View: whist.WhistView, ...whist },
  { field: "recycle", View: recycle.RecycleView, ...recycle },
];

/**
 * A table at which a match is played.
 *
 * @typedef {object} Place
 * @property {TableOpened["seed"]} seed
 * @property {Player | null} bot its own, from its first turn on
 */

/** The tables a bot sits at. */
export class Tables {
  #factory;
  #clock;
  #game;
  #rules;
  #seat;
  /** @type {Map<number, Place>} */
  #places = new Map();

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
    this.#seat = seatOf(welcome);
  }

  /**
   * Answer every turn of a frame, in one piece or, if that takes long, in several.
   *
   * @param {Frame} frame
   */
  *answers({ opened, turns, closed }) {
    for (const { tableId, seed } of opened) this.#places.set(tableId, { seed, bot: null });
    yield* this.#decide(turns);
    for (const { tableId } of closed) this.#places.delete(tableId);
  }

  /** Return what is being decided, in a line. */
  situation() {
    const turn = turnBeingDecided();
    if (turn === null) return "no decision was due";
    const view = this.viewOf(turn);
    return `${view}, legal ${listed(view.legal)}`;
  }

  /** @param {Turn} turn */
  viewOf(turn) {
    const { View, field, legalActions } = this.#game;
    const shown = turn[field];
    if (shown === null) throw notKnown("shows a view");
    return new View(turn, legalActions(shown), this.#rules);
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
    const place = this.#places.get(table);
    if (!place) throw new UpcardError(`table ${table} was not opened`);
    // Not before it is asked: more tables may open at once than one turn leaves time for.
    return (place.bot ??= this.#botFor(place.seed));
  }

  /** @param {TableOpened["seed"]} seed */
  #botFor({ low, high }) {
    return this.#factory({
      seat: this.#seat,
      rules: this.#rules,
      random: new Random(low, high),
    });
  }

  /** @param {Turn} turn */
  #choice(turn) {
    nowDeciding(turn);
    const view = this.viewOf(turn);
    // The bot may sort its list; what is counted is the referee's.
    const legal = [...actions(view)];
    // Which view it is, the bot knows from the game.
    const action = this.#botAt(turn.tableId).choose(/** @type {any} */ (view), actions(view));
    const choice = legal.indexOf(action);
    if (choice < 0) throw illegal(action, legal);
    return choice;
  }
}

/** @param {View | RecycleView} view */
function actions({ legal }) {
  return /** @type {readonly Action[]} */ (legal);
}

/** @returns {Answers} */
function noAnswers() {
  return { turnIds: [], choices: [] };
}

/** @param {Welcome} welcome */
function seatOf({ seat, recycle: described }) {
  return described ? /** @type {Seat} */ (described.seat - 1) : seatAt(seat - 1);
}

/** @param {Welcome} welcome */
function gameOf(welcome) {
  const game = GAMES.find(({ field }) => welcome[field]);
  if (game) return game;
  throw notKnown("plays a game");
}

/**
 * @param {unknown} action
 * @param {readonly Action[]} legal
 */
export function illegal(action, legal) {
  return new IllegalChoice(`the bot returned ${described(action)}; legal here: ${listed(legal)}`);
}

/**
 * List actions; moves in words have spaces inside, and there may be thousands.
 *
 * @param {readonly string[]} legal
 */
function listed(legal) {
  const more = legal.length > MOST_LISTED ? ` and ${legal.length - MOST_LISTED} more` : "";
  const between = legal.some((action) => action.includes(" ")) ? "; " : " ";
  return legal.slice(0, MOST_LISTED).join(between) + more;
}

/** @param {unknown} action */
function described(action) {
  if (action instanceof Promise) return "a promise, but decides at once, without async and await";
  return String(action).slice(0, 80);
}
