/**
 * Euchre: its cards, what a seat sees of it, and what it may do.
 *
 * @import { Action, Card, EuchreView as PublicView, Phase, Rules, Suit } from "./index.js"
 * @import { EuchreRulesMessage, Turn } from "./protocol.js"
 * @import { Reader } from "./wire.js"
 */
import {
  CALL_OF,
  CARD_OF,
  CARDS,
  DISCARD_OF,
  named,
  offered,
  PLAY_OF,
  printedSuit,
  rankOf,
  SEAT_OF,
  SUIT_OF,
} from "./cards.js";
import { notKnown } from "./errors.js";
import { EuchreMessage } from "./euchre_message.js";
import { Game } from "./game.js";
import { View } from "./view.js";
import { NO_NUMBERS } from "./wire.js";

const RANKS = "9TJQKA";
const LEFT_BOWER = 6;
const RIGHT_BOWER = 7;
const FIRST_ROUND = 4;

/** @type {Record<Suit, Card>} */
const LEFT_BOWERS = { C: "JS", S: "JC", D: "JH", H: "JD" };

// The numbers of the fields that are read for every turn.
const PHASE = 1;
const LEGAL_CALLS = 17;
const LEGAL_CARDS = 18;

// By the number of the phase.

/** @type {Record<number, Phase>} */
const PHASES = { 1: "bidding", 2: "discarding", 3: "playing" };

/** @type {Record<number, readonly Action[]>} */
const ACTIONS = { 1: CALL_OF, 2: DISCARD_OF, 3: PLAY_OF };

export const euchre = new Game(
  "euchre",
  CARDS.filter((card) => RANKS.includes(rankOf(card))),
  strength,
  effectiveSuit,
);

/**
 * @param {Card} card
 * @param {Suit | null} trump
 */
function effectiveSuit(card, trump) {
  return trump && card === LEFT_BOWERS[trump] ? trump : printedSuit(card);
}

/**
 * @param {Card} card
 * @param {Suit | null} trump
 */
function strength(card, trump) {
  if (trump && card === LEFT_BOWERS[trump]) return LEFT_BOWER;
  if (trump && card === `J${trump}`) return RIGHT_BOWER;
  return RANKS.indexOf(rankOf(card));
}

/**
 * @extends {View<EuchreMessage>}
 * @implements {PublicView}
 */
export class EuchreView extends View {
  /**
   * @param {Turn} turn
   * @param {readonly Action[]} legal
   * @param {Rules} rules
   * @param {EuchreMessage | null} [message]
   */
  constructor(turn, legal, rules, message) {
    super(euchre, turn, legal, rules, message);
  }

  get game() {
    return /** @type {const} */ ("euchre");
  }

  get phase() {
    return PHASES[this._message.phase];
  }

  get upcard() {
    return CARD_OF[this._message.upcard];
  }

  /** @returns {null} */
  get trumpCard() {
    return null;
  }

  get trump() {
    return SUIT_OF[this._message.trump];
  }

  get calls() {
    return (this._calls ??= named(this._message.calls, CALL_OF));
  }

  get dealerStuck() {
    return this._message.dealerStuck;
  }

  get maker() {
    return SEAT_OF[this._message.maker];
  }

  get pickedUp() {
    return this.maker !== null && this._message.calls.length <= FIRST_ROUND;
  }

  get discard() {
    return CARD_OF[this._message.discard] || null;
  }

  get sitsOut() {
    return SEAT_OF[this._message.sitsOut];
  }

  _readMessage() {
    return new EuchreMessage(/** @type {Reader} */ (this._turn.euchre).again());
  }

  _outOfPlay() {
    return [this.discard, this.pickedUp ? null : this.upcard];
  }
}

/**
 * Read what may be done, and nothing else.
 *
 * @param {Reader} shown
 */
export function legalActions(shown) {
  const reader = shown.again();
  let phase = 0;
  let numbers = NO_NUMBERS;
  while (reader.more) {
    const tag = reader.number();
    const field = tag >>> 3;
    if (field === PHASE) phase = reader.number();
    else if (field === LEGAL_CALLS || field === LEGAL_CARDS) numbers = reader.list(tag, numbers);
    else reader.skip(tag);
  }
  if (!ACTIONS[phase]) throw notKnown("asks in a phase");
  return offered(numbers, ACTIONS[phase]);
}

/**
 * @param {EuchreRulesMessage} message
 * @returns {Rules}
 */
export function rulesOf({ target, alone, stickDealer, partnerMustGoAlone }) {
  return Object.freeze({ target, alone, stickDealer, partnerMustGoAlone });
}
