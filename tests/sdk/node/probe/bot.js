// @ts-check
/** A bot that does what its first argument says, so that a test can see what becomes of it. */
import { existsSync } from "node:fs";
import { Bot, log, run } from "upcard";

/** @import { Action, View } from "upcard" */

const SLOW_MS = 30;
const TOO_LONG_MS = 60_000;

class First extends Bot {
  decisions = 0;

  /**
   * @param {View} view
   * @param {readonly Action[]} legal
   * @returns {Action}
   */
  choose(view, legal) {
    this.decisions++;
    this.before(view);
    return legal[0];
  }

  /** @param {View} _view */
  before(_view) {}
}

class Raise extends First {
  before() {
    if (this.decisions === 3) throw new Error("the probe fails on purpose");
  }
}

class Illegal extends First {
  /**
   * @param {View} _view
   * @param {readonly Action[]} legal
   * @returns {Action}
   */
  choose(_view, legal) {
    return legal.includes("pass") ? "play:JD" : "pass";
  }
}

/** Computes for a while, and from its sixth decision on until its first ones have been heard. */
class Slow extends First {
  /** @param {View} view */
  before(view) {
    const begun = performance.now();
    const waits = () => view.turn > 5 && !existsSync(process.env.HEARD ?? "");
    while (performance.now() - begun < SLOW_MS || waits())
      if (performance.now() - begun > TOO_LONG_MS) throw new Error("nothing was heard meanwhile");
  }
}

class Log extends First {
  before() {
    log("a word from the probe");
  }
}

const WAYS = { first: First, raise: Raise, illegal: Illegal, slow: Slow, log: Log };
const Way = WAYS[/** @type {keyof typeof WAYS} */ (process.argv[2])];

run((table) => new Way(table));
