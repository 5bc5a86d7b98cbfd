/**
 * Cards, suits, seats and actions as text, and the numbers they have on the wire.
 *
 * @import { Action, Card, Seat, Suit } from "./index.js"
 */
import { notKnown } from "./errors.js";

/** @type {readonly Suit[]} */
export const SUITS = Object.freeze(["C", "D", "H", "S"]);

/** What a seat is called, by its number. */
export const SEATS = /** @type {const} */ (["N", "E", "S", "W"]);

export const NORTH = 0;
export const EAST = 1;
export const SOUTH = 2;
export const WEST = 3;

export const RANKS = "23456789TJQKA";

/** @type {readonly Card[]} */
export const CARDS = SUITS.flatMap((suit) =>
  [...RANKS].map((rank) => /** @type {Card} */ (rank + suit)),
);

// By number on the wire, where 0 is no card, suit, seat or action.

/** @type {readonly Card[]} */
export const CARD_OF = [/** @type {Card} */ (""), ...CARDS];

/** @type {readonly (Suit | null)[]} */
export const SUIT_OF = [null, ...SUITS];

/** @type {readonly (Seat | null)[]} */
export const SEAT_OF = [null, NORTH, EAST, SOUTH, WEST];

/** @type {readonly Action[]} */
export const PLAY_OF = CARD_OF.map((card) => /** @type {Action} */ (card && `play:${card}`));

/** @type {readonly Action[]} */
export const DISCARD_OF = CARD_OF.map((card) => /** @type {Action} */ (card && `discard:${card}`));

/** @type {readonly Action[]} */
export const CALL_OF = [
  /** @type {Action} */ (""),
  "pass",
  "order_up",
  "order_up_alone",
  ...SUITS.map((suit) => /** @type {Action} */ (`name:${suit}`)),
  ...SUITS.map((suit) => /** @type {Action} */ (`name_alone:${suit}`)),
];

/**
 * Return what numbers on the wire stand for.
 *
 * @template Value
 * @param {readonly number[]} numbers
 * @param {readonly Value[]} names
 * @returns {Value[]}
 */
export function named(numbers, names) {
  const values = new Array(numbers.length);
  for (let place = 0; place < numbers.length; place++) values[place] = names[numbers[place]];
  return values;
}

/**
 * Return the actions that numbers stand for. None is passed over: an answer counts all of them.
 *
 * @param {readonly number[]} numbers
 * @param {readonly Action[]} names
 */
export function offered(numbers, names) {
  const actions = named(numbers, names);
  if (actions.every(Boolean)) return actions;
  throw notKnown("offers an action");
}

/**
 * Return the seat that a number stands for, clockwise around the table.
 *
 * @param {number} number
 */
export function seatAt(number) {
  return /** @type {Seat} */ (number & 3);
}

/** @param {Card} card */
export function rankOf(card) {
  return card[0];
}

/** @param {Card} card */
export function printedSuit(card) {
  return /** @type {Suit} */ (card[1]);
}
