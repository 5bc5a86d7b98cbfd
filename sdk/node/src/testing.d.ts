/** Situations for the tests of a bot: what it would see, made from a few cards. */
import type { Action, Card, Rules, Sides, Suit, View } from "./index.js";

/**
 * What is so. Only `hand` must be told; the rest has defaults, from South's place in a hand that
 * West dealt. It is not checked whether the game could come to this.
 *
 * In euchre a call is due until there is a `trump`, then a discard if six cards are held.
 */
export interface Situation {
  /** `"euchre"` if left out. */
  game?: "euchre" | "whist";
  hand: readonly Card[];
  /** What may be done, if it is not all that the cards allow. */
  legal?: readonly Action[];
  seat?: number;
  dealer?: number;
  score?: Sides;
  rules?: Partial<Rules>;
  handNumber?: number;
  upcard?: Card;
  trumpCard?: Card;
  trump?: Suit | null;
  calls?: readonly Action[];
  dealerStuck?: boolean;
  maker?: number | null;
  sitsOut?: number | null;
  discard?: Card | null;
  /** The finished tricks. */
  tricks?: readonly { leader: number; cards: readonly Card[] }[];
  /** Who leads the trick in progress. */
  leader?: number | null;
  /** The cards of the trick in progress. */
  trick?: readonly Card[];
}

/** Give the view of a situation. */
export function situation(situation: Situation): View;
