/**
 * The messages of the protocol: their shapes, and how they are read and written.
 *
 * `protocol.json` holds what the .proto files say, for those do not travel with a package;
 * `npm run protocol` makes it anew.
 *
 * @typedef {object} TableMessage
 * @property {number} seat
 * @property {number} dealer
 * @property {number} pointsNorthSouth
 * @property {number} pointsEastWest
 * @property {number} handNumber
 * @property {number[]} hand
 * @property {number[]} played
 * @property {number[]} leaders
 * @property {number[]} legalCards
 *
 * @typedef {object} EuchreOnly
 * @property {number} phase
 * @property {boolean} dealerStuck
 * @property {number} upcard
 * @property {number[]} calls
 * @property {number} trump
 * @property {number} maker
 * @property {number} sitsOut
 * @property {number} discard
 * @property {number[]} legalCalls
 *
 * @typedef {TableMessage & EuchreOnly} EuchreMessage
 * @typedef {TableMessage & { trumpCard: number }} WhistMessage
 * @typedef {EuchreMessage | WhistMessage} ViewMessage
 *
 * @typedef {object} Turn
 * @property {number} turnId
 * @property {number} tableId
 * @property {number} timeLeftMs
 * @property {EuchreMessage | null} [euchre]
 * @property {WhistMessage | null} [whist]
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
 * @property {EuchreRulesMessage | null} [euchre]
 * @property {WhistRulesMessage | null} [whist]
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
 */
import { readFileSync } from "node:fs";
import protobuf from "protobufjs/light.js";

const descriptor = JSON.parse(readFileSync(new URL("protocol.json", import.meta.url), "utf8"));
const root = protobuf.Root.fromJSON(descriptor);
const requests = root.lookupType("upcard.v1.PlayRequest");
const responses = root.lookupType("upcard.v1.PlayResponse");
const faults = root.lookupEnum("upcard.v1.Fault");

// Now and not in the time of the first decision: the code that reads messages is made.
const { nestedArray } = /** @type {protobuf.Namespace} */ (root.lookup("upcard.v1"));
for (const type of nestedArray) if (type instanceof protobuf.Type) type.setup();

/** The one call of a bot. */
export const PLAY = "/upcard.v1.RefereeService/Play";

/**
 * @param {PlayRequest} request
 * @returns {Buffer}
 */
export function encode(request) {
  return /** @type {Buffer} */ (requests.encode(request).finish());
}

/**
 * @param {Uint8Array} bytes
 * @returns {PlayResponse}
 */
export function decode(bytes) {
  return /** @type {any} */ (responses.decode(bytes));
}

/** @param {number} number */
export function faultNamed(number) {
  return faults.valuesById[number]?.replace("FAULT_", "") ?? String(number);
}
