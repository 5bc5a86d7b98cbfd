/**
 * What a seat knows when it is to act, under the names a card player would use.
 *
 * A view reads the referee's message when something of it is asked for that is not among the legal
 * actions, and converts only that, at most once. Every name
 * is there in both games; what a game does not have is null, false or empty.
 *
 * @import { Action, Card, Phase, Play, Rules, Seat, Suit, Trick } from "./index.js"
 * @import { Game } from "./game.js"
 * @import { EuchreMessage } from "./euchre_message.js"
 * @import { Turn } from "./protocol.js"
 * @import { WhistMessage } from "./whist_message.js"
 */
import { CARD_OF, named, SEAT_OF, seatAt } from "./cards.js";
import { playingOrder } from "./game.js";

/** @typedef {Map<Suit, Card[]>} CardsBySuit the strongest first */

/**
 * @abstract
 * @template {EuchreMessage | WhistMessage} Message
 */
export class View {
  // What is worked out when it is first asked for; all there from the start, so that every view
  // has one shape and reading it stays fast.
  /** @type {Card[] | null} */ _hand = null;
  /** @type {Card[] | null} */ _legalCards = null;
  /** @type {Card[] | null} */ _cardsStillOut = null;
  /** @type {CardsBySuit | null} */ _holdings = null;
  /** @type {CardsBySuit | null} */ _suitsOut = null;
  /** @type {Action[] | null} */ _calls = null;
  /** @type {Card[] | null} */ _played = null;
  /** @type {Trick[] | null} */ _tricks = null;
  /** @type {Card[] | null} */ _trick = null;
  /** @type {Play[] | null} */ _plays = null;
  /** @type {Set<Suit>[] | null} */ _voids = null;
  /** @type {Card | null} */ _winningCard = null;

  /**
   * @param {Game} game
   * @param {Turn} turn
   * @param {readonly Action[]} legal
   * @param {Rules} rules
   * @param {Message | null} [message] if it is not to be read from the turn
   */
  constructor(game, turn, legal, rules, message = null) {
    this._game = game;
    this._turn = turn;
    this._read = message;
    this.legal = legal;
    this.rules = rules;
  }

  toString() {
    const upcard = this.phase === "bidding" ? `, upcard ${this.upcard}` : "";
    const trump = this.trump ? `, trump ${this.trump}` : "";
    const trick = this.trick.length > 0 ? `, trick ${this.trick.join(" ")}` : "";
    const hand = this.hand.join(" ");
    return `${this._game.name}, ${this.phase}: hand ${hand}${upcard}${trump}${trick}`;
  }

  // Where and when

  get table() {
    return this._turn.tableId;
  }

  get turn() {
    return this._turn.turnId;
  }

  get timeLeftMs() {
    return this._turn.timeLeftMs || null;
  }

  get handNumber() {
    return this._message.handNumber;
  }

  /** @returns {Phase} */
  get phase() {
    return "playing";
  }

  // Who

  get seat() {
    return seatAt(this._message.seat - 1);
  }

  get partner() {
    return seatAt(this._message.seat + 1);
  }

  get dealer() {
    return seatAt(this._message.dealer - 1);
  }

  // The score

  get score() {
    const { pointsNorthSouth, pointsEastWest } = this._message;
    return this.seat % 2 === 0
      ? { us: pointsNorthSouth, them: pointsEastWest }
      : { us: pointsEastWest, them: pointsNorthSouth };
  }

  get target() {
    return this.rules.target;
  }

  // The cards

  get pack() {
    return this._game.pack;
  }

  get hand() {
    return (this._hand ??= named(this._message.hand, CARD_OF));
  }

  get legalCards() {
    return (this._legalCards ??= named(this._message.legalCards, CARD_OF));
  }

  /** @returns {Card | null} */
  get upcard() {
    return null;
  }

  /** @returns {Card | null} */
  get trumpCard() {
    return null;
  }

  /** @returns {Suit | null} */
  get trump() {
    return null;
  }

  get cardsStillOut() {
    return (this._cardsStillOut ??= this._withoutThoseSeen());
  }

  /** @param {Suit | null} suit */
  holding(suit) {
    this._holdings ??= this._bySuit(this.hand);
    return (suit && this._holdings.get(suit)) ?? [];
  }

  /** @param {Suit | null} suit */
  stillOut(suit) {
    this._suitsOut ??= this._bySuit(this.cardsStillOut);
    return (suit && this._suitsOut.get(suit)) ?? [];
  }

  _withoutThoseSeen() {
    const seen = new Set([...this.hand, ...this._allPlayed, ...this._outOfPlay()]);
    return this.pack.filter((card) => !seen.has(card));
  }

  /** @param {readonly Card[]} cards */
  _bySuit(cards) {
    /** @type {CardsBySuit} */
    const suits = new Map();
    for (const card of cards) {
      const suit = this.effectiveSuit(card);
      const found = suits.get(suit);
      if (found) found.push(card);
      else suits.set(suit, [card]);
    }
    for (const found of suits.values()) {
      found.sort((card, other) => this.strength(other) - this.strength(card));
    }
    return suits;
  }

  /** @returns {(Card | null)[]} */
  _outOfPlay() {
    return [];
  }

  // The bidding

  /** @returns {readonly Action[]} */
  get calls() {
    return [];
  }

  get dealerStuck() {
    return false;
  }

  /** @returns {Seat | null} */
  get maker() {
    return null;
  }

  get weMadeTrump() {
    return this.maker !== null && this.maker % 2 === this.seat % 2;
  }

  get pickedUp() {
    return false;
  }

  /** @returns {Card | null} */
  get discard() {
    return null;
  }

  /** @returns {Seat | null} */
  get sitsOut() {
    return null;
  }

  // The play

  get leader() {
    return SEAT_OF[this._message.leaders.at(-1) ?? 0];
  }

  get tricks() {
    return (this._tricks ??= this._finishedTricks());
  }

  get trick() {
    return (this._trick ??= this._allPlayed.slice(this._places - (this._places % this._trickSize)));
  }

  get plays() {
    return (this._plays ??= this._allPlayed.map((card, place) => ({
      seat: this._playerAt(place),
      card,
    })));
  }

  get tricksWon() {
    const winners = this._message.leaders.slice(1);
    // On the wire seats count from 1; partners are two apart there as well.
    const us = winners.filter((winner) => winner % 2 === this._message.seat % 2).length;
    return { us, them: winners.length - us };
  }

  get suitLed() {
    const { trick } = this;
    return trick.length > 0 ? this.effectiveSuit(trick[0]) : null;
  }

  get winningCard() {
    return (this._winningCard ??= this._game.winningCard(this.trick, this.trump));
  }

  get winningSeat() {
    const card = this.winningCard;
    return card && playingOrder(this.leader ?? 0, this.sitsOut)[this.trick.indexOf(card)];
  }

  get partnerIsWinning() {
    return this.winningSeat === this.partner;
  }

  get lastToPlay() {
    return this.trick.length === this._trickSize - 1;
  }

  /** @param {number} seat */
  voidSuits(seat) {
    return (this._voids ??= this._voidsShown())[seat];
  }

  _finishedTricks() {
    const { leaders } = this._message;
    const size = this._trickSize;
    return leaders.slice(1).map((winner, number) => ({
      leader: seatAt(leaders[number] - 1),
      cards: this._allPlayed.slice(number * size, (number + 1) * size),
      winner: seatAt(winner - 1),
    }));
  }

  _voidsShown() {
    /** @type {Set<Suit>[]} */
    const shown = [new Set(), new Set(), new Set(), new Set()];
    const played = this._allPlayed;
    for (let place = 0, led = null; place < played.length; place++) {
      const suit = this.effectiveSuit(played[place]);
      if (place % this._trickSize === 0) led = suit;
      else if (led && suit !== led) shown[this._playerAt(place)].add(led);
    }
    return shown;
  }

  // The worth of cards

  /**
   * @param {Card} card
   * @param {Suit | null} [trump]
   */
  effectiveSuit(card, trump) {
    return this._game.effectiveSuit(card, trump ?? this.trump);
  }

  /**
   * @param {Card} card
   * @param {Suit | null} [trump]
   */
  strength(card, trump) {
    return this._game.strength(card, trump ?? this.trump);
  }

  /**
   * @param {Card} card
   * @param {Card} other
   * @param {Suit | null} [trump]
   */
  beats(card, other, trump) {
    return this._game.beats(card, other, trump ?? this.trump);
  }

  /** @param {Card} card */
  takesTrick(card) {
    return this.winningCard === null || this.beats(card, this.winningCard);
  }

  // The table as the message has it

  get _message() {
    return (this._read ??= this._readMessage());
  }

  /** @returns {Message} */
  _readMessage() {
    throw new TypeError("every game has a message of its own");
  }

  get _allPlayed() {
    return (this._played ??= named(this._message.played, CARD_OF));
  }

  get _places() {
    return this._message.played.length;
  }

  get _trickSize() {
    return this.sitsOut === null ? 4 : 3;
  }

  /** @param {number} place */
  _playerAt(place) {
    const size = this._trickSize;
    const leader = this._message.leaders[Math.floor(place / size)] - 1;
    return playingOrder(leader, this.sitsOut)[place % size];
  }
}
