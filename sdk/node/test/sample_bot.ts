/** A bot in TypeScript, there to be checked and not to be run. */
import {
  type Action,
  Bot,
  type Card,
  euchre,
  type EuchreView,
  type RecycleView,
  run,
  SOUTH,
  type View,
} from "upcard";
import { situation } from "upcard/testing";

class Sample extends Bot {
  override bid(view: EuchreView, legal: readonly Action[]): Action {
    const upcard: Card = view.upcard;
    return view.seat === SOUTH && upcard === "JD" ? "order_up" : legal[0];
  }

  override play(view: View): Action {
    if (view.game === "whist") return `play:${view.trumpCard}`;
    // @ts-expect-error: in euchre there may be no trump yet
    euchre.strength(view.upcard, view.trump).toFixed(view.trump.length);
    return `play:${view.legalCards[0]}`;
  }

  override act(view: RecycleView, legal: readonly string[]): string {
    const [face] = view.places[0].faces ?? [];
    // @ts-expect-error: a place may be hidden
    view.places[0].faces.length.toFixed(view.number(0, "BET"));
    return face?.attributes.SUIT === "H" ? view.moves[0].text : legal[0];
  }

  override discard(view: EuchreView): Action {
    // @ts-expect-error: a card is no action
    const wrong: Action = view.hand[0];
    // @ts-expect-error: there is no such card
    view.strength("1D");
    // @ts-expect-error: what a view tells is not the bot's to change
    view.hand.push("JD");
    return this.random.pick(view.legal) ?? wrong;
  }
}

situation({ hand: ["JD"], trump: "H" })
  .voidSuits((SOUTH + 1) % 4)
  .has("C");
run((table) => new Sample(table), { tables: 16 });
// @ts-expect-error: a class is not what makes a bot
run(Sample);
