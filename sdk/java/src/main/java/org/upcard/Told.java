package org.upcard;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What is told of a situation; what has not been told is null.
 *
 * @param rules the rules, and which game it is
 * @param hand the cards of who is to act
 * @param calls what was said so far
 * @param played every card that was played
 * @param stuck whether the dealer is stuck though the rules do not say so
 */
record Told(
    Rules rules,
    List<Card> hand,
    Seat dealer,
    Seat seat,
    Card upcard,
    Card trumpCard,
    List<Call> calls,
    Suit trump,
    Seat maker,
    List<Card> played,
    Card discard,
    Sides score,
    int handNumber,
    boolean stuck) {
  static final int ROUND = 4;
  static final int WITH_UPCARD = 6;
  private static final int MOST_POINTS = 100;
  private static final List<String> NAMES = List.of("North", "East", "South", "West");

  static String name(Seat seat) {
    return NAMES.get(seat.ordinal());
  }

  static ImpossibleSituationException impossible(String why, Object... about) {
    return new ImpossibleSituationException(String.format(why, about));
  }

  Game game() {
    return rules.game();
  }

  /** Whether the dealer must name a suit in the end. */
  boolean isStuck() {
    return rules.stickDealer() || stuck;
  }

  /** The card that is shown to all. */
  Card turned() {
    return game() == Game.WHIST ? trumpCard : upcard;
  }

  /** How many tricks a hand has, and so how many cards are dealt to a seat. */
  int tricks() {
    return game() == Game.WHIST ? game().pack().size() / 4 : 5;
  }

  /** Refuses what cannot be, whatever the calls and the plays come to. */
  void check() {
    checkRules();
    checkFields();
    cards(upcard, trumpCard)
        .filter(card -> !game().pack().contains(card))
        .forEach(
            card -> {
              throw impossible("%s is no card of %s", card, game());
            });
    if (hand.isEmpty()) {
      throw impossible("the hand is empty");
    }
  }

  /** Refuses a card that is in two places. */
  void checkTwice(boolean pickedUp) {
    Set<Card> seen = EnumSet.noneOf(Card.class);
    Stream<Card> others = Stream.concat(hand.stream(), Stream.ofNullable(discard));
    Stream<Card> upcards = Stream.ofNullable(pickedUp ? null : upcard);
    Stream.concat(Stream.concat(others, played.stream()), upcards)
        .filter(card -> !seen.add(card))
        .findFirst()
        .ifPresent(
            card -> {
              throw impossible("%s is there twice", card);
            });
  }

  private Stream<Card> cards(Card... turned) {
    List<Card> all = new ArrayList<>(Arrays.asList(turned));
    all.addAll(hand);
    all.add(discard);
    all.addAll(played);
    return all.stream().filter(Objects::nonNull);
  }

  private void checkRules() {
    int target = rules.target();
    if (target < 1 || target > MOST_POINTS) {
      throw impossible("a match is to 1 to %d points, not %d", MOST_POINTS, target);
    }
    if (rules.partnerMustGoAlone() && !rules.alone()) {
      throw impossible("nobody can be made to go alone where nobody may");
    }
    int least = Math.min(score.us(), score.them());
    if (least < 0 || Math.max(score.us(), score.them()) >= target) {
      throw impossible(
          "the score is not %d to %d in a match to %d", score.us(), score.them(), target);
    }
  }

  private void checkFields() {
    if (game() == Game.EUCHRE) {
      refuse("euchre", trumpCard != null, "trump card");
      return;
    }
    refuse("whist", upcard != null, "upcard");
    refuse("whist", trump != null, "trump to be made");
    refuse("whist", maker != null, "maker");
    refuse("whist", !calls.isEmpty(), "calls");
    refuse("whist", discard != null, "discard");
    refuse("whist", stuck, "stuck dealer");
    if (trumpCard == null) {
      throw impossible("the trump card is missing");
    }
  }

  private static void refuse(String game, boolean isTold, String field) {
    if (isTold) {
      throw impossible("%s has no %s", game, field);
    }
  }

  /** The same with the calls by which trump was made in the place of trump and maker. */
  Told withCalls() {
    if (!calls.isEmpty() || trump == null) {
      return this;
    }
    Card turned = upcard == null ? nobodys() : upcard;
    boolean ordered = turned.suit() == trump;
    int before = maker == null ? 0 : maker.ordinal() - dealer.ordinal() + 3 & 3;
    List<Call> made = new ArrayList<>();
    for (int said = ordered ? ROUND : 0; said < ROUND + before; said++) {
      made.add(Call.PASS);
    }
    made.add(ordered ? Call.ORDER_UP : Call.naming(trump));
    return new Told(
        rules,
        hand,
        dealer,
        seat,
        turned,
        trumpCard,
        made,
        trump,
        maker,
        played,
        discard,
        score,
        handNumber,
        stuck);
  }

  /** The first card of another suit that nobody is said to have. */
  private Card nobodys() {
    List<Card> known = cards().toList();
    // With six cards it is in the hand, and only its author can say which one it is.
    return game().pack().stream()
        .filter(card -> card.suit() != trump && !known.contains(card))
        .filter(card -> hand.size() != WITH_UPCARD)
        .findFirst()
        .orElseThrow(() -> impossible("the upcard is missing"));
  }

  /** What may be said after so many passes. */
  List<Call> menu(int said) {
    List<Call> open = new ArrayList<>();
    if (said < ROUND) {
      open.add(Call.PASS);
      if (!rules.partnerMustGoAlone() || said != 1) {
        open.add(Call.ORDER_UP);
      }
      if (rules.alone()) {
        open.add(Call.ORDER_UP_ALONE);
      }
      return open;
    }
    if (!isStuck() || said != 2 * ROUND - 1) {
      open.add(Call.PASS);
    }
    List<Suit> suits = Stream.of(Suit.values()).filter(suit -> suit != upcard.suit()).toList();
    suits.forEach(suit -> open.add(Call.naming(suit)));
    if (rules.alone()) {
      suits.forEach(suit -> open.add(Call.namingAlone(suit)));
    }
    return open;
  }
}
