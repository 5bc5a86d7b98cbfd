/** Every error the SDK throws on purpose. */

/** What all of the SDK's own errors are. */
export class UpcardError extends Error {
  get name() {
    return this.constructor.name;
  }
}

/** A bot returned what is not among its legal actions. */
export class IllegalChoice extends UpcardError {}

/** A test tells of a situation that cannot have come about by the rules. */
export class ImpossibleSituation extends UpcardError {}

/** A bot has no method for a decision that is due. */
export class MissingMethod extends UpcardError {}

/** The referee says what nobody can read, or only a later version of the SDK: no bot's doing. */
export class NotUnderstood extends UpcardError {}

/** @param {string} what the referee does */
export function notKnown(what) {
  return new NotUnderstood(`the referee ${what} that this version of the SDK does not know`);
}
