/**
 * Situations for the tests of a bot: what it would see, made from a few cards.
 *
 * @import { Action, Card, View } from "./index.js"
 * @import { Situation } from "./testing.js"
 */
import { CALL_OF, CARD_OF, printedSuit, SEAT_OF, SOUTH, SUIT_OF, SUITS, WEST } from "./cards.js";
import { euchre, EuchreView } from "./euchre.js";
import { whist, WhistView } from "./whist.js";

const TURN = { tableId: 1, turnId: 1, timeLeftMs: 0, euchre: null, whist: null, recycle: null };
const RULES = { target: 10, alone: true, stickDealer: true, partnerMustGoAlone: false };
const PHASES = ["", "bidding", "discarding", "playing"];
const FIRST_ROUND = 4;

/**
 * @param {Situation} situation
 * @returns {View}
 */
export function situation({ game = "euchre", ...given }) {
  const told = game === "whist" ? whistDefaults(given) : euchreDefaults(given);
  const rules = { ...RULES, ...given.rules };
  const message = messageOf(told);
  return game === "whist"
    ? new WhistView(TURN, told.legal, rules, message)
    : new EuchreView(TURN, told.legal, rules, message);
}

/** @param {Situation} given */
function whistDefaults({ trumpCard = "2C", hand, trick = [], ...given }) {
  const cards = whist.legalPlays(inOrder(hand), trick[0] ?? null, printedSuit(trumpCard));
  return { legal: actions("play", cards), ...given, trumpCard, hand, trick, phase: "playing" };
}

/** @param {Situation} given */
function euchreDefaults({ hand, upcard = "9C", trump = null, trick = [], calls = [], ...given }) {
  const told = { ...given, hand, upcard, trump, trick, calls };
  if (trump === null) return { legal: callsOpen(calls, upcard), ...told, phase: "bidding" };
  if (hand.length === 6) {
    return { legal: actions("discard", inOrder(hand)), ...told, phase: "discarding" };
  }
  const cards = euchre.legalPlays(inOrder(hand), trick[0] ?? null, trump);
  return { legal: actions("play", cards), ...told, phase: "playing" };
}

/**
 * Write a situation as the referee would.
 *
 * @param {Situation & { legal: readonly Action[], phase: string }} told
 */
function messageOf({ seat = SOUTH, dealer = WEST, trick = [], tricks = [], ...told }) {
  const { us, them } = told.score ?? { us: 0, them: 0 };
  const [pointsNorthSouth, pointsEastWest] = seat % 2 === 0 ? [us, them] : [them, us];
  const leaders = tricks.map(({ leader }) => leader);
  const cards = [...tricks.flatMap((finished) => finished.cards), ...trick];
  return {
    seat: seat + 1,
    dealer: dealer + 1,
    pointsNorthSouth,
    pointsEastWest,
    handNumber: told.handNumber ?? 0,
    hand: numbers(inOrder(told.hand), CARD_OF),
    played: numbers(cards, CARD_OF),
    leaders: numbers([...leaders, ...(told.leader == null ? [] : [told.leader])], SEAT_OF),
    legalCards: numbers(legalCards(told.legal), CARD_OF),
    phase: PHASES.indexOf(told.phase),
    dealerStuck: told.dealerStuck ?? true,
    upcard: number(told.upcard, CARD_OF),
    trumpCard: number(told.trumpCard, CARD_OF),
    calls: numbers(told.calls ?? [], CALL_OF),
    trump: number(told.trump, SUIT_OF),
    maker: number(told.maker, SEAT_OF),
    sitsOut: number(told.sitsOut, SEAT_OF),
    discard: number(told.discard, CARD_OF),
    legalCalls: [],
  };
}

/**
 * @param {readonly Action[]} calls
 * @param {Card} upcard
 * @returns {Action[]}
 */
function callsOpen(calls, upcard) {
  if (calls.length < FIRST_ROUND) return ["pass", "order_up", "order_up_alone"];
  const suits = SUITS.filter((suit) => suit !== printedSuit(upcard));
  return ["pass", ...actions("name", suits), ...actions("name_alone", suits)];
}

/**
 * @param {string} verb
 * @param {readonly string[]} what
 */
function actions(verb, what) {
  return what.map((word) => /** @type {Action} */ (`${verb}:${word}`));
}

/** @param {readonly Action[]} legal */
function legalCards(legal) {
  const words = legal.map((action) => /** @type {Card} */ (action.split(":")[1]));
  return words.filter((word) => CARD_OF.includes(word));
}

/** @param {readonly Card[]} hand */
function inOrder(hand) {
  return CARD_OF.filter((card) => hand.includes(card));
}

/**
 * Give the number on the wire, 0 for nothing.
 *
 * @template Value
 * @param {Value | null | undefined} value
 * @param {readonly (Value | null)[]} names
 */
function number(value, names) {
  return value == null ? 0 : names.indexOf(value);
}

/**
 * @template Value
 * @param {readonly Value[]} values
 * @param {readonly (Value | null)[]} names
 */
function numbers(values, names) {
  return values.map((value) => number(value, names));
}
