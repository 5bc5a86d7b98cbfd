package org.upcard;

import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A card as it is printed. Its text is its rank and its suit: {@code JD}, {@code 9H}. */
public enum Card {
  TWO_OF_CLUBS,
  THREE_OF_CLUBS,
  FOUR_OF_CLUBS,
  FIVE_OF_CLUBS,
  SIX_OF_CLUBS,
  SEVEN_OF_CLUBS,
  EIGHT_OF_CLUBS,
  NINE_OF_CLUBS,
  TEN_OF_CLUBS,
  JACK_OF_CLUBS,
  QUEEN_OF_CLUBS,
  KING_OF_CLUBS,
  ACE_OF_CLUBS,
  TWO_OF_DIAMONDS,
  THREE_OF_DIAMONDS,
  FOUR_OF_DIAMONDS,
  FIVE_OF_DIAMONDS,
  SIX_OF_DIAMONDS,
  SEVEN_OF_DIAMONDS,
  EIGHT_OF_DIAMONDS,
  NINE_OF_DIAMONDS,
  TEN_OF_DIAMONDS,
  JACK_OF_DIAMONDS,
  QUEEN_OF_DIAMONDS,
  KING_OF_DIAMONDS,
  ACE_OF_DIAMONDS,
  TWO_OF_HEARTS,
  THREE_OF_HEARTS,
  FOUR_OF_HEARTS,
  FIVE_OF_HEARTS,
  SIX_OF_HEARTS,
  SEVEN_OF_HEARTS,
  EIGHT_OF_HEARTS,
  NINE_OF_HEARTS,
  TEN_OF_HEARTS,
  JACK_OF_HEARTS,
  QUEEN_OF_HEARTS,
  KING_OF_HEARTS,
  ACE_OF_HEARTS,
  TWO_OF_SPADES,
  THREE_OF_SPADES,
  FOUR_OF_SPADES,
  FIVE_OF_SPADES,
  SIX_OF_SPADES,
  SEVEN_OF_SPADES,
  EIGHT_OF_SPADES,
  NINE_OF_SPADES,
  TEN_OF_SPADES,
  JACK_OF_SPADES,
  QUEEN_OF_SPADES,
  KING_OF_SPADES,
  ACE_OF_SPADES;

  private static final Card[] ALL = values();
  private static final Map<String, Card> BY_TEXT =
      Stream.of(ALL).collect(Collectors.toMap(Card::toString, Function.identity()));
  private static final int RANKS = Rank.values().length;

  private final Rank rank = Rank.values()[ordinal() % Rank.values().length];
  private final Suit suit = Suit.values()[ordinal() / Rank.values().length];
  private final String text = rank.toString() + suit;

  /** The card of a rank and a suit. */
  public static Card of(Rank rank, Suit suit) {
    return ALL[suit.ordinal() * RANKS + rank.ordinal()];
  }

  /** Reads what {@link #toString} prints. */
  public static Card parse(String text) {
    Card card = BY_TEXT.get(text);
    if (card == null) {
      throw new IllegalArgumentException("there is no card " + text);
    }
    return card;
  }

  /** The rank printed on it. */
  public Rank rank() {
    return rank;
  }

  /** The suit printed on it; what it counts as, {@link Game#effectiveSuit} tells. */
  public Suit suit() {
    return suit;
  }

  @Override
  public String toString() {
    return text;
  }
}
