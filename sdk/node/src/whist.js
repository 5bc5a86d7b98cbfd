/**
 * Whist: its cards, what a seat sees of it, and what it may do.
 *
 * @import { Action, Rules, WhistView as PublicView } from "./index.js"
 * @import { Turn, WhistRulesMessage } from "./protocol.js"
 * @import { Reader } from "./wire.js"
 */
import { CARD_OF, CARDS, offered, PLAY_OF, printedSuit, rankOf, RANKS } from "./cards.js";
import { Game } from "./game.js";
import { View } from "./view.js";
import { WhistMessage } from "./whist_message.js";
import { NO_NUMBERS } from "./wire.js";

/** The number of the field that is read for every turn. */
const LEGAL_CARDS = 10;

export const whist = new Game("whist", CARDS, (card) => RANKS.indexOf(rankOf(card)));

/**
 * @extends {View<WhistMessage>}
 * @implements {PublicView}
 */
export class WhistView extends View {
  /**
   * @param {Turn} turn
   * @param {readonly Action[]} legal
   * @param {Rules} rules
   * @param {WhistMessage | null} [message]
   */
  constructor(turn, legal, rules, message) {
    super(whist, turn, legal, rules, message);
  }

  get game() {
    return /** @type {const} */ ("whist");
  }

  get phase() {
    return /** @type {const} */ ("playing");
  }

  /** @returns {null} */
  get upcard() {
    return null;
  }

  get trumpCard() {
    return CARD_OF[this._message.trumpCard];
  }

  get trump() {
    return printedSuit(this.trumpCard);
  }

  _readMessage() {
    return new WhistMessage(/** @type {Reader} */ (this._turn.whist).again());
  }
}

/**
 * Read what may be done, and nothing else.
 *
 * @param {Reader} shown
 */
export function legalActions(shown) {
  const reader = shown.again();
  let numbers = NO_NUMBERS;
  while (reader.more) {
    const tag = reader.number();
    if (tag >>> 3 === LEGAL_CARDS) numbers = reader.list(tag, numbers);
    else reader.skip(tag);
  }
  return offered(numbers, PLAY_OF);
}

/**
 * @param {WhistRulesMessage} message
 * @returns {Rules}
 */
export function rulesOf({ target }) {
  return Object.freeze({
    target,
    alone: false,
    stickDealer: false,
    partnerMustGoAlone: false,
  });
}
