package org.upcard;

/** A test tells of a situation that cannot have come about by the rules. */
public final class ImpossibleSituationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ImpossibleSituationException(String why) {
    super(why);
  }
}
