/**
 * Situations for the tests of a bot: the view of a moment that its author thinks of.
 *
 * @import { Action, Card, Factory, Seat, View } from "./index.js"
 * @import { Situation } from "./testing.js"
 */
import { illegal } from "./answering.js";
import { CALL_OF, CARD_OF, SEAT_OF, SUIT_OF, WEST } from "./cards.js";
import { ImpossibleSituation } from "./errors.js";
import { euchre, EuchreView } from "./euchre.js";
import { Random } from "./random.js";
import { inOrder, isStuck, momentOf, turned } from "./situations.js";
import { whist, WhistView } from "./whist.js";

export { ImpossibleSituation } from "./errors.js";

const TURN = { tableId: 1, turnId: 1, timeLeftMs: 0, euchre: null, whist: null, recycle: null };
const PHASES = ["", "bidding", "discarding", "playing"];
const GAMES = { euchre, whist };
const SEED = 1;
const NO_RULES = { alone: false, stickDealer: false, partnerMustGoAlone: false };

/** What is usual, by game. */
const RULES = {
  euchre: { target: 10, alone: true, stickDealer: true, partnerMustGoAlone: false },
  whist: { ...NO_RULES, target: 10 },
};

/** What is not told. */
const NOTHING = {
  seat: null,
  dealer: /** @type {Seat} */ (WEST),
  upcard: null,
  trumpCard: null,
  trump: null,
  maker: null,
  calls: /** @type {readonly Action[]} */ ([]),
  played: /** @type {readonly Card[]} */ ([]),
  discard: null,
  score: { us: 0, them: 0 },
  handNumber: 0,
  dealerStuck: false,
};

/**
 * @param {Situation} situation
 * @returns {View}
 */
export function situation({ game = "euchre", hand, rules, ...given }) {
  if (!(game in GAMES)) {
    throw new ImpossibleSituation(`${game} is no game of a situation; choose euchre or whist`);
  }
  for (const name of Object.keys(given)) {
    if (!(name in NOTHING)) throw new ImpossibleSituation(`a situation has no ${name}`);
  }
  const told = Object.entries(given).filter(([, value]) => value !== undefined);
  const { calls, played, ...more } = { ...NOTHING, ...Object.fromEntries(told) };
  const moment = momentOf({
    ...more,
    game: GAMES[game],
    hand: words(hand),
    calls: words(calls),
    played: words(played),
    rules: Object.freeze({ ...RULES[game], ...rules }),
  });
  const View = game === "whist" ? WhistView : EuchreView;
  return new View(TURN, moment.legal, moment.told.rules, messageOf(moment));
}

/**
 * @param {Factory} factory
 * @param {View} view
 */
export function ask(factory, view) {
  const bot = factory({ seat: view.seat, rules: view.rules, random: new Random(SEED) });
  const choice = bot.choose(view, view.legal);
  if (!view.legal.includes(choice)) throw illegal(choice, view.legal);
  return choice;
}

/**
 * @template {string} Word
 * @param {string | readonly Word[]} told
 */
function words(told) {
  if (typeof told !== "string") return told;
  return /** @type {Word[]} */ (told.split(/\s+/).filter(Boolean));
}

/**
 * Write a moment as the referee would.
 *
 * @param {ReturnType<typeof momentOf>} moment
 */
function messageOf({ told, made, table, legal }) {
  const { us, them } = told.score;
  const [pointsNorthSouth, pointsEastWest] = table.actor % 2 === 0 ? [us, them] : [them, us];
  return {
    seat: table.actor + 1,
    dealer: told.dealer + 1,
    pointsNorthSouth,
    pointsEastWest,
    handNumber: told.handNumber,
    hand: numbers(inOrder(told.hand), CARD_OF),
    played: numbers(told.played, CARD_OF),
    leaders: numbers(table.leaders, SEAT_OF),
    legalCards: table.phase === "bidding" ? [] : numbers(cardsOf(legal), CARD_OF),
    phase: PHASES.indexOf(table.phase),
    dealerStuck: isStuck(told),
    upcard: number(turned(told), CARD_OF),
    trumpCard: number(turned(told), CARD_OF),
    calls: numbers(told.calls, CALL_OF),
    trump: number(made.trump, SUIT_OF),
    maker: number(made.maker, SEAT_OF),
    sitsOut: number(made.sitsOut, SEAT_OF),
    discard: number(told.discard, CARD_OF),
    legalCalls: [],
  };
}

/** @param {readonly Action[]} legal */
function cardsOf(legal) {
  return legal.map((action) => /** @type {Card} */ (action.split(":")[1]));
}

/**
 * Return the number on the wire, 0 for nothing.
 *
 * @template Value
 * @param {Value | null} value
 * @param {readonly (Value | null)[]} names
 */
function number(value, names) {
  return value === null ? 0 : names.indexOf(value);
}

/**
 * @template Value
 * @param {readonly Value[]} values
 * @param {readonly (Value | null)[]} names
 */
function numbers(values, names) {
  return values.map((value) => number(value, names));
}
