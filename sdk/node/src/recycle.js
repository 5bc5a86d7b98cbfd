/**
 * A game described in RECYCLE as a player sees it, and what it may do.
 *
 * @import {
 *   Action, RecycleFace, RecycleMove, RecyclePlace, RecyclePoints, RecycleRules, RecycleStep,
 *   RecycleView as PublicView
 * } from "./index.js"
 * @import { Turn } from "./protocol.js"
 * @import { PlaceMessage, RecycleRulesMessage, StepMessage } from "./recycle_message.js"
 * @import { Reader } from "./wire.js"
 */
import { RecycleMessage, textsOfMoves } from "./recycle_message.js";

/** @implements {PublicView} */
export class RecycleView {
  // What is worked out when it is first asked for.
  /** @type {RecycleMessage | null} */ _read = null;
  /** @type {RecyclePlace[] | null} */ _places = null;
  /** @type {RecyclePoints[] | null} */ _points = null;
  /** @type {RecycleMove[] | null} */ _moves = null;

  /**
   * @param {Turn} turn
   * @param {readonly Action[]} legal
   * @param {RecycleRules} rules
   */
  constructor(turn, legal, rules) {
    this._turn = turn;
    this.legal = /** @type {readonly string[]} */ (legal);
    this.rules = rules;
  }

  toString() {
    const { name, hands } = this.rules;
    const hand = hands > 1 ? `, hand ${this.handNumber + 1}` : "";
    return `${this.game}, ${this.phase}: ${name}${hand}, player ${this.player}`;
  }

  get game() {
    return /** @type {const} */ ("recycle");
  }

  get phase() {
    return /** @type {const} */ ("acting");
  }

  get table() {
    return this._turn.tableId;
  }

  get turn() {
    return this._turn.turnId;
  }

  get timeLeftMs() {
    return this._turn.timeLeftMs || null;
  }

  get handNumber() {
    return this._message.handNumber;
  }

  get seat() {
    return this.rules.seat - 1;
  }

  get player() {
    return this._message.player;
  }

  get scores() {
    return this._message.scores;
  }

  get places() {
    return (this._places ??= this._message.places.map((place) => this._placed(place)));
  }

  get numbers() {
    return this._message.numbers;
  }

  /**
   * @param {number} owner
   * @param {string} name
   */
  number(owner, name) {
    return stored(this.numbers, owner, name)?.value ?? 0;
  }

  get texts() {
    return this._message.texts;
  }

  /**
   * @param {number} owner
   * @param {string} name
   */
  text(owner, name) {
    return stored(this.texts, owner, name)?.value ?? "";
  }

  get points() {
    return this._message.points;
  }

  get flow() {
    return this._message.flow;
  }

  get moves() {
    return (this._moves ??= this._message.legal.map(({ text, steps }) => ({
      text,
      steps: steps.map((step) => this._stepped(step)),
    })));
  }

  get _message() {
    return (this._read ??= new RecycleMessage(/** @type {Reader} */ (this._turn.recycle).again()));
  }

  /**
   * @param {PlaceMessage} place
   * @returns {RecyclePlace}
   */
  _placed({ hidden, faces, backs, size, ...place }) {
    const { faces: all } = this.rules;
    const shown = hidden ? null : faces.map((face) => all[face - 1]);
    return { ...place, size, faces: shown, backs: backs.map(([name, cards]) => ({ name, cards })) };
  }

  /**
   * @param {StepMessage} step
   * @returns {RecycleStep}
   */
  _stepped({ verb, face, source, target, owner, name, value, otherFace }) {
    return {
      verb,
      face: this._face(face),
      source: source && where(source),
      target: target && where(target),
      owner,
      name: name || null,
      value,
      otherFace: this._face(otherFace),
    };
  }

  /** @param {number} number */
  _face(number) {
    return number ? this.rules.faces[number - 1] : null;
  }
}

/**
 * @template {{ owner: number, name: string }} Stored
 * @param {readonly Stored[]} all
 * @param {number} owner
 * @param {string} name
 */
function stored(all, owner, name) {
  return all.find((each) => each.owner === owner && each.name === name);
}

/** @param {PlaceMessage} place */
function where({ owner, kind, name, index }) {
  return { owner, kind, name, index };
}

/**
 * Read the texts of what may be done, and nothing else.
 *
 * @param {Reader} shown
 */
export function legalActions(shown) {
  return /** @type {Action[]} */ (textsOfMoves(shown.again()));
}

/**
 * @param {RecycleRulesMessage} message
 * @returns {RecycleRules}
 */
export function rulesOf({ faces, sides, ...rules }) {
  /** @type {RecycleFace[]} */
  const all = faces.map(({ attributes, ...face }) =>
    Object.freeze({ ...face, attributes: Object.freeze(Object.fromEntries(attributes)) }),
  );
  return Object.freeze({ ...rules, sides: Object.freeze([...sides]), faces: Object.freeze(all) });
}
