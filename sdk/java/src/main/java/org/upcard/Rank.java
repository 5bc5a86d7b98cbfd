package org.upcard;

/** A rank, from the lowest up. It prints as one character of {@code 23456789TJQKA}. */
public enum Rank {
  TWO,
  THREE,
  FOUR,
  FIVE,
  SIX,
  SEVEN,
  EIGHT,
  NINE,
  TEN,
  JACK,
  QUEEN,
  KING,
  ACE;

  private final String letter = String.valueOf("23456789TJQKA".charAt(ordinal()));

  /** Reads what {@link #toString} prints. */
  public static Rank parse(String letter) {
    return Tokens.parse(values(), letter, "rank");
  }

  @Override
  public String toString() {
    return letter;
  }
}
