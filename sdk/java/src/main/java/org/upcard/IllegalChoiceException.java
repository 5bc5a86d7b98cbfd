package org.upcard;

import java.util.List;

/** A bot returned what is not among the legal actions. */
public final class IllegalChoiceException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  IllegalChoiceException(Action choice, List<Action> legal) {
    super("the bot returned " + choice + "; legal here: " + Tokens.joined(legal));
  }
}
