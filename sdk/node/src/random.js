/**
 * The chance a bot plays by: small, fast, and the same again from the same seed.
 *
 * @import { Random as PublicRandom } from "./index.js"
 */

const WARM_UP = 15;

/**
 * The generator sfc32. A seed of 64 bits comes as its two halves.
 *
 * @implements {PublicRandom}
 */
export class Random {
  #a;
  #b;
  #c = 0;
  #counter = 1;

  /**
   * @param {number} low
   * @param {number} [high]
   */
  constructor(low, high = 0) {
    this.#a = low | 0;
    this.#b = high | 0;
    for (let turn = 0; turn < WARM_UP; turn++) this.#bits();
  }

  next() {
    return this.#bits() / 2 ** 32;
  }

  /** @param {number} limit */
  below(limit) {
    return Math.floor(this.next() * limit);
  }

  /**
   * @template Value
   * @param {readonly Value[]} values
   */
  pick(values) {
    return values[this.below(values.length)];
  }

  /**
   * @template Value
   * @param {readonly Value[]} values
   */
  shuffled(values) {
    const mixed = [...values];
    for (let last = mixed.length - 1; last > 0; last--) {
      const other = this.below(last + 1);
      [mixed[last], mixed[other]] = [mixed[other], mixed[last]];
    }
    return mixed;
  }

  #bits() {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }
}
