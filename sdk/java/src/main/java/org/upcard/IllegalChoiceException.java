package org.upcard;

/** A bot returned what is not among the legal actions. */
public final class IllegalChoiceException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  IllegalChoiceException(Object choice, String legal) {
    super("the bot returned " + choice + "; legal here: " + legal);
  }
}
