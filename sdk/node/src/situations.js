/**
 * What follows by the rules from what is told of a situation; what cannot have been is refused.
 *
 * @import { Action, Card, Rules, Seat, Suit } from "./index.js"
 * @import { Game } from "./game.js"
 */
import { CARDS, printedSuit, seatAt, SUITS } from "./cards.js";
import { ImpossibleSituation } from "./errors.js";
import { euchre } from "./euchre.js";
import { playingOrder } from "./game.js";
import { whist } from "./whist.js";

/**
 * What is told of a situation, word by word.
 *
 * @typedef {object} Told
 * @property {Game} game
 * @property {readonly Card[]} hand
 * @property {number | null} seat
 * @property {Seat} dealer
 * @property {Card | null} upcard
 * @property {Card | null} trumpCard
 * @property {Suit | null} trump
 * @property {number | null} maker
 * @property {readonly Action[]} calls
 * @property {readonly Card[]} played
 * @property {Card | null} discard
 * @property {{ us: number, them: number }} score
 * @property {number} handNumber
 * @property {boolean} dealerStuck
 * @property {Rules} rules
 */

/**
 * What the bidding came to.
 *
 * @typedef {object} Made
 * @property {Suit | null} trump
 * @property {Seat | null} maker
 * @property {Seat | null} sitsOut
 * @property {boolean} pickedUp
 */

/** @typedef {{ seat: Seat, card: Card }} Play */

/**
 * What lies on the table, and who is to act.
 *
 * @typedef {object} Table
 * @property {"bidding" | "discarding" | "playing"} phase
 * @property {Seat} actor
 * @property {readonly Seat[]} leaders
 * @property {readonly Play[]} plays
 * @property {readonly Card[]} trick
 * @property {ReadonlySet<string>} voids of seats, each with a suit
 */

const NAMES = ["North", "East", "South", "West"];
const MOST_POINTS = 100;
const ROUND = 4;
const WITH_UPCARD = 6;
const NOT_MADE = { maker: null, sitsOut: null, pickedUp: false };

/**
 * Return a situation with all that follows from it.
 *
 * @param {Told} words
 */
export function momentOf(words) {
  checkWords(words);
  const told = withCalls(words);
  const made = told.game === whist ? { ...NOT_MADE, trump: turnedSuit(told) } : bidding(told);
  const upcard = told.game === euchre && !made.pickedUp ? [turned(told)] : [];
  checkTwice([...told.hand, ...(told.discard ? [told.discard] : []), ...told.played, ...upcard]);
  const table = tableOf(told, made);
  checkActor(told, table);
  checkDiscard(told, made, table);
  checkHand(told, made, table);
  return { told, made, table, legal: legalActions(told, made, table) };
}

/**
 * Whether the dealer must name a suit in the end.
 *
 * @param {Told} told
 */
export function isStuck({ dealerStuck, rules }) {
  return rules.stickDealer || dealerStuck;
}

/**
 * Return the card that is shown to all.
 *
 * @param {Told} told
 */
export function turned({ upcard, trumpCard }) {
  return /** @type {Card} */ (upcard ?? trumpCard);
}

/** @param {readonly Card[]} hand */
export function inOrder(hand) {
  return [...hand].sort((one, other) => CARDS.indexOf(one) - CARDS.indexOf(other));
}

/** @param {Told} told */
function turnedSuit(told) {
  return printedSuit(turned(told));
}

/**
 * @param {string} why
 * @returns {never}
 */
function refuse(why) {
  throw new ImpossibleSituation(why);
}

// What is told, word by word

/** @param {Told} told */
function checkWords(told) {
  for (const seat of [told.seat, told.dealer, told.maker]) {
    if (seat !== null && !(seat in NAMES)) {
      refuse(`there is no seat ${seat}; they are 0 to 3 for North, East, South, West`);
    }
  }
  checkRules(told);
  checkFields(told);
  const cards = [told.upcard, told.trumpCard, ...told.hand, told.discard, ...told.played];
  for (const card of cards) {
    if (card !== null && !told.game.pack.includes(card)) {
      refuse(`${card} is no card of ${told.game.name}`);
    }
  }
  if (told.trump !== null && !SUITS.includes(told.trump)) refuse(`${told.trump} is no suit`);
  if (told.hand.length === 0) refuse("the hand is empty");
}

/** @param {Told} told */
function checkRules(told) {
  const { rules, score } = told;
  if (!(rules.target >= 1 && rules.target <= MOST_POINTS)) {
    refuse(`a match is to 1 to ${MOST_POINTS} points, not ${rules.target}`);
  }
  if (rules.partnerMustGoAlone && !rules.alone) {
    refuse("nobody can be made to go alone where nobody may");
  }
  for (const points of [score.us, score.them]) {
    if (!(points >= 0 && points < rules.target)) {
      refuse(`the score is not ${score.us} to ${score.them} in a match to ${rules.target}`);
    }
  }
}

/** @param {Told} told */
function checkFields(told) {
  if (told.game === euchre) {
    if (told.trumpCard !== null) refuse("euchre has no trump card");
    return;
  }
  const fields = {
    upcard: told.upcard,
    "trump to be made": told.trump,
    maker: told.maker,
    calls: told.calls.length > 0 ? told.calls : null,
    discard: told.discard,
    "stuck dealer": told.dealerStuck || null,
  };
  for (const [name, value] of Object.entries(fields)) {
    if (value !== null) refuse(`whist has no ${name}`);
  }
  if (told.trumpCard === null) refuse("the trump card is missing");
}

/**
 * Refuse a card that is in two places.
 *
 * @param {readonly Card[]} cards
 */
function checkTwice(cards) {
  const twice = cards.find((card, place) => cards.indexOf(card) < place);
  if (twice) refuse(`${twice} is there twice`);
}

// The bidding

/**
 * Put the calls by which trump was made in the place of trump and maker.
 *
 * @param {Told} told
 * @returns {Told}
 */
function withCalls(told) {
  if (told.calls.length > 0 || told.trump === null) return told;
  const upcard = told.upcard ?? nobodys(told, told.trump);
  const maker = told.maker ?? seatAt(told.dealer + 1);
  const before = passes(seatAt(maker - told.dealer - 1));
  const calls =
    printedSuit(upcard) === told.trump
      ? [...before, /** @type {Action} */ ("order_up")]
      : [...passes(ROUND), ...before, /** @type {Action} */ (`name:${told.trump}`)];
  return { ...told, upcard, calls };
}

/**
 * @param {number} number
 * @returns {Action[]}
 */
function passes(number) {
  return Array(number).fill("pass");
}

/**
 * Return the first card of another suit that nobody is said to have.
 *
 * @param {Told} told
 * @param {Suit} trump
 */
function nobodys(told, trump) {
  const known = [...told.hand, ...told.played, told.discard];
  const left = told.game.pack.filter((card) => printedSuit(card) !== trump && !known.includes(card));
  // With six cards it is in the hand, and only its author can say which one it is.
  if (left.length === 0 || told.hand.length === WITH_UPCARD) refuse("the upcard is missing");
  return left[0];
}

/**
 * Return what may be said after so many passes.
 *
 * @param {Told} told
 * @param {number} said
 */
function menu(told, said) {
  const { rules } = told;
  if (said < ROUND) {
    const up = rules.alone ? ["order_up", "order_up_alone"] : ["order_up"];
    const alone = rules.partnerMustGoAlone && said === 1;
    return /** @type {Action[]} */ (["pass", ...(alone ? up.slice(-1) : up)]);
  }
  const suits = SUITS.filter((suit) => suit !== turnedSuit(told));
  const verbs = rules.alone ? ["name", "name_alone"] : ["name"];
  const names = verbs.flatMap((verb) => suits.map((suit) => `${verb}:${suit}`));
  const last = said === 2 * ROUND - 1;
  return /** @type {Action[]} */ (isStuck(told) && last ? names : ["pass", ...names]);
}

/**
 * Return what the calls come to, each of which has to be legal.
 *
 * @param {Told} told
 * @returns {Made}
 */
function bidding(told) {
  if (told.maker !== null && told.trump === null && told.calls.length === 0) {
    refuse(`the trump that ${NAMES[told.maker]} made is missing`);
  }
  if (told.upcard === null) refuse("the upcard is missing");
  /** @type {Made} */
  let made = { ...NOT_MADE, trump: null };
  for (const [said, call] of told.calls.entries()) {
    if (made.trump !== null) refuse(`nothing is said after ${told.calls[said - 1]}`);
    const speaker = seatAt(told.dealer + 1 + said);
    const open = menu(told, said);
    if (!open.includes(call)) {
      refuse(`${NAMES[speaker]} may not say ${call}; only ${open.join(" ")}`);
    }
    if (call !== "pass") made = madeBy(speaker, call, said, turnedSuit(told));
    else if (said === 2 * ROUND - 1) refuse("all have passed twice: the hand is thrown in");
  }
  checkMade(told, made);
  return made;
}

/**
 * @param {Seat} maker
 * @param {Action} call
 * @param {number} said
 * @param {Suit} upcards
 * @returns {Made}
 */
function madeBy(maker, call, said, upcards) {
  const [verb, suit] = call.split(":");
  return {
    trump: /** @type {Suit} */ (suit ?? upcards),
    maker,
    sitsOut: verb.endsWith("alone") ? seatAt(maker + 2) : null,
    pickedUp: said < ROUND,
  };
}

/**
 * @param {Told} told
 * @param {Made} made
 */
function checkMade(told, { trump, maker }) {
  if (maker === null) {
    if (told.trump !== null || told.maker !== null) refuse("nobody has made trump yet");
    if (told.played.length > 0) refuse("a card is played before trump is made");
    return;
  }
  if (told.trump !== null && told.trump !== trump) {
    refuse(`trump is ${trump} by the calls, not ${told.trump}`);
  }
  if (told.maker !== null && told.maker !== maker) {
    refuse(`${NAMES[maker]} made trump, not ${NAMES[told.maker]}`);
  }
}

// The play

/**
 * @param {Told} told
 * @param {Made} made
 * @returns {Table}
 */
function tableOf(told, made) {
  const nothing = { leaders: [], plays: [], trick: [], voids: new Set() };
  if (made.trump === null) {
    return { ...nothing, phase: "bidding", actor: seatAt(told.dealer + 1 + told.calls.length) };
  }
  const laying = told.hand.length === WITH_UPCARD && told.played.length === 0 && !told.discard;
  if (made.pickedUp && laying) return { ...nothing, phase: "discarding", actor: told.dealer };
  return play(told, made);
}

/**
 * Return how many tricks a hand has, and so how many cards are dealt to a seat.
 *
 * @param {Game} game
 */
function tricksOf(game) {
  return game === euchre ? 5 : game.pack.length / 4;
}

/**
 * Play the cards that were played.
 *
 * @param {Told} told
 * @param {Made} made
 * @returns {Table}
 */
function play({ game, dealer, played }, { trump, sitsOut }) {
  const size = sitsOut === null ? 4 : 3;
  /** @type {Seat[]} */
  const leaders = [playingOrder(seatAt(dealer + 1), sitsOut)[0]];
  /** @type {Play[]} */
  const plays = [];
  /** @type {Set<string>} */
  const voids = new Set();
  let trick = /** @type {Card[]} */ ([]);
  const next = () => playingOrder(leaders[leaders.length - 1], sitsOut)[trick.length];
  for (const card of played) {
    const seat = next();
    noteVoid(game, trump, trick, { seat, card }, voids);
    trick.push(card);
    plays.push({ seat, card });
    if (trick.length === size) {
      const winner = game.winningSeat(leaders[leaders.length - 1], trick, trump, sitsOut);
      leaders.push(/** @type {Seat} */ (winner));
      trick = [];
    }
    if (leaders.length > tricksOf(game)) refuse("all tricks are played");
  }
  return { phase: "playing", actor: next(), leaders, plays, trick, voids };
}

/**
 * @param {Game} game
 * @param {Suit | null} trump
 * @param {readonly Card[]} trick
 * @param {Play} play
 * @param {Set<string>} voids
 */
function noteVoid(game, trump, trick, { seat, card }, voids) {
  const suit = game.effectiveSuit(card, trump);
  if (voids.has(seat + suit)) refuse(`${NAMES[seat]} did not follow ${suit}, and has ${card}`);
  const led = game.effectiveSuit(trick[0] ?? card, trump);
  if (suit !== led) voids.add(seat + led);
}

/**
 * @param {Told} told
 * @param {Table} table
 */
function checkActor(told, { actor }) {
  if (told.seat !== null && told.seat !== actor) {
    refuse(`${NAMES[actor]} is to act, not ${NAMES[told.seat]}`);
  }
}

/**
 * @param {Told} told
 * @param {Made} made
 * @param {Table} table
 */
function checkDiscard(told, made, { phase, actor }) {
  const laidAway = made.pickedUp && actor === told.dealer && phase === "playing";
  if (told.discard !== null && !laidAway) refuse(`${NAMES[actor]} laid no card away`);
  if (told.discard === null && laidAway) {
    refuse(`what ${NAMES[told.dealer]} laid away is missing`);
  }
}

/**
 * Check the cards of who is to act.
 *
 * @param {Told} told
 * @param {Made} made
 * @param {Table} table
 */
function checkHand(told, made, { phase, actor, plays, voids }) {
  const { game, hand } = told;
  const own = plays.filter(({ seat }) => seat === actor).map(({ card }) => card);
  const most = phase === "discarding" ? WITH_UPCARD : tricksOf(game) - own.length;
  if (hand.length > most) {
    refuse(`${NAMES[actor]} holds at most ${most} cards here, not ${hand.length}`);
  }
  if (made.pickedUp || game === whist) {
    checkDealersCard(told, actor, [...hand, ...own, told.discard], plays);
  }
  for (const card of inOrder(hand)) {
    const suit = game.effectiveSuit(card, made.trump);
    if (voids.has(actor + suit)) refuse(`${NAMES[actor]} did not follow ${suit}, and has ${card}`);
  }
}

/**
 * Check that the card turned up is the dealer's, and nobody else's.
 *
 * @param {Told} told
 * @param {Seat} actor
 * @param {readonly (Card | null)[]} own
 * @param {readonly Play[]} plays
 */
function checkDealersCard(told, actor, own, plays) {
  const dealer = NAMES[told.dealer];
  const card = turned(told);
  if (actor === told.dealer && !own.includes(card)) {
    refuse(`${card} is missing among ${dealer}'s cards`);
  }
  const elsewhere = plays.some((each) => each.card === card && each.seat !== told.dealer);
  if (elsewhere || (actor !== told.dealer && told.hand.includes(card))) {
    refuse(`${card} is ${dealer}'s, and nobody else's`);
  }
}

/**
 * @param {Told} told
 * @param {Made} made
 * @param {Table} table
 */
function legalActions(told, made, { phase, trick }) {
  if (phase === "bidding") return menu(told, told.calls.length);
  const hand = inOrder(told.hand);
  const cards =
    phase === "discarding" ? hand : told.game.legalPlays(hand, trick[0] ?? null, made.trump);
  const verb = phase === "discarding" ? "discard" : "play";
  return cards.map((card) => /** @type {Action} */ (`${verb}:${card}`));
}
