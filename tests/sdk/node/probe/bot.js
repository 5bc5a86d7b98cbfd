// @ts-check
/** A bot that does what its first argument says, so that a test can see what becomes of it. */
import { Bot, log, run } from "upcard";

/** @import { Action, View } from "upcard" */

const SLOW_MS = 30;

class First extends Bot {
  decisions = 0;

  /**
   * @param {View} _view
   * @param {readonly Action[]} legal
   * @returns {Action}
   */
  choose(_view, legal) {
    this.decisions++;
    this.before();
    return legal[0];
  }

  before() {}
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

class Slow extends First {
  before() {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SLOW_MS);
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
