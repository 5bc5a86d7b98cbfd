/** The JavaScript SDK for authors of bots that play card games under the Upcard referee. */

/** The two is written `2`, the ten `T`. Euchre is played from the nine up. */
export type Rank = "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "T" | "J" | "Q" | "K" | "A";

/** Clubs, diamonds, hearts, spades. */
export type Suit = "C" | "D" | "H" | "S";

/** A rank, then a suit: `"JD"` is the jack of diamonds. */
export type Card = `${Rank}${Suit}`;

/** North, East, South, West; partners are two apart. */
export type Seat = 0 | 1 | 2 | 3;

/** What is said in the bidding of euchre. */
export type Call = "pass" | "order_up" | "order_up_alone" | `name:${Suit}` | `name_alone:${Suit}`;

/** A call, the dealer's discard, or a card to a trick. */
export type Action = Call | `discard:${Card}` | `play:${Card}`;

/** What is due. Whist knows only the play. */
export type Phase = "bidding" | "discarding" | "playing";

export const NORTH: 0;
export const EAST: 1;
export const SOUTH: 2;
export const WEST: 3;

/** All four, in the order of the pack. */
export const SUITS: readonly Suit[];

/** The rules at a table; what only euchre has is false in whist. */
export interface Rules {
  /** How many points win the match. */
  readonly target: number;
  /** Whether the maker may play without her partner. */
  readonly alone: boolean;
  /** Whether the dealer must name a suit when all others passed twice. */
  readonly stickDealer: boolean;
  /** Whether the dealer's partner may order up only alone. */
  readonly partnerMustGoAlone: boolean;
}

/** A count for both teams. */
export interface Sides {
  readonly us: number;
  readonly them: number;
}

/** A card, and who played it. */
export interface Play {
  readonly seat: Seat;
  readonly card: Card;
}

/** A finished trick. */
export interface Trick {
  readonly leader: Seat;
  /** In the order they were played. */
  readonly cards: readonly Card[];
  readonly winner: Seat;
}

/** Chance that comes again in the same way from the same seed. */
export class Random {
  /** Two halves of a seed, 32 bits each. */
  constructor(low: number, high?: number);
  /** Draw a number from 0 up to, but not including, 1. */
  next(): number;
  /** Draw a whole number from 0 up to, but not including, `limit`. */
  below(limit: number): number;
  /** Draw one of these values. */
  pick<Value>(values: readonly Value[]): Value;
  /** Return these values in a random order. */
  shuffled<Value>(values: readonly Value[]): Value[];
}

/** What is known of a table before its first turn. */
export interface Table {
  /** Your seat, the same for the whole match; in a game described in RECYCLE it may be up to 7. */
  readonly seat: Seat;
  /** In a game described in RECYCLE these are `RecycleRules`. */
  readonly rules: Rules;
  /** Draw from nothing else, and the same match played again goes the same way. */
  readonly random: Random;
}

/**
 * What a bot needs at least. In a game described in RECYCLE `choose` gets a `RecycleView`, and in
 * `legal` the texts of moves.
 */
export interface Player {
  choose(view: View, legal: readonly Action[]): Action;
}

/** Makes the player of a table, when it is asked first. */
export type Factory = (table: Table) => Player;

/**
 * A player for one match: a new object is made for every table, at its first turn.
 *
 * Write `choose`, or `bid`, `discard` and `play` (whist needs only `play`, a game described in
 * RECYCLE only `act`). What you keep in the object is its memory of the match.
 */
export class Bot implements Table, Player {
  constructor(table: Table);
  readonly seat: Seat;
  readonly rules: Rules;
  readonly random: Random;
  /** Return one of the legal actions; asks the method for what is due unless you write it. */
  choose(view: View, legal: readonly Action[]): Action;
  /** Return a call: euchre's `"pass"`, `"order_up"`, `"name:S"` and so on. */
  bid(view: EuchreView, legal: readonly Action[]): Action;
  /** Return what to lay away after taking the upcard: `"discard:9H"`. */
  discard(view: EuchreView, legal: readonly Action[]): Action;
  /** Return the card to play: `"play:JD"`. */
  play(view: View, legal: readonly Action[]): Action;
  /** Return the text of a move, in a game described in RECYCLE. */
  act(view: RecycleView, legal: readonly string[]): string;
}

/**
 * Play for the referee that started this process, then end the process.
 *
 * @param options.tables At how many tables at the same time, 1 to 256, which it is if you leave it
 *   out. Many are faster; with 1, every decision has the time limit for itself.
 */
export function run(factory: Factory, options?: { tables?: number }): Promise<never>;

/** Write a line to stderr, with the table and the turn that it is about. */
export function log(message: unknown): void;

/** What every error of the SDK is. */
export class UpcardError extends Error {}

/** A bot returned what is not among its legal actions. */
export class IllegalChoice extends UpcardError {}

/** A bot has no method for a decision that is due. */
export class MissingMethod extends UpcardError {}

/** What cards are worth in a game, and which may be played, at any table you can think of. */
export interface Game {
  readonly name: "euchre" | "whist";
  /** Every card: clubs, diamonds, hearts, spades, each from the lowest rank up. */
  readonly pack: readonly Card[];
  /** Return the suit a card counts as: the left bower is a trump. */
  effectiveSuit(card: Card, trump: Suit | null): Suit;
  /** Return the place of a card in its effective suit, the higher the stronger. */
  strength(card: Card, trump: Suit | null): number;
  /** Say whether a card takes the trick over from another that is winning it. */
  beats(card: Card, other: Card, trump: Suit | null): boolean;
  /** Return the card that is winning; null if none is played yet. */
  winningCard(trick: readonly Card[], trump: Suit | null): Card | null;
  /** Return the seat that is winning; null if no card is played yet. */
  winningSeat(
    leader: number,
    trick: readonly Card[],
    trump: Suit | null,
    sitsOut?: number | null,
  ): Seat | null;
  /** Return the cards of a hand that may be played to the card led; null is for the leader. */
  legalPlays(hand: readonly Card[], led: Card | null, trump: Suit | null): Card[];
}

export const euchre: Game;
export const whist: Game;

/** What your seat knows when it is to act, in either game. It works out what you ask for. */
export type View = EuchreView | WhistView;

/** What a seat knows of a hand of euchre. */
export interface EuchreView extends AnyView {
  readonly game: "euchre";
  readonly upcard: Card;
  readonly trumpCard: null;
}

/** What a seat knows of a hand of whist. */
export interface WhistView extends AnyView {
  readonly game: "whist";
  readonly phase: "playing";
  readonly upcard: null;
  readonly trumpCard: Card;
  readonly trump: Suit;
}

interface AnyView {
  readonly game: "euchre" | "whist";
  /** What is due. */
  readonly phase: Phase;
  /** What you may do; return one of them. */
  readonly legal: readonly Action[];
  /** The cards you may play or discard, in the order of `legal`. */
  readonly legalCards: readonly Card[];

  /** The rules at this table. */
  readonly rules: Rules;
  /** The table: a number that means nothing, another one for every match. */
  readonly table: number;
  /** The number of this decision; the referee counts them. */
  readonly turn: number;
  /** The milliseconds left for this match; null if only each decision is limited. */
  readonly timeLeftMs: number | null;
  /** The number of this hand in its match, from 0. */
  readonly handNumber: number;

  /** Your seat. */
  readonly seat: Seat;
  /** The seat across the table. */
  readonly partner: Seat;
  /** Who dealt. */
  readonly dealer: Seat;

  /** The points of both teams before this hand. */
  readonly score: Sides;
  /** How many points win the match. */
  readonly target: number;

  /** Every card of the game. */
  readonly pack: readonly Card[];
  /** The cards you hold, in the order of the pack. */
  readonly hand: readonly Card[];
  /** Return the cards you hold that count as a suit, the strongest first. */
  holding(suit: Suit | null): readonly Card[];
  /** Euchre: the card turned up. */
  readonly upcard: Card | null;
  /** Whist: the last card dealt, the dealer's until she plays it. */
  readonly trumpCard: Card | null;
  /** The trump suit; null until it is made. */
  readonly trump: Suit | null;
  /**
   * The cards that others may still play, as far as you can see: all but those you hold, those
   * played, those you know to be out of play. In euchre three of them lie in the kitty.
   */
  readonly cardsStillOut: readonly Card[];
  /** Return the cards of a suit that others may still play, the strongest first. */
  stillOut(suit: Suit | null): readonly Card[];

  /** Euchre: what was said so far, the first to speak first. */
  readonly calls: readonly Action[];
  /** Euchre: whether the dealer, when she speaks last, must name a suit. */
  readonly dealerStuck: boolean;
  /** Euchre: who made trump. */
  readonly maker: Seat | null;
  /** Euchre: whether you or your partner made trump. */
  readonly weMadeTrump: boolean;
  /** Euchre: whether the dealer took the upcard, as she does when it is ordered up. */
  readonly pickedUp: boolean;
  /** Euchre: what you laid away as the dealer. */
  readonly discard: Card | null;
  /** Euchre: the maker's partner when the maker goes alone. */
  readonly sitsOut: Seat | null;

  /** Who leads the trick in progress; null before the play. */
  readonly leader: Seat | null;
  /** The cards of the trick in progress, the led one first. */
  readonly trick: readonly Card[];
  /** The suit to follow; null when you lead. The left bower leads trump. */
  readonly suitLed: Suit | null;
  /** The card that is winning the trick in progress; null when you lead. */
  readonly winningCard: Card | null;
  /** Who is winning the trick in progress; null when you lead. */
  readonly winningSeat: Seat | null;
  /** Whether your partner's card is winning the trick in progress. */
  readonly partnerIsWinning: boolean;
  /** Whether your card ends the trick in progress. */
  readonly lastToPlay: boolean;
  /** Say whether a card would be the winning one if you played it now. */
  takesTrick(card: Card): boolean;
  /** The finished tricks. */
  readonly tricks: readonly Trick[];
  /** The tricks both teams have taken. */
  readonly tricksWon: Sides;
  /** Every card played in this hand, with who played it. */
  readonly plays: readonly Play[];
  /** Return the suits a seat has shown to have none of, by not following. */
  voidSuits(seat: number): ReadonlySet<Suit>;

  /** Return the suit a card counts as, with this trump or one of your own. */
  effectiveSuit(card: Card, trump?: Suit | null): Suit;
  /** Return the place of a card in its effective suit, the higher the stronger. */
  strength(card: Card, trump?: Suit | null): number;
  /** Say whether a card takes the trick over from another that is winning it. */
  beats(card: Card, other: Card, trump?: Suit | null): boolean;

  /** Return the situation in a line. */
  toString(): string;
}

/** What is printed on a card of a game described in RECYCLE; equal cards have one face. */
export interface RecycleFace {
  /** The values that tell it from the others: `"NINE-HEARTS"`. */
  readonly name: string;
  /** All that is printed on it. */
  readonly attributes: Readonly<Record<string, string>>;
  /** The design on its back. */
  readonly back: string;
  /** How many cards have this face. */
  readonly cards: number;
}

/** Where cards lie: 0 is the table's, n player n's, -n team n's. */
export interface RecycleSpot {
  readonly owner: number;
  /** `"vloc"`, `"iloc"`, `"hloc"`, `"oloc"` or `"mem"`. */
  readonly kind: string;
  /** What the program calls it. */
  readonly name: string;
  /** Its number among the places of one name. */
  readonly index: number;
}

/** A place for cards, with what you may know of them. */
export interface RecyclePlace extends RecycleSpot {
  /** How many cards lie there. */
  readonly size: number;
  /** The cards, the bottom one first; null if they are hidden from you. */
  readonly faces: readonly RecycleFace[] | null;
  /** How many hidden cards of each back there are, if the deck has several. */
  readonly backs: readonly { readonly name: string; readonly cards: number }[];
}

/** What a card gets that has all of some attributes. */
export interface RecycleAward {
  readonly attributes: readonly (readonly [key: string, value: string])[];
  readonly points: number;
}

/** A map of what cards score. */
export interface RecyclePoints {
  readonly owner: number;
  readonly name: string;
  readonly awards: readonly RecycleAward[];
}

/** One thing that a move does; what does not apply is null. */
export interface RecycleStep {
  /** What it is: `"move"`, `"set"`, `"pass"` and so on. */
  readonly verb: string;
  /** The card; null also if you may not see it. */
  readonly face: RecycleFace | null;
  readonly source: RecycleSpot | null;
  readonly target: RecycleSpot | null;
  /** Whose storage it is, or which player is meant. */
  readonly owner: number | null;
  /** What is stored. */
  readonly name: string | null;
  readonly value: number | string | readonly RecycleAward[] | null;
  /** The second card that is swapped. */
  readonly otherFace: RecycleFace | null;
}

/** Something you may do. */
export interface RecycleMove {
  /** The move in words, as it stands in `legal`. */
  readonly text: string;
  /** What is done, one after the other; empty where a decision has too many moves to tell. */
  readonly steps: readonly RecycleStep[];
}

/** A game described in RECYCLE. */
export interface RecycleRules {
  /** What the game is called. */
  readonly name: string;
  /** Its rules. */
  readonly program: string;
  /** With which number the program begins to count players: 0 or 1. */
  readonly numbering: number;
  /** How many hands a match has. */
  readonly hands: number;
  /** How many players there are. */
  readonly players: number;
  /** The side of each player, from 1. */
  readonly sides: readonly number[];
  /** Your seat for the whole match, from 1. */
  readonly seat: number;
  /** Whether the program's scores are the better the lower; what you are told is turned round. */
  readonly lowestWins: boolean;
  /** The different cards. */
  readonly faces: readonly RecycleFace[];
}

/** What you know of a hand of a game that is described in RECYCLE. */
export interface RecycleView {
  readonly game: "recycle";
  readonly phase: "acting";
  /** The texts of what you may do; return one of them. */
  readonly legal: readonly string[];
  /** What you may do, in the order of `legal`. */
  readonly moves: readonly RecycleMove[];

  /** The game at this table. */
  readonly rules: RecycleRules;
  /** The table: a number that means nothing, another one for every match. */
  readonly table: number;
  /** The number of this decision; the referee counts them. */
  readonly turn: number;
  /** The milliseconds left for this match; null if only each decision is limited. */
  readonly timeLeftMs: number | null;
  /** The number of this hand in its match, from 0. */
  readonly handNumber: number;

  /** Your seat for the whole match, from 0. */
  readonly seat: number;
  /** Which player of the program you are in this hand, from 1. */
  readonly player: number;
  /** What each side of this hand scored before it, the first side first; more is better. */
  readonly scores: readonly number[];

  /** The places that were used in this hand. */
  readonly places: readonly RecyclePlace[];
  /** The numbers that are stored; what is not there is 0. */
  readonly numbers: readonly {
    readonly owner: number;
    readonly name: string;
    readonly value: number;
  }[];
  /** Return a number that is stored. */
  number(owner: number, name: string): number;
  /** The texts that are stored; what is not there is empty. */
  readonly texts: readonly {
    readonly owner: number;
    readonly name: string;
    readonly value: string;
  }[];
  /** Return a text that is stored. */
  text(owner: number, name: string): string;
  /** What cards score; the awards of a card add up. */
  readonly points: readonly RecyclePoints[];
  /** Where the program stands. */
  readonly flow: readonly number[];

  /** Return the situation in a line. */
  toString(): string;
}
