package org.upcard;

/** A suit. It prints as a letter: {@code C}, {@code D}, {@code H} or {@code S}. */
public enum Suit {
  CLUBS("C"),
  DIAMONDS("D"),
  HEARTS("H"),
  SPADES("S");

  private final String letter;

  Suit(String letter) {
    this.letter = letter;
  }

  /** The other suit of the same colour: the jack there is the left bower. */
  public Suit sameColour() {
    return switch (this) {
      case CLUBS -> SPADES;
      case DIAMONDS -> HEARTS;
      case HEARTS -> DIAMONDS;
      case SPADES -> CLUBS;
    };
  }

  /** Reads what {@link #toString} prints. */
  public static Suit parse(String letter) {
    return Tokens.parse(values(), letter, "suit");
  }

  @Override
  public String toString() {
    return letter;
  }
}
