/** Messages a referee would send, as plain objects. */

export const EUCHRE = {
  welcome: {
    protocolRevision: 1,
    seat: 1,
    euchre: { alone: true, stickDealer: true, target: 10 },
  },
};
export const RECYCLE = {
  welcome: {
    protocolRevision: 1,
    recycle: { name: "snap", program: "(game)", players: 2, sides: [1, 2], seat: 2, hands: 1 },
  },
};
export const SNAP = {
  frame: {
    opened: [{ tableId: 1, seed: "5" }],
    turns: [
      {
        turnId: 1,
        tableId: 1,
        recycle: { player: 2, legal: [{ text: "wait" }, { text: "say snap" }] },
      },
    ],
  },
};
export const OPENED = { frame: { opened: [{ tableId: 1, seed: "81985529216486895" }] } };
export const GOODBYE = { goodbye: {} };

/**
 * A turn of North, who is to speak first: 9C TC JC QC KC, the jack of spades turned up.
 *
 * @param {number} turnId
 * @param {number} [tableId]
 */
export function turn(turnId, tableId = 1) {
  const euchre = {
    phase: 1,
    seat: 1,
    dealer: 4,
    upcard: 49,
    hand: [8, 9, 10, 11, 12],
    legalCalls: [1, 2, 3],
  };
  return { turnId, tableId, timeLeftMs: 0, euchre };
}

/**
 * A frame that asks so many tables, and opens them.
 *
 * @param {number} tables
 */
export function frame(tables) {
  const ids = Array.from({ length: tables }, (_, place) => place + 1);
  return {
    frame: {
      opened: ids.map((tableId) => ({ tableId, seed: "5" })),
      turns: ids.map((tableId) => turn(tableId + 9, tableId)),
    },
  };
}
