/** The helpers mean what they mean in every other SDK. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { SUITS } from "upcard";
import { ImpossibleSituation, situation } from "upcard/testing";
import { Tables } from "../src/answering.js";
import { CARD_OF } from "../src/cards.js";
import { euchre } from "../src/euchre.js";
import { decode } from "../src/protocol.js";
import { whist } from "../src/whist.js";
import { bytesField } from "../src/wire.js";

const GAMES = { euchre, whist };

/**
 * @param {string} name
 * @returns {any[]}
 */
function vectors(name) {
  const path = new URL(`../../testdata/${name}.jsonl`, import.meta.url);
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  return lines.map((line) => ({ ...JSON.parse(line), line }));
}

/** @param {any} vector */
function gameOf({ game }) {
  return GAMES[/** @type {"euchre" | "whist"} */ (game)];
}

test("cards have the numbers of the protocol", () => {
  for (const { number, card, suit } of vectors("cards")) {
    assert.equal(CARD_OF[number], card);
    assert.equal(whist.effectiveSuit(card, null), suit);
  }
});

test("cards count as their effective suit, with their strength", () => {
  for (const { card, trump, suit, strength, line, ...vector } of vectors("effective_suit")) {
    const game = gameOf(vector);
    const found = [game.effectiveSuit(card, trump), game.strength(card, trump)];
    assert.deepEqual(found, [suit, strength], line);
  }
});

test("cards beat each other", () => {
  for (const { card, other, trump, beats, line, ...vector } of vectors("beats")) {
    assert.equal(gameOf(vector).beats(card, other, trump), beats, line);
  }
});

test("tricks are won", () => {
  for (const { leader, cards, trump, line, ...vector } of vectors("trick_winner")) {
    const game = gameOf(vector);
    const found = {
      suit: game.effectiveSuit(cards[0], trump),
      card: game.winningCard(cards, trump),
      seat: game.winningSeat(leader, cards, trump, vector.sits_out),
    };
    const { suit_led: suit, winning_card: card, winning_seat: seat } = vector;
    assert.deepEqual(found, { suit, card, seat }, line);
  }
});

test("suit is followed", () => {
  for (const { hand, led, trump, legal, line, ...vector } of vectors("legal_plays")) {
    assert.deepEqual(gameOf(vector).legalPlays(hand, led, trump), legal, line);
  }
});

/** @param {string} hex */
function welcome(hex) {
  return /** @type {any} */ (decode(bytesField(1, Buffer.from(hex, "hex"))).welcome);
}

/** @param {string} hex */
function turn(hex) {
  const frame = bytesField(2, Buffer.from(hex, "hex"));
  return /** @type {any} */ (decode(bytesField(2, frame)).frame).turns[0];
}

/** @param {any} view */
function told(view) {
  return {
    game: view.game,
    phase: view.phase,
    table: view.table,
    turn: view.turn,
    time_left_ms: view.timeLeftMs,
    hand_number: view.handNumber,
    seat: view.seat,
    partner: view.partner,
    dealer: view.dealer,
    score: [view.score.us, view.score.them],
    target: view.target,
    hand: view.hand,
    legal: view.legal,
    legal_cards: view.legalCards,
    upcard: view.upcard,
    trump_card: view.trumpCard,
    trump: view.trump,
    calls: view.calls,
    dealer_stuck: view.dealerStuck,
    maker: view.maker,
    we_made_trump: view.weMadeTrump,
    picked_up: view.pickedUp,
    sits_out: view.sitsOut,
    discard: view.discard,
    leader: view.leader,
    trick: view.trick,
    suit_led: view.suitLed,
    winning_card: view.winningCard,
    winning_seat: view.winningSeat,
    partner_is_winning: view.partnerIsWinning,
    last_to_play: view.lastToPlay,
    tricks: view.tricks,
    tricks_won: [view.tricksWon.us, view.tricksWon.them],
    plays: view.plays.map((/** @type {any} */ { seat, card }) => [seat, card]),
    cards_still_out: view.cardsStillOut,
    holding: bySuit((suit) => view.holding(suit)),
    still_out: bySuit((suit) => view.stillOut(suit)),
    void_suits: [0, 1, 2, 3].map((seat) => SUITS.filter((suit) => view.voidSuits(seat).has(suit))),
    takes_trick: view.phase === "playing" ? taking(view) : {},
  };
}

/** @param {(suit: import("upcard").Suit) => readonly string[]} cards */
function bySuit(cards) {
  return Object.fromEntries(SUITS.map((suit) => [suit, cards(suit)]));
}

/** @param {import("upcard").View} view */
function taking(view) {
  return Object.fromEntries(view.legalCards.map((card) => [card, view.takesTrick(card)]));
}

/** @param {any} rules */
function toldRules({ lowestWins, faces, ...rules }) {
  const all = faces.map((/** @type {any} */ { attributes, ...face }) => ({
    ...face,
    attributes: Object.entries(attributes),
  }));
  return { ...rules, lowest_wins: lowestWins, faces: all };
}

/** @param {import("upcard").RecycleView} view */
function toldOfAnyGame(view) {
  return {
    table: view.table,
    turn: view.turn,
    time_left_ms: view.timeLeftMs,
    hand_number: view.handNumber,
    player: view.player,
    scores: view.scores,
    places: view.places.map(({ faces, backs, ...place }) => ({
      ...place,
      faces: faces && faces.map(({ name }) => name),
      backs: backs.map(({ name, cards }) => [name, cards]),
    })),
    numbers: view.numbers.map(({ owner, name, value }) => [owner, name, value]),
    texts: view.texts.map(({ owner, name, value }) => [owner, name, value]),
    points: view.points,
    flow: view.flow,
    legal: view.legal,
    moves: view.moves.map(({ text, steps }) => ({
      text,
      steps: steps.map(({ face, otherFace, ...step }) => ({
        ...step,
        face: face && face.name,
        other_face: otherFace && otherFace.name,
      })),
    })),
  };
}

test("a view of a game described in RECYCLE tells what the player knows", () => {
  for (const { rules, view, line, ...vector } of vectors("recycle_views")) {
    const tables = new Tables(() => assert.fail("no table opens"), welcome(vector.welcome));
    const read = /** @type {import("upcard").RecycleView} */ (tables.viewOf(turn(vector.turn)));
    assert.deepEqual(toldRules(read.rules), rules, line);
    assert.deepEqual(toldOfAnyGame(read), view, line);
    for (const [owner, name, value] of view.numbers) assert.equal(read.number(owner, name), value);
    for (const [owner, name, value] of view.texts) assert.equal(read.text(owner, name), value);
    assert.deepEqual([read.number(0, "NOTHING"), read.text(0, "NOTHING")], [0, ""]);
  }
});

/** @param {any} given */
function situationOf({ trump_card, hand_number, dealer_stuck, score, rules, ...given }) {
  return {
    ...given,
    trumpCard: trump_card,
    handNumber: hand_number,
    dealerStuck: dealer_stuck,
    score: score && { us: score[0], them: score[1] },
    rules: rules && {
      target: rules.target,
      alone: rules.alone,
      stickDealer: rules.stick_dealer,
      partnerMustGoAlone: rules.partner_must_go_alone,
    },
  };
}

test("a situation comes to what follows from it, or cannot be", () => {
  for (const { situation: given, view, refused, line } of vectors("situations")) {
    if (view) assert.deepEqual(told(situation(situationOf(given))), view, line);
    else assert.throws(() => situation(situationOf(given)), new ImpossibleSituation(refused), line);
  }
});

test("a view tells what the seat knows", () => {
  for (const { view, line, ...vector } of vectors("views")) {
    const tables = new Tables(() => assert.fail("no table opens"), welcome(vector.welcome));
    assert.deepEqual(told(tables.viewOf(turn(vector.turn))), view, line);
  }
});
