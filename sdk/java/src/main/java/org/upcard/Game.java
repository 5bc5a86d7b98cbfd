package org.upcard;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * A game's cards: what suit they count as, how strong they are, and who wins a trick.
 *
 * <p>A {@code trump} of null stands for no trump. {@link View} has the same for the hand at the
 * table; these are for bots that think about other hands.
 */
public enum Game {
  EUCHRE(Rank.NINE) {
    @Override
    Suit suitOf(Card card, Suit trump) {
      return isBower(card, trump) ? trump : card.suit();
    }

    @Override
    int placeOf(Card card, Suit trump) {
      if (isBower(card, trump)) {
        return card.suit() == trump ? RIGHT_BOWER : RIGHT_BOWER - 1;
      }
      return card.rank().ordinal() - Rank.NINE.ordinal();
    }
  },
  WHIST(Rank.TWO) {
    @Override
    Suit suitOf(Card card, Suit trump) {
      return card.suit();
    }

    @Override
    int placeOf(Card card, Suit trump) {
      return card.rank().ordinal();
    }
  };

  // Above nine to ace, which are 0 to 5, and the left bower.
  private static final int RIGHT_BOWER = 7;
  private static final int TRUMPS = 5;
  private static final int NO_TRUMP = 4;

  private final List<Card> pack;
  // Looked up by trump, then by card or suit: a search asks for them millions of times.
  private final Suit[][] suits = new Suit[TRUMPS][];
  private final int[][] strengths = new int[TRUMPS][];
  private final List<List<List<Card>>> strongestFirst = new ArrayList<>();

  Game(Rank lowest) {
    pack = packFrom(lowest);
    for (int trump = 0; trump < TRUMPS; trump++) {
      learn(trump);
    }
  }

  /** Every card of the game: clubs, diamonds, hearts, spades, each from the lowest rank up. */
  public List<Card> pack() {
    return pack;
  }

  /** The suit a card counts as: in euchre the left bower is a trump. */
  public Suit effectiveSuit(Card card, Suit trump) {
    Suit suit = suits[index(trump)][card.ordinal()];
    if (suit == null) {
      throw new IllegalArgumentException(card + " is not in the pack of " + this);
    }
    return suit;
  }

  /** The place of a card in its effective suit, the higher the stronger. */
  public int strength(Card card, Suit trump) {
    return strengths[index(trump)][card.ordinal()];
  }

  /** Whether a card takes the trick over from another that is winning it. */
  public boolean beats(Card card, Card other, Suit trump) {
    Suit suit = effectiveSuit(card, trump);
    if (suit != effectiveSuit(other, trump)) {
      return suit == trump;
    }
    return strength(card, trump) > strength(other, trump);
  }

  /** The cards of the pack that count as a suit, the strongest first. */
  public List<Card> strongestFirst(Suit suit, Suit trump) {
    return strongestFirst.get(index(trump)).get(suit.ordinal());
  }

  /**
   * The cards of a hand that may be played, in its order.
   *
   * @param led the first card of the trick; null when leading
   */
  public List<Card> legalPlays(List<Card> hand, Card led, Suit trump) {
    if (led == null) {
      return hand;
    }
    Suit toFollow = effectiveSuit(led, trump);
    List<Card> following = new ArrayList<>(hand);
    following.removeIf(card -> effectiveSuit(card, trump) != toFollow);
    return following.isEmpty() ? hand : following;
  }

  /** The card that is winning a trick; null if it is empty. */
  public Card winningCard(List<Card> trick, Suit trump) {
    return trick.isEmpty() ? null : trick.get(winningPlace(trick, trump));
  }

  /**
   * Who is winning a trick; null if it is empty.
   *
   * @param sitsOut who does not play, or null
   */
  public Seat winner(Seat leader, List<Card> trick, Suit trump, Seat sitsOut) {
    if (trick.isEmpty()) {
      return null;
    }
    return Seat.order(leader, sitsOut).get(winningPlace(trick, trump));
  }

  private int winningPlace(List<Card> trick, Suit trump) {
    int best = 0;
    for (int place = 1; place < trick.size(); place++) {
      if (beats(trick.get(place), trick.get(best), trump)) {
        best = place;
      }
    }
    return best;
  }

  abstract Suit suitOf(Card card, Suit trump);

  abstract int placeOf(Card card, Suit trump);

  private static boolean isBower(Card card, Suit trump) {
    return trump != null
        && card.rank() == Rank.JACK
        && (card.suit() == trump || card.suit() == trump.sameColour());
  }

  private static List<Card> packFrom(Rank lowest) {
    List<Card> cards = new ArrayList<>(List.of(Card.values()));
    cards.removeIf(card -> card.rank().compareTo(lowest) < 0);
    return Collections.unmodifiableList(cards);
  }

  private void learn(int index) {
    Suit trump = index == NO_TRUMP ? null : Suit.values()[index];
    suits[index] = new Suit[Card.values().length];
    strengths[index] = new int[Card.values().length];
    for (Card card : pack) {
      suits[index][card.ordinal()] = suitOf(card, trump);
      strengths[index][card.ordinal()] = placeOf(card, trump);
    }
    List<List<Card>> ladders = new ArrayList<>();
    for (Suit suit : Suit.values()) {
      ladders.add(ladder(suit, trump));
    }
    strongestFirst.add(ladders);
  }

  private List<Card> ladder(Suit suit, Suit trump) {
    List<Card> cards = new ArrayList<>(pack);
    cards.removeIf(card -> effectiveSuit(card, trump) != suit);
    cards.sort(Comparator.comparing((Card card) -> strength(card, trump)).reversed());
    return Collections.unmodifiableList(cards);
  }

  private static int index(Suit trump) {
    return trump == null ? NO_TRUMP : trump.ordinal();
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
