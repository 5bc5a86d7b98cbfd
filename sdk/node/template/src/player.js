// @ts-check
/** How this bot plays: simply, but sensibly. Begin to change it wherever you know better. */
import { Bot } from "upcard";

/** @import { Action, Card, EuchreView, Suit, View } from "upcard" */

export class Player extends Bot {
  /**
   * Euchre: pass, or make trump with three of the suit. The upcard's suit is on offer first, by
   * `order_up`; in the second round the others are, by `name:H` and so on.
   *
   * @param {EuchreView} view
   * @param {readonly Action[]} legal
   * @returns {Action}
   */
  bid(view, legal) {
    const good = legal.find((call) => {
      const suit = call === "order_up" ? view.upcard[1] : call.match(/^name:(.)/)?.[1];
      return suit && trumps(view, /** @type {Suit} */ (suit)) >= 3;
    });
    // `pass` comes first, but for a dealer who must name a suit.
    return good ?? legal[0];
  }

  /**
   * Euchre: the dealer took the upcard and lays one of her six cards away.
   *
   * @param {EuchreView} view
   * @returns {Action}
   */
  discard(view) {
    return `discard:${lowest(view, view.hand)}`;
  }

  /**
   * Both games: a card to the trick. `view.legalCards` are those that may be played.
   *
   * @param {View} view
   * @returns {Action}
   */
  play(view) {
    const winning = view.legalCards.filter((card) => view.takesTrick(card));
    // The leader is winning with any card. Could you choose a better one?
    if (view.suitLed === null) return `play:${highest(view, winning)}`;
    if (winning.length > 0 && !view.partnerIsWinning) return `play:${lowest(view, winning)}`;
    return `play:${lowest(view, view.legalCards)}`;
  }
}

/**
 * Count the cards that would be trumps, bowers included.
 *
 * @param {EuchreView} view
 * @param {Suit} suit
 */
export function trumps(view, suit) {
  return view.hand.filter((card) => view.effectiveSuit(card, suit) === suit).length;
}

/**
 * Return the card to miss least: any other suit before a trump, then the weakest.
 *
 * @param {View} view
 * @param {readonly Card[]} cards
 */
export function lowest(view, cards) {
  return cards.reduce((low, card) => (price(view, card) < price(view, low) ? card : low));
}

/**
 * Return the card most likely to win.
 *
 * @param {View} view
 * @param {readonly Card[]} cards
 */
export function highest(view, cards) {
  return cards.reduce((high, card) => (price(view, card) > price(view, high) ? card : high));
}

/**
 * @param {View} view
 * @param {Card} card
 */
function price(view, card) {
  return view.strength(card) + (view.effectiveSuit(card) === view.trump ? 20 : 0);
}
