/** The wire format of protocol buffers: tags, numbers, and parts that are bytes. */
import { NotUnderstood } from "./errors.js";

const VARINT = 0;
const FIXED_64 = 1;
const BYTES = 2;
const GROUP = 3;
const GROUP_END = 4;
const FIXED_32 = 5;
const MOST_VARINT_BYTES = 10;
const MOST_GROUPS = 100;

/**
 * A list that is not there.
 *
 * @type {readonly number[]}
 */
export const NO_NUMBERS = Object.freeze([]);

const UTF_8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** Reads a message that lies somewhere in the bytes of a larger one. */
export class Reader {
  /**
   * @param {Uint8Array} bytes
   * @param {number} [at]
   * @param {number} [end]
   */
  constructor(bytes, at = 0, end = bytes.length) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
  }

  /** Return a reader of the same from here on, which leaves this one where it is. */
  again() {
    return new Reader(this.bytes, this.at, this.end);
  }

  get more() {
    return this.at < this.end;
  }

  /** Read a tag or a number; of one that has more than 32 bits, the lower ones. */
  number() {
    // Nearly all have one byte.
    const byte = this.at < this.end ? this.bytes[this.at] : 0x80;
    if (byte >= 0x80) return this._longNumber();
    this.at++;
    return byte;
  }

  /** Read the halves of a number of 64 bits. */
  fixed64() {
    const start = this._pass(8);
    const { buffer, byteOffset } = this.bytes;
    const view = new DataView(buffer, byteOffset + start, 8);
    return { low: view.getUint32(0, true), high: view.getUint32(4, true) };
  }

  /** Read a part: a message, a text or a packed list. */
  part() {
    const start = this._pass(this.number());
    return new Reader(this.bytes, start, this.at);
  }

  text() {
    const { bytes, at, end } = this.part();
    return UTF_8.decode(bytes.subarray(at, end));
  }

  /** Read a number that may be below 0: 0, -1, 1, -2 are written as 0, 1, 2, 3. */
  signed() {
    return signedOf(this.number());
  }

  /**
   * Read a list of such numbers.
   *
   * @param {number} tag
   * @param {readonly number[]} before
   */
  signedList(tag, before) {
    return [...before, ...this.list(tag, NO_NUMBERS).map(signedOf)];
  }

  /**
   * Read a list, or one more number of it, for a list may come in pieces.
   *
   * @param {number} tag
   * @param {readonly number[]} before
   * @returns {readonly number[]}
   */
  list(tag, before) {
    if ((tag & 7) !== BYTES) return [...before, this.number()];
    const part = this.part();
    const numbers = new Array(part.end - part.at);
    let count = 0;
    while (part.more) numbers[count++] = part.number();
    if (count < numbers.length) numbers.length = count;
    return before.length > 0 ? [...before, ...numbers] : numbers;
  }

  /**
   * Pass over a field that is not known.
   *
   * @param {number} tag
   */
  skip(tag, groups = 0) {
    const kind = tag & 7;
    if (kind === VARINT) this.number();
    else if (kind === BYTES) this._pass(this.number());
    else if (kind === FIXED_64) this._pass(8);
    else if (kind === FIXED_32) this._pass(4);
    else if (kind === GROUP && groups < MOST_GROUPS) this._skipGroup(groups + 1);
    else throw malformed();
  }

  /** @param {number} groups */
  _skipGroup(groups) {
    for (let tag = this.number(); (tag & 7) !== GROUP_END; tag = this.number()) {
      this.skip(tag, groups);
    }
  }

  _longNumber() {
    let number = 0;
    for (let place = 0; place < MOST_VARINT_BYTES; place++) {
      const byte = this.bytes[this._pass(1)];
      if (place < 5) number |= (byte & 0x7f) << (7 * place);
      if (byte < 0x80) return number >>> 0;
    }
    throw malformed();
  }

  /**
   * Go on by so many bytes, and give where they begin.
   *
   * @param {number} size
   */
  _pass(size) {
    const start = this.at;
    if (size > this.end - start) throw malformed();
    this.at = start + size;
    return start;
  }
}

/** @param {number} number */
function signedOf(number) {
  return (number >>> 1) ^ -(number & 1);
}

function malformed() {
  return new NotUnderstood("a message of the referee breaks off, or is none");
}

/**
 * Write a field that is a number.
 *
 * @param {number} field
 * @param {number} number
 */
export function numberField(field, number) {
  return Buffer.from([(field << 3) | VARINT, ...varints([number])]);
}

/**
 * Write a field that is bytes.
 *
 * @param {number} field
 * @param {Uint8Array} bytes
 */
export function bytesField(field, bytes) {
  return Buffer.concat([Buffer.from([(field << 3) | BYTES, ...varints([bytes.length])]), bytes]);
}

/**
 * Write numbers of up to 32 bits as a packed list.
 *
 * @param {readonly number[]} numbers
 */
export function varints(numbers) {
  const bytes = Buffer.allocUnsafe(5 * numbers.length);
  let size = 0;
  for (let number of numbers) {
    for (; number >= 0x80; number >>>= 7) bytes[size++] = (number & 0x7f) | 0x80;
    bytes[size++] = number;
  }
  return bytes.subarray(0, size);
}
