/** How this bot plays: simply, but sensibly. Begin to change it wherever you know better. */
import { type Action, Bot, type Card, type EuchreView, SUITS, type Suit, type View } from "upcard";

export class Player extends Bot {
  /**
   * Euchre: pass, or make trump with three of the suit. The upcard's suit is on offer first, by
   * `order_up`; in the second round the others are, by `name:H` and so on.
   */
  override bid(view: EuchreView, legal: readonly Action[]): Action {
    const good = SUITS.filter((suit) => trumps(view, suit) >= 3).map((suit): Action =>
      suit === view.upcard[1] ? "order_up" : `name:${suit}`,
    );
    // `pass` comes first, but for a dealer who must name a suit.
    return good.find((call) => legal.includes(call)) ?? legal[0];
  }

  /** Euchre: the dealer took the upcard and lays one of her six cards away. */
  override discard(view: EuchreView): Action {
    return `discard:${lowest(view, view.hand)}`;
  }

  /** Both games: a card to the trick. `view.legalCards` are those that may be played. */
  override play(view: View): Action {
    const winning = view.legalCards.filter((card) => view.takesTrick(card));
    // The leader is winning with any card. Could you choose a better one?
    if (view.suitLed === null) return `play:${highest(view, winning)}`;
    if (winning.length > 0 && !view.partnerIsWinning) return `play:${lowest(view, winning)}`;
    return `play:${lowest(view, view.legalCards)}`;
  }
}

/** Count the cards that would be trumps, bowers included. */
export function trumps(view: EuchreView, suit: Suit): number {
  return view.hand.filter((card) => view.effectiveSuit(card, suit) === suit).length;
}

/** Return the card to miss least: any other suit before a trump, then the weakest. */
export function lowest(view: View, cards: readonly Card[]): Card {
  return cards.reduce((low, card) => (price(view, card) < price(view, low) ? card : low));
}

/** Return the card most likely to win. */
export function highest(view: View, cards: readonly Card[]): Card {
  return cards.reduce((high, card) => (price(view, card) > price(view, high) ? card : high));
}

function price(view: View, card: Card): number {
  return view.strength(card) + (view.effectiveSuit(card) === view.trump ? 20 : 0);
}
