/**
 * What a seat is shown of a hand of euchre, as the referee writes it.
 *
 * @import { Reader } from "./wire.js"
 */
import { NO_NUMBERS } from "./wire.js";

/** All of it; the cases are the numbers of the fields. */
export class EuchreMessage {
  phase = 0;
  seat = 0;
  dealer = 0;
  pointsNorthSouth = 0;
  pointsEastWest = 0;
  handNumber = 0;
  dealerStuck = false;
  upcard = 0;
  calls = NO_NUMBERS;
  trump = 0;
  maker = 0;
  sitsOut = 0;
  hand = NO_NUMBERS;
  discard = 0;
  played = NO_NUMBERS;
  leaders = NO_NUMBERS;
  legalCalls = NO_NUMBERS;
  legalCards = NO_NUMBERS;

  /** @param {Reader} reader */
  constructor(reader) {
    while (reader.more) {
      const tag = reader.number();
      switch (tag >>> 3) {
        case 1:
          this.phase = reader.number();
          break;
        case 2:
          this.seat = reader.number();
          break;
        case 3:
          this.dealer = reader.number();
          break;
        case 4:
          this.pointsNorthSouth = reader.number();
          break;
        case 5:
          this.pointsEastWest = reader.number();
          break;
        case 6:
          this.handNumber = reader.number();
          break;
        case 7:
          this.dealerStuck = reader.number() !== 0;
          break;
        case 8:
          this.upcard = reader.number();
          break;
        case 9:
          this.calls = reader.list(tag, this.calls);
          break;
        case 10:
          this.trump = reader.number();
          break;
        case 11:
          this.maker = reader.number();
          break;
        case 12:
          this.sitsOut = reader.number();
          break;
        case 13:
          this.hand = reader.list(tag, this.hand);
          break;
        case 14:
          this.discard = reader.number();
          break;
        case 15:
          this.played = reader.list(tag, this.played);
          break;
        case 16:
          this.leaders = reader.list(tag, this.leaders);
          break;
        case 17:
          this.legalCalls = reader.list(tag, this.legalCalls);
          break;
        case 18:
          this.legalCards = reader.list(tag, this.legalCards);
          break;
        default:
          reader.skip(tag);
      }
    }
  }
}
