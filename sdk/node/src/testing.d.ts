/** Situations for the tests of a bot: the view of a moment that its author thinks of. */
import type { Action, Call, Card, Factory, Rules, Sides, Suit, UpcardError, View } from "./index.js";

/** A text with spaces between its words, or one word by one. */
export type Words<Word> = string | readonly Word[];

/**
 * What is so. Only what matters has to be told; the rest follows by the rules: who is to act, who
 * made trump, who won which trick, what is legal.
 */
export interface Situation {
  /** `"euchre"` if left out. */
  game?: "euchre" | "whist";
  /**
   * The cards of who is to act; with six, the dealer has to lay one away. There may be fewer than
   * there would be: those that matter.
   */
  hand: Words<Card>;
  /** Who is to act; that follows from the rest, and is checked if it is told. */
  seat?: number;
  /** West if left out. */
  dealer?: number;
  /** Euchre: the card turned up. */
  upcard?: Card;
  /** Whist: the last card dealt. */
  trumpCard?: Card;
  /**
   * Euchre: the trump suit, instead of `calls`. It was ordered up if it is the upcard's, else named;
   * where no upcard is told, that is a card nobody has.
   */
  trump?: Suit | null;
  /** Euchre: who made trump, instead of `calls`; eldest if left out. */
  maker?: number | null;
  /** Euchre: what was said so far, eldest's call first. */
  calls?: Words<Call>;
  /** Every card of this hand that was played, in order; who played it follows. */
  played?: Words<Card>;
  /** Euchre: what the dealer laid away, where she is the one to act. */
  discard?: Card | null;
  /** Before this hand. */
  score?: Sides;
  /** From 0. */
  handNumber?: number;
  /** Euchre: whether the dealer must name a suit in the end though the rules do not say so. */
  dealerStuck?: boolean;
  /** Those that are not the usual ones of a match to 10 points. */
  rules?: Partial<Rules>;
}

/** A situation that cannot have come about by the rules. */
export class ImpossibleSituation extends UpcardError {}

/** Return the view of the seat that is to act; throws an `ImpossibleSituation`. */
export function situation(situation: Situation): View;

/**
 * Ask a bot what it chooses in a situation; its chance is the same each time.
 *
 * It throws `IllegalChoice` for what is not legal there.
 */
export function ask(factory: Factory, view: View): Action;
