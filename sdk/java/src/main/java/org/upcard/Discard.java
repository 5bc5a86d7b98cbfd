package org.upcard;

import java.util.stream.Stream;

/**
 * Euchre: laying a card away, as the dealer who took the upcard. It prints as {@code discard:9H}.
 */
public record Discard(Card card) implements Action {
  static final String PREFIX = "discard:";

  // One for each card, so that a turn makes none.
  private static final Discard[] ALL =
      Stream.of(Card.values()).map(Discard::new).toArray(Discard[]::new);

  /** The action with this card. */
  public static Discard of(Card card) {
    return ALL[card.ordinal()];
  }

  @Override
  public String toString() {
    return PREFIX + card;
  }
}
