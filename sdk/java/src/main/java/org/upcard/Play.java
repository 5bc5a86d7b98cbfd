package org.upcard;

import java.util.stream.Stream;

/** Playing a card to the trick. It prints as {@code play:JD}. */
public record Play(Card card) implements Action {
  static final String PREFIX = "play:";

  // One for each card, so that a turn makes none.
  private static final Play[] ALL = Stream.of(Card.values()).map(Play::new).toArray(Play[]::new);

  /** The action with this card. */
  public static Play of(Card card) {
    return ALL[card.ordinal()];
  }

  @Override
  public String toString() {
    return PREFIX + card;
  }
}
