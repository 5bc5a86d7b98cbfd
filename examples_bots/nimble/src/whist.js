// @ts-check
/** Nimble's whist: cash what is high, lead from length, second hand low, third hand high. */
import { SUITS } from "upcard";
import { cheapest, fromShortest, holds, isHigh, least, takers } from "./judgement.js";

/** @import { Card, View } from "upcard" */

/**
 * Draw trumps if long in them, cash what cannot lose, return partner's suit, or lead from length.
 *
 * @param {View} view
 * @returns {Card}
 */
export function lead(view) {
  const trumps = view.holding(view.trump);
  const side = view.legalCards.filter((card) => !trumps.includes(card));
  if (side.length === 0 || shouldDraw(view, trumps)) {
    return isHigh(view, trumps[0]) ? trumps[0] : /** @type {Card} */ (trumps.at(-1));
  }
  const safe = side.filter((card) => isHigh(view, card) && !mayBeRuffed(view, card));
  if (safe.length > 0) return fromShortest(view, safe);
  return partnersSuit(view)[0] ?? longest(view).at(-1);
}

/**
 * Take the others' trumps away when they do not have twice as many.
 *
 * @param {View} view
 * @param {readonly Card[]} trumps
 */
function shouldDraw(view, trumps) {
  const out = view.stillOut(view.trump).length;
  return trumps.length >= 3 && out > 0 && out <= 2 * trumps.length;
}

/**
 * @param {View} view
 * @param {Card} card
 */
function mayBeRuffed(view, card) {
  if (view.stillOut(view.trump).length === 0) return false;
  const suit = view.effectiveSuit(card);
  return [1, 3].some((turn) => view.voidSuits((view.seat + turn) % 4).has(suit));
}

/**
 * Return our cards of the side suit partner led first: it is likely to be her longest.
 *
 * @param {View} view
 */
function partnersSuit(view) {
  const hers = view.tricks.find(({ leader }) => leader === view.partner);
  const suit = hers ? view.effectiveSuit(hers.cards[0]) : view.trump;
  return suit === view.trump ? [] : view.holding(suit);
}

/** @param {View} view */
function longest(view) {
  const side = SUITS.filter((suit) => suit !== view.trump).map((suit) => view.holding(suit));
  return least(side, (cards) => -cards.length);
}

/**
 * Leave the trick to partner if it is hers; else win it as our place in the trick asks.
 *
 * @param {View} view
 */
export function follow(view) {
  const winners = takers(view);
  if (winners.length === 0 || isPartners(view)) return cheapest(view, view.legalCards);
  const holding = winners.filter((card) => holds(view, card));
  if (holding.length > 0) return cheapest(view, holding);
  if (view.trick.length === 1) return cheapest(view, view.legalCards);
  return least(winners, (card) => -view.strength(card));
}

/** @param {View} view */
function isPartners(view) {
  const card = view.winningCard;
  return card !== null && view.partnerIsWinning && (view.lastToPlay || isHigh(view, card));
}
