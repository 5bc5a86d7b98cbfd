/**
 * A game described in RECYCLE as the referee writes it: its rules, and what a player is shown.
 *
 * @import { Reader } from "./wire.js"
 *
 * @typedef {{ name: string, attributes: [string, string][], back: string, cards: number }} FaceMessage
 *
 * @typedef {object} RecycleRulesMessage
 * @property {string} name
 * @property {string} program
 * @property {number} numbering
 * @property {number} hands
 * @property {number} players
 * @property {readonly number[]} sides
 * @property {number} seat
 * @property {boolean} lowestWins
 * @property {FaceMessage[]} faces
 *
 * @typedef {object} PlaceMessage
 * @property {number} owner
 * @property {string} kind
 * @property {string} name
 * @property {number} index
 * @property {number} size
 * @property {boolean} hidden
 * @property {readonly number[]} faces
 * @property {[string, number][]} backs
 *
 * @typedef {{ owner: number, name: string, value: number }} NumberMessage
 * @typedef {{ owner: number, name: string, value: string }} TextMessage
 * @typedef {{ attributes: [string, string][], points: number }} AwardMessage
 * @typedef {{ owner: number, name: string, awards: AwardMessage[] }} PointsMessage
 *
 * @typedef {object} StepMessage
 * @property {string} verb
 * @property {number} face
 * @property {PlaceMessage | null} source
 * @property {PlaceMessage | null} target
 * @property {number | null} owner
 * @property {string} name
 * @property {number | string | AwardMessage[] | null} value
 * @property {number} otherFace
 *
 * @typedef {{ text: string, steps: StepMessage[] }} MoveMessage
 */
import { NO_NUMBERS } from "./wire.js";

/**
 * Read a message field by field. A field that is not known is passed over.
 *
 * @param {Reader} reader
 * @param {Record<number, (tag: number) => void>} fields by their numbers
 */
function each(reader, fields) {
  while (reader.more) {
    const tag = reader.number();
    const read = fields[tag >>> 3];
    if (read) read(tag);
    else reader.skip(tag);
  }
}

/**
 * @param {Reader} reader
 * @returns {RecycleRulesMessage}
 */
export function recycleRules(reader) {
  /** @type {RecycleRulesMessage} */
  const rules = {
    name: "",
    program: "",
    numbering: 0,
    hands: 0,
    players: 0,
    sides: NO_NUMBERS,
    seat: 0,
    lowestWins: false,
    faces: [],
  };
  each(reader, {
    1: () => (rules.name = reader.text()),
    2: () => (rules.program = reader.text()),
    3: () => (rules.numbering = reader.number()),
    4: () => (rules.hands = reader.number()),
    5: () => (rules.players = reader.number()),
    6: (tag) => (rules.sides = reader.list(tag, rules.sides)),
    7: () => (rules.seat = reader.number()),
    8: () => (rules.lowestWins = reader.number() !== 0),
    9: () => rules.faces.push(face(reader.part())),
  });
  return rules;
}

/** @param {Reader} reader */
function face(reader) {
  /** @type {FaceMessage} */
  const told = { name: "", attributes: [], back: "", cards: 0 };
  each(reader, {
    1: () => (told.name = reader.text()),
    2: () => told.attributes.push(attribute(reader.part())),
    3: () => (told.back = reader.text()),
    4: () => (told.cards = reader.number()),
  });
  return told;
}

/**
 * @param {Reader} reader
 * @returns {[string, string]}
 */
function attribute(reader) {
  const told = { key: "", value: "" };
  each(reader, {
    1: () => (told.key = reader.text()),
    2: () => (told.value = reader.text()),
  });
  return [told.key, told.value];
}

/** What a player is shown; the numbers are those of the fields. */
export class RecycleMessage {
  player = 0;
  handNumber = 0;
  scores = NO_NUMBERS;
  /** @type {PlaceMessage[]} */ places = [];
  /** @type {NumberMessage[]} */ numbers = [];
  /** @type {TextMessage[]} */ texts = [];
  /** @type {PointsMessage[]} */ points = [];
  flow = NO_NUMBERS;
  /** @type {MoveMessage[]} */ legal = [];

  /** @param {Reader} reader */
  constructor(reader) {
    each(reader, {
      1: () => (this.player = reader.number()),
      2: () => (this.handNumber = reader.number()),
      3: (tag) => (this.scores = reader.signedList(tag, this.scores)),
      4: () => this.places.push(place(reader.part())),
      5: () => this.numbers.push(storedNumber(reader.part())),
      6: () => this.texts.push(storedText(reader.part())),
      7: () => this.points.push(points(reader.part())),
      8: (tag) => (this.flow = reader.signedList(tag, this.flow)),
      9: () => this.legal.push(move(reader.part())),
    });
  }
}

/**
 * Read the texts of the moves, and nothing else.
 *
 * @param {Reader} reader
 */
export function textsOfMoves(reader) {
  /** @type {string[]} */
  const texts = [];
  each(reader, {
    9: () => {
      const part = reader.part();
      let text = "";
      each(part, { 1: () => (text = part.text()) });
      texts.push(text);
    },
  });
  return texts;
}

/** @param {Reader} reader */
function place(reader) {
  /** @type {PlaceMessage} */
  const told = {
    owner: 0,
    kind: "",
    name: "",
    index: 0,
    size: 0,
    hidden: false,
    faces: NO_NUMBERS,
    backs: [],
  };
  each(reader, {
    1: () => (told.owner = reader.signed()),
    2: () => (told.kind = reader.text()),
    3: () => (told.name = reader.text()),
    4: () => (told.index = reader.number()),
    5: () => (told.size = reader.number()),
    6: () => (told.hidden = reader.number() !== 0),
    7: (tag) => (told.faces = reader.list(tag, told.faces)),
    8: () => told.backs.push(back(reader.part())),
  });
  return told;
}

/**
 * @param {Reader} reader
 * @returns {[string, number]}
 */
function back(reader) {
  const told = { name: "", cards: 0 };
  each(reader, {
    1: () => (told.name = reader.text()),
    2: () => (told.cards = reader.number()),
  });
  return [told.name, told.cards];
}

/** @param {Reader} reader */
function storedNumber(reader) {
  const told = { owner: 0, name: "", value: 0 };
  each(reader, {
    1: () => (told.owner = reader.signed()),
    2: () => (told.name = reader.text()),
    3: () => (told.value = reader.signed()),
  });
  return told;
}

/** @param {Reader} reader */
function storedText(reader) {
  const told = { owner: 0, name: "", value: "" };
  each(reader, {
    1: () => (told.owner = reader.signed()),
    2: () => (told.name = reader.text()),
    3: () => (told.value = reader.text()),
  });
  return told;
}

/** @param {Reader} reader */
function points(reader) {
  /** @type {PointsMessage} */
  const told = { owner: 0, name: "", awards: [] };
  each(reader, {
    1: () => (told.owner = reader.signed()),
    2: () => (told.name = reader.text()),
    3: () => told.awards.push(award(reader.part())),
  });
  return told;
}

/** @param {Reader} reader */
function award(reader) {
  /** @type {AwardMessage} */
  const told = { attributes: [], points: 0 };
  each(reader, {
    1: () => told.attributes.push(attribute(reader.part())),
    2: () => (told.points = reader.signed()),
  });
  return told;
}

/** @param {Reader} reader */
function move(reader) {
  /** @type {MoveMessage} */
  const told = { text: "", steps: [] };
  each(reader, {
    1: () => (told.text = reader.text()),
    2: () => told.steps.push(step(reader.part())),
  });
  return told;
}

/** @param {Reader} reader */
function step(reader) {
  /** @type {StepMessage} */
  const told = {
    verb: "",
    face: 0,
    source: null,
    target: null,
    owner: null,
    name: "",
    value: null,
    otherFace: 0,
  };
  each(reader, {
    1: () => (told.verb = reader.text()),
    2: () => (told.face = reader.number()),
    3: () => (told.source = place(reader.part())),
    4: () => (told.target = place(reader.part())),
    5: () => (told.owner = reader.signed()),
    6: () => (told.name = reader.text()),
    7: () => (told.value = reader.signed()),
    8: () => (told.value = reader.text()),
    9: () => (told.value = points(reader.part()).awards),
    10: () => (told.otherFace = reader.number()),
  });
  return told;
}
