/**
 * Whist: its cards, what a seat sees of it, and what it may do.
 *
 * @import { Action, Rules, WhistView as PublicView } from "./index.js"
 * @import { Turn, WhistMessage, WhistRulesMessage } from "./protocol.js"
 */
import { CARD_OF, CARDS, named, PLAY_OF, printedSuit, rankOf, RANKS } from "./cards.js";
import { Game } from "./game.js";
import { View } from "./view.js";

export const whist = new Game("whist", CARDS, (card) => RANKS.indexOf(rankOf(card)));

/**
 * @extends {View<WhistMessage>}
 * @implements {PublicView}
 */
export class WhistView extends View {
  /**
   * @param {Turn} turn
   * @param {WhistMessage} message
   * @param {readonly Action[]} legal
   * @param {Rules} rules
   */
  constructor(turn, message, legal, rules) {
    super(whist, turn, message, legal, rules);
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
}

/** @param {WhistMessage} message */
export function legalActions(message) {
  return named(message.legalCards, PLAY_OF);
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
