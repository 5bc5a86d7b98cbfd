package org.upcard;

/**
 * The referee says something that this version of the SDK does not know. Nothing of it is ever left
 * out: answers are counted, and so are cards and calls, so that all the rest would mean something
 * else.
 */
final class NotKnownException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Names what the referee does: {@code plays a game}. */
  NotKnownException(String does) {
    super("the referee " + does + " that this version of the SDK does not know");
  }
}
