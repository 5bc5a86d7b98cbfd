package org.upcard;

import java.util.Locale;

/** Euchre: what is said in the bidding. It prints as {@code order_up} or {@code name_alone:S}. */
public enum Call implements Action {
  PASS,
  ORDER_UP,
  ORDER_UP_ALONE,
  NAME_CLUBS(Suit.CLUBS, false),
  NAME_DIAMONDS(Suit.DIAMONDS, false),
  NAME_HEARTS(Suit.HEARTS, false),
  NAME_SPADES(Suit.SPADES, false),
  NAME_CLUBS_ALONE(Suit.CLUBS, true),
  NAME_DIAMONDS_ALONE(Suit.DIAMONDS, true),
  NAME_HEARTS_ALONE(Suit.HEARTS, true),
  NAME_SPADES_ALONE(Suit.SPADES, true);

  private static final Call[] ALL = values();

  private final Suit suit;
  private final String token;

  Call() {
    suit = null;
    token = name().toLowerCase(Locale.ROOT);
  }

  Call(Suit suit, boolean alone) {
    this.suit = suit;
    token = (alone ? "name_alone:" : "name:") + suit;
  }

  /** Naming a suit in the second round. */
  public static Call naming(Suit suit) {
    return ALL[NAME_CLUBS.ordinal() + suit.ordinal()];
  }

  /** Naming a suit in the second round, to play without the partner. */
  public static Call namingAlone(Suit suit) {
    return ALL[NAME_CLUBS_ALONE.ordinal() + suit.ordinal()];
  }

  /** The suit that is named; null if none is. */
  public Suit suit() {
    return suit;
  }

  /** Reads what {@link #toString} prints. */
  public static Call parse(String token) {
    return Tokens.parse(ALL, token, "action");
  }

  @Override
  public String toString() {
    return token;
  }
}
