// @ts-check
/** What a player of any trick game judges: which cards are high, and what a card costs. */

/** @import { Card, View } from "upcard" */

/**
 * Say whether nobody else can hold a higher card of its suit any more.
 *
 * @param {View} view
 * @param {Card} card
 */
export function isHigh(view, card) {
  const [best] = view.stillOut(view.effectiveSuit(card));
  return !best || view.strength(card) > view.strength(best);
}

/**
 * Return the card to miss least: rather no trump, no high card, a low one, from a short suit.
 *
 * @param {View} view
 * @param {readonly Card[]} cards
 */
export function cheapest(view, cards) {
  return least(cards, (card) => {
    const suit = view.effectiveSuit(card);
    const precious = (suit === view.trump ? 4 : 0) + (isHigh(view, card) ? 2 : 0);
    return precious * 100 + view.strength(card) * 10 + view.holding(suit).length / 2;
  });
}

/**
 * Return our cards that would win the trick as it stands.
 *
 * @param {View} view
 */
export function takers(view) {
  return view.legalCards.filter((card) => view.takesTrick(card));
}

/**
 * Say whether a card that takes the trick is likely to keep it: it is the last one, or the highest
 * left, or a ruff, which few can overruff.
 *
 * @param {View} view
 * @param {Card} card
 */
export function holds(view, card) {
  return view.lastToPlay || view.effectiveSuit(card) !== view.suitLed || isHigh(view, card);
}

/**
 * Return a card of our shortest suit: others follow there longest. The highest, if it has two.
 *
 * @param {View} view
 * @param {readonly Card[]} cards
 */
export function fromShortest(view, cards) {
  return least(cards, (card) => {
    return 10 * view.holding(view.effectiveSuit(card)).length - view.strength(card);
  });
}

/**
 * Return the value that costs least; of equal ones the first.
 *
 * @template Value
 * @param {readonly Value[]} values
 * @param {(value: Value) => number} cost
 */
export function least(values, cost) {
  return values.reduce((best, value) => (cost(value) < cost(best) ? value : best));
}
