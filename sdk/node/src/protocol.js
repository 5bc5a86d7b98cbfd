/**
 * The messages of the protocol: their shapes, and how they are read and written.
 *
 * They are read by hand, for a frame has many of them, and most of what is in them nobody asks for.
 * The cases are the numbers of the fields, as the .proto files have them; what has no case is
 * passed over.
 *
 * @typedef {object} Turn
 * @property {number} turnId
 * @property {number} tableId
 * @property {number} timeLeftMs
 * @property {Reader | null} euchre what the seat sees, not yet read
 * @property {Reader | null} whist
 * @property {Reader | null} recycle
 *
 * @typedef {object} TableOpened
 * @property {number} tableId
 * @property {{ low: number, high: number }} seed
 *
 * @typedef {{ opened: TableOpened[], turns: Turn[], closed: { tableId: number }[] }} Frame
 *
 * @typedef {object} EuchreRulesMessage
 * @property {number} target
 * @property {boolean} alone
 * @property {boolean} stickDealer
 * @property {boolean} partnerMustGoAlone
 *
 * @typedef {{ target: number }} WhistRulesMessage
 *
 * @typedef {object} Welcome
 * @property {number} seat
 * @property {EuchreRulesMessage | null} euchre
 * @property {WhistRulesMessage | null} whist
 * @property {RecycleRulesMessage | null} recycle
 *
 * @typedef {object} FaultNotice
 * @property {number} fault
 * @property {number} tableId
 * @property {number} turnId
 * @property {string} explanation
 *
 * @typedef {object} PlayResponse
 * @property {Welcome | null} welcome
 * @property {Frame | null} frame
 * @property {FaultNotice | null} fault
 * @property {object | null} goodbye
 *
 * @typedef {{ turnIds: number[], choices: number[] }} Answers
 *
 * @typedef {object} Hello
 * @property {string} token
 * @property {number} protocolRevision
 * @property {string} sdk
 * @property {number} tables
 *
 * @typedef {{ hello: Hello } | { answers: Answers }} PlayRequest
 *
 * @import { RecycleRulesMessage } from "./recycle_message.js"
 */
import { recycleRules } from "./recycle_message.js";
import { bytesField, numberField, Reader, varints } from "./wire.js";

/** The one call of a bot. */
export const PLAY = "/upcard.v1.RefereeService/Play";

const FAULTS = [
  "UNSPECIFIED",
  "ILLEGAL_ACTION",
  "MALFORMED_MESSAGE",
  "PROTOCOL_ERROR",
  "DECISION_TIMEOUT",
  "BANK_EMPTY",
  "CRASHED",
  "DISCONNECTED",
  "MEMORY_LIMIT",
  "CPU_LIMIT",
  "PROCESS_LIMIT",
  "OUTPUT_LIMIT",
  "NEVER_READY",
];

/** @param {number} number */
export function faultNamed(number) {
  return FAULTS[number] ?? String(number);
}

// Writing

/**
 * @param {PlayRequest} request
 * @returns {Buffer}
 */
export function encode(request) {
  return "hello" in request ? bytesField(1, hello(request.hello)) : answers(request.answers);
}

/** @param {Hello} hello */
function hello({ token, protocolRevision, sdk, tables }) {
  return Buffer.concat([
    bytesField(1, Buffer.from(token)),
    numberField(2, protocolRevision),
    bytesField(3, Buffer.from(sdk)),
    numberField(4, tables),
  ]);
}

/** @param {Answers} answers */
function answers({ turnIds, choices }) {
  const lists = [bytesField(1, varints(turnIds)), bytesField(2, varints(choices))];
  return bytesField(2, Buffer.concat(lists));
}

// Reading

/**
 * @param {Uint8Array} bytes
 * @returns {PlayResponse}
 */
export function decode(bytes) {
  const reader = new Reader(bytes);
  /** @type {PlayResponse} */
  const response = { welcome: null, frame: null, fault: null, goodbye: null };
  while (reader.more) {
    const tag = reader.number();
    switch (tag >>> 3) {
      case 1:
        response.welcome = welcome(reader.part());
        break;
      case 2:
        response.frame = frame(reader.part());
        break;
      case 3:
        response.fault = fault(reader.part());
        break;
      case 4:
        response.goodbye = reader.part();
        break;
      default:
        reader.skip(tag);
    }
  }
  return response;
}

/**
 * @param {Reader} reader
 * @returns {Welcome}
 */
function welcome(reader) {
  /** @type {Welcome} */
  const found = { seat: 0, euchre: null, whist: null, recycle: null };
  while (reader.more) {
    const tag = reader.number();
    switch (tag >>> 3) {
      case 2:
        found.seat = reader.number();
        break;
      case 4:
        found.euchre = euchreRules(reader.part());
        break;
      case 5:
        found.whist = whistRules(reader.part());
        break;
      case 6:
        found.recycle = recycleRules(reader.part());
        break;
      default:
        reader.skip(tag);
    }
  }
  return found;
}

/**
 * @param {Reader} reader
 * @returns {EuchreRulesMessage}
 */
function euchreRules(reader) {
  const rules = { target: 0, alone: false, stickDealer: false, partnerMustGoAlone: false };
  while (reader.more) {
    const tag = reader.number();
    switch (tag >>> 3) {
      case 1:
        rules.alone = reader.number() !== 0;
        break;
      case 2:
        rules.stickDealer = reader.number() !== 0;
        break;
      case 3:
        rules.partnerMustGoAlone = reader.number() !== 0;
        break;
      case 4:
        rules.target = reader.number();
        break;
      default:
        reader.skip(tag);
    }
  }
  return rules;
}

/**
 * @param {Reader} reader
 * @returns {WhistRulesMessage}
 */
function whistRules(reader) {
  const rules = { target: 0 };
  while (reader.more) {
    const tag = reader.number();
    switch (tag >>> 3) {
      case 1:
        rules.target = reader.number();
        break;
      default:
        reader.skip(tag);
    }
  }
  return rules;
}

/**
 * @param {Reader} reader
 * @returns {FaultNotice}
 */
function fault(reader) {
  const notice = { fault: 0, tableId: 0, turnId: 0, explanation: "" };
  while (reader.more) {
    const tag = reader.number();
    switch (tag >>> 3) {
      case 1:
        notice.fault = reader.number();
        break;
      case 2:
        notice.tableId = reader.number();
        break;
      case 3:
        notice.turnId = reader.number();
        break;
      case 4:
        notice.explanation = reader.text();
        break;
      default:
        reader.skip(tag);
    }
  }
  return notice;
}

/**
 * @param {Reader} reader
 * @returns {Frame}
 */
function frame(reader) {
  /** @type {Frame} */
  const found = { opened: [], turns: [], closed: [] };
  while (reader.more) {
    const tag = reader.number();
    switch (tag >>> 3) {
      case 1:
        found.opened.push(opened(reader.part()));
        break;
      case 2:
        found.turns.push(turn(reader.part()));
        break;
      case 3:
        found.closed.push(closed(reader.part()));
        break;
      default:
        reader.skip(tag);
    }
  }
  return found;
}

/**
 * @param {Reader} reader
 * @returns {TableOpened}
 */
function opened(reader) {
  const table = { tableId: 0, seed: { low: 0, high: 0 } };
  while (reader.more) {
    const tag = reader.number();
    switch (tag >>> 3) {
      case 1:
        table.tableId = reader.number();
        break;
      case 2:
        table.seed = reader.fixed64();
        break;
      default:
        reader.skip(tag);
    }
  }
  return table;
}

/**
 * @param {Reader} reader
 * @returns {{ tableId: number }}
 */
function closed(reader) {
  const table = { tableId: 0 };
  while (reader.more) {
    const tag = reader.number();
    switch (tag >>> 3) {
      case 1:
        table.tableId = reader.number();
        break;
      default:
        reader.skip(tag);
    }
  }
  return table;
}

/**
 * @param {Reader} reader
 * @returns {Turn}
 */
function turn(reader) {
  /** @type {Turn} */
  const due = {
    turnId: 0,
    tableId: 0,
    timeLeftMs: 0,
    euchre: null,
    whist: null,
    recycle: null,
  };
  while (reader.more) {
    const tag = reader.number();
    switch (tag >>> 3) {
      case 1:
        due.turnId = reader.number();
        break;
      case 2:
        due.tableId = reader.number();
        break;
      case 3:
        due.timeLeftMs = reader.number();
        break;
      case 4:
        due.euchre = reader.part();
        break;
      case 5:
        due.whist = reader.part();
        break;
      case 15:
        due.recycle = reader.part();
        break;
      default:
        reader.skip(tag);
    }
  }
  return due;
}
