/**
 * What a seat is shown of a hand of whist, as the referee writes it.
 *
 * @import { Reader } from "./wire.js"
 */
import { NO_NUMBERS } from "./wire.js";

/** All of it; the cases are the numbers of the fields. */
export class WhistMessage {
  seat = 0;
  dealer = 0;
  pointsNorthSouth = 0;
  pointsEastWest = 0;
  handNumber = 0;
  trumpCard = 0;
  hand = NO_NUMBERS;
  played = NO_NUMBERS;
  leaders = NO_NUMBERS;
  legalCards = NO_NUMBERS;

  /** @param {Reader} reader */
  constructor(reader) {
    while (reader.more) {
      const tag = reader.number();
      switch (tag >>> 3) {
        case 1:
          this.seat = reader.number();
          break;
        case 2:
          this.dealer = reader.number();
          break;
        case 3:
          this.pointsNorthSouth = reader.number();
          break;
        case 4:
          this.pointsEastWest = reader.number();
          break;
        case 5:
          this.handNumber = reader.number();
          break;
        case 6:
          this.trumpCard = reader.number();
          break;
        case 7:
          this.hand = reader.list(tag, this.hand);
          break;
        case 8:
          this.played = reader.list(tag, this.played);
          break;
        case 9:
          this.leaders = reader.list(tag, this.leaders);
          break;
        case 10:
          this.legalCards = reader.list(tag, this.legalCards);
          break;
        default:
          reader.skip(tag);
      }
    }
  }
}
