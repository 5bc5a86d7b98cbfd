// @ts-check
/** Nimble's euchre: call on a good count, draw trump as makers, else cash what is high. */
import { SUITS } from "upcard";
import { cheapest, fromShortest, holds, isHigh, least, takers } from "./judgement.js";

/** @import { Action, Card, EuchreView, Suit, View } from "upcard" */

// About how many tenths of a trick a card is worth to the maker. Trumps stand in the order of
// `view.strength`: 9 T J Q K A, left bower, right bower; trump's own jack is a bower.
const TRUMPS = [4, 4, 0, 4, 5, 6, 7, 11];
const SIDE_ACE = 4;
const VOID = 2;

// The count it takes to order up. The dealer gets the upcard, so her side needs less.
const AS_DEALER = 19;
const AS_PARTNER = 15;
const AS_OPPONENT = 24;
// The count it takes to name a suit, when all have passed and so are weak.
const TO_NAME = 15;
// The count at which all five tricks are likely.
const ALONE = 26;

/**
 * Speak in either round: pass, or make trump if the hand is good enough.
 *
 * @param {EuchreView} view
 * @param {readonly Action[]} legal
 * @returns {Action}
 */
export function call(view, legal) {
  return view.calls.length < 4 ? firstRound(view, legal) : secondRound(view, legal);
}

/**
 * @param {EuchreView} view
 * @param {readonly Action[]} legal
 * @returns {Action}
 */
function firstRound(view, legal) {
  const trump = suitOf(view.upcard);
  const count =
    view.seat === view.dealer ? countWithUpcard(view) : countHand(view, view.hand, trump);
  if (count >= ALONE && legal.includes("order_up_alone")) return "order_up_alone";
  return count >= neededToOrderUp(view) && legal.includes("order_up") ? "order_up" : "pass";
}

/**
 * @param {EuchreView} view
 * @param {readonly Action[]} legal
 * @returns {Action}
 */
function secondRound(view, legal) {
  const open = SUITS.filter((suit) => suit !== suitOf(view.upcard));
  const suit = least(open, (one) => -countHand(view, view.hand, one));
  const count = countHand(view, view.hand, suit);
  if (count >= ALONE && legal.includes(`name_alone:${suit}`)) return `name_alone:${suit}`;
  // The dealer may have to name something.
  return count >= TO_NAME || !legal.includes("pass") ? `name:${suit}` : "pass";
}

/** @param {EuchreView} view */
function neededToOrderUp(view) {
  if (view.seat === view.dealer) return AS_DEALER;
  return view.partner === view.dealer ? AS_PARTNER : AS_OPPONENT;
}

/**
 * Count the best five of a dealer's cards and the upcard.
 *
 * @param {EuchreView} view
 */
function countWithUpcard(view) {
  const six = [...view.hand, view.upcard];
  const trump = suitOf(view.upcard);
  return Math.max(...six.map((away) => countHand(view, without(six, away), trump)));
}

/**
 * Count what cards are worth to the maker if a suit is trump.
 *
 * @param {View} view
 * @param {readonly Card[]} cards
 * @param {Suit | null} trump
 */
function countHand(view, cards, trump) {
  const isTrump = (/** @type {Card} */ card) => view.effectiveSuit(card, trump) === trump;
  const side = cards.filter((card) => !isTrump(card));
  const trumps = cards.filter(isTrump).map((card) => TRUMPS[view.strength(card, trump)]);
  const aces = side.filter((card) => card[0] === "A").length;
  const voids = trumps.length > 0 ? 3 - new Set(side.map(suitOf)).size : 0;
  return trumps.reduce((sum, worth) => sum + worth, 0) + SIDE_ACE * aces + VOID * voids;
}

/**
 * Keep the five cards that count most: that makes voids. Of equal cards the lowest goes.
 *
 * @param {EuchreView} view
 */
export function cardToDiscard(view) {
  return least(view.hand, (away) => {
    return view.strength(away) - 10 * countHand(view, without(view.hand, away), view.trump);
  });
}

/**
 * Draw trump as makers; else cash a high card, or lead high from a short suit.
 *
 * @param {View} view
 */
export function lead(view) {
  const trumps = view.holding(view.trump);
  const side = view.legalCards.filter((card) => !trumps.includes(card));
  if (side.length === 0 || (trumps.length > 0 && shouldDraw(view, trumps))) return trumps[0];
  const high = side.filter((card) => isHigh(view, card));
  return fromShortest(view, high.length > 0 ? high : side);
}

/**
 * Take the defenders' trumps away: the maker with two or the highest, partner to begin with.
 *
 * @param {View} view
 * @param {readonly Card[]} trumps
 */
function shouldDraw(view, trumps) {
  if (view.stillOut(view.trump).length === 0) return false;
  if (view.maker === view.seat) return trumps.length > 1 || isHigh(view, trumps[0]);
  return view.maker === view.partner && view.tricks.length === 0;
}

/**
 * Leave the trick to partner if it is hers; else win it cheaply, with what is likely to hold.
 *
 * @param {View} view
 */
export function follow(view) {
  const winners = takers(view);
  if (winners.length === 0 || isPartners(view)) return cheapest(view, view.legalCards);
  const holding = winners.filter((card) => holds(view, card));
  if (holding.length > 0) return cheapest(view, holding);
  // Second to play and unable to make sure of it: partner is still to come.
  return cheapest(view, view.trick.length === 1 ? view.legalCards : winners);
}

/**
 * Say whether partner's card is likely to win: it is last, high, or a king or better.
 *
 * @param {View} view
 */
function isPartners(view) {
  const card = view.winningCard;
  if (card === null || !view.partnerIsWinning) return false;
  return view.lastToPlay || isHigh(view, card) || view.strength(card) >= 4;
}

/** @param {Card} card */
function suitOf(card) {
  return /** @type {Suit} */ (card[1]);
}

/**
 * @param {readonly Card[]} cards
 * @param {Card} away
 */
function without(cards, away) {
  return cards.filter((card) => card !== away);
}
