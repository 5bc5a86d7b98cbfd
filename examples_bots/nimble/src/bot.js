// @ts-check
/**
 * A quick player of both games, written to be read: begin here, then see the page of each game.
 *
 * It makes trump on a hand it has counted, leads what cannot be beaten, wins tricks as cheaply as
 * it can and throws what it misses least. It draws no lots.
 */
import { Bot, run } from "upcard";
import * as euchre from "./euchre.js";
import * as whist from "./whist.js";

/** @import { Action, EuchreView, View } from "upcard" */

class Nimble extends Bot {
  /**
   * @param {EuchreView} view
   * @param {readonly Action[]} legal
   */
  bid(view, legal) {
    return euchre.call(view, legal);
  }

  /**
   * @param {EuchreView} view
   * @returns {Action}
   */
  discard(view) {
    return `discard:${euchre.cardToDiscard(view)}`;
  }

  /**
   * @param {View} view
   * @returns {Action}
   */
  play(view) {
    const game = view.game === "euchre" ? euchre : whist;
    return `play:${view.suitLed === null ? game.lead(view) : game.follow(view)}`;
  }
}

run((table) => new Nimble(table));
