/**
 * What cards are worth in a game, and which may be played: all that needs no view.
 *
 * @import { Card, Suit, Seat, Game as PublicGame } from "./index.js"
 */
import { printedSuit, seatAt, SUITS } from "./cards.js";

const AROUND = [0, 1, 2, 3];

/** @implements {PublicGame} */
export class Game {
  // A table for each trump suit and one for none: looking up is far cheaper than working out.
  #suits;
  #strengths;
  #pack;

  /**
   * @param {"euchre" | "whist"} name
   * @param {readonly Card[]} pack
   * @param {(card: Card, trump: Suit | null) => number} strength
   * @param {(card: Card, trump: Suit | null) => Suit} suit
   */
  constructor(name, pack, strength, suit = printedSuit) {
    this.name = name;
    this.#pack = pack;
    this.#suits = byTrump(pack, suit);
    this.#strengths = byTrump(pack, strength);
  }

  /** A copy, for the caller may sort it. */
  get pack() {
    return this.#pack.slice();
  }

  /**
   * @param {Card} card
   * @param {Suit | null} trump
   */
  effectiveSuit(card, trump) {
    return this.#suits[trump ?? "none"][card];
  }

  /**
   * @param {Card} card
   * @param {Suit | null} trump
   */
  strength(card, trump) {
    return this.#strengths[trump ?? "none"][card];
  }

  /**
   * @param {Card} card
   * @param {Card} other
   * @param {Suit | null} trump
   */
  beats(card, other, trump) {
    const suit = this.effectiveSuit(card, trump);
    if (suit !== this.effectiveSuit(other, trump)) return suit === trump;
    return this.strength(card, trump) > this.strength(other, trump);
  }

  /**
   * @param {readonly Card[]} trick
   * @param {Suit | null} trump
   */
  winningCard(trick, trump) {
    if (trick.length === 0) return null;
    let best = trick[0];
    for (const card of trick) if (this.beats(card, best, trump)) best = card;
    return best;
  }

  /**
   * @param {number} leader
   * @param {readonly Card[]} trick
   * @param {Suit | null} trump
   * @param {number | null} [sitsOut]
   */
  winningSeat(leader, trick, trump, sitsOut = null) {
    const card = this.winningCard(trick, trump);
    return card === null ? null : playingOrder(leader, sitsOut)[trick.indexOf(card)];
  }

  /**
   * @param {readonly Card[]} hand
   * @param {Card | null} led
   * @param {Suit | null} trump
   */
  legalPlays(hand, led, trump) {
    if (led === null) return [...hand];
    const suit = this.effectiveSuit(led, trump);
    const following = hand.filter((card) => this.effectiveSuit(card, trump) === suit);
    return following.length > 0 ? following : [...hand];
  }
}

/**
 * Return the seats in which a trick is played, from the leader's on.
 *
 * @param {number} leader
 * @param {number | null} sitsOut
 * @returns {readonly Seat[]}
 */
export function playingOrder(leader, sitsOut) {
  return sitsOut === null ? ALL_PLAY[leader] : ONE_SITS_OUT[sitsOut][leader];
}

/**
 * @param {number} leader
 * @param {number | null} sitsOut
 */
function order(leader, sitsOut) {
  return AROUND.map((turn) => seatAt(leader + turn)).filter((seat) => seat !== sitsOut);
}

const ALL_PLAY = AROUND.map((leader) => order(leader, null));
const ONE_SITS_OUT = AROUND.map((sitsOut) => AROUND.map((leader) => order(leader, sitsOut)));

/**
 * @template Worth
 * @param {readonly Card[]} pack
 * @param {(card: Card, trump: Suit | null) => Worth} worth
 * @returns {Record<Suit | "none", Record<Card, Worth>>}
 */
function byTrump(pack, worth) {
  const table = (/** @type {Suit | null} */ trump) =>
    Object.fromEntries(pack.map((card) => [card, worth(card, trump)]));
  const tables = SUITS.map((suit) => [suit, table(suit)]);
  return Object.fromEntries([...tables, ["none", table(null)]]);
}
