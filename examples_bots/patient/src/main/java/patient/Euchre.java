package patient;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.upcard.Call;
import org.upcard.Card;
import org.upcard.Game;
import org.upcard.Rank;
import org.upcard.Seat;
import org.upcard.Suit;
import org.upcard.View;

/**
 * Patient's euchre: count the hand in tenths of a trick, call on a good count, lead to the plan.
 */
final class Euchre {
  // By the strength of a trump: 9 T J Q K A, left bower, right bower. The jack of trump is a bower,
  // so the third number is never used.
  private static final int[] TRUMPS = {4, 4, 0, 4, 5, 6, 7, 11};
  private static final int SIDE_ACE = 4;
  private static final int VOID = 2;

  // The count it takes to make trump. The dealer gets the upcard, so her side needs less.
  private static final int AS_DEALER = 20;
  private static final int AS_HER_PARTNER = 18;
  private static final int AGAINST_DEALER = 25;
  // Those who passed before are weak.
  private static final int IN_SECOND_ROUND = 17;
  private static final int ALONE = 27;

  private static final int CALLS_OF_A_ROUND = 4;

  private Euchre() {}

  /** Speaks in either round: passes, or makes trump if the hand is good enough. */
  static Call call(View view, List<Call> legal) {
    return view.calls().size() < CALLS_OF_A_ROUND
        ? callInFirstRound(view, legal)
        : callInSecondRound(view, legal);
  }

  private static Call callInFirstRound(View view, List<Call> legal) {
    Suit trump = view.upcard().suit();
    if (view.seat() == view.dealer()) {
      List<Card> hand = bestFive(withUpcard(view), trump);
      return choose(count(hand, trump), AS_DEALER, Call.ORDER_UP, Call.ORDER_UP_ALONE, legal);
    }
    int needed = view.partner() == view.dealer() ? AS_HER_PARTNER : AGAINST_DEALER;
    int count = count(view.hand(), trump);
    return choose(count, needed, Call.ORDER_UP, Call.ORDER_UP_ALONE, legal);
  }

  private static Call callInSecondRound(View view, List<Call> legal) {
    List<Suit> open = new ArrayList<>(List.of(Suit.values()));
    open.remove(view.upcard().suit());
    Suit best = TableSense.most(open, suit -> count(view.hand(), suit));
    int count = count(view.hand(), best);
    return choose(count, IN_SECOND_ROUND, Call.naming(best), Call.namingAlone(best), legal);
  }

  private static Call choose(int count, int needed, Call plain, Call alone, List<Call> legal) {
    if (count >= ALONE && legal.contains(alone)) {
      return alone;
    }
    // A stuck dealer must name something. House rules may let a partner order up only alone.
    boolean wanted = count >= needed || !legal.contains(Call.PASS);
    return wanted && legal.contains(plain) ? plain : Call.PASS;
  }

  /** Counts what cards are worth to the maker if a suit is trump. */
  static int count(List<Card> cards, Suit trump) {
    int count = 0;
    int trumps = 0;
    List<Suit> sideSuits = new ArrayList<>();
    for (Card card : cards) {
      Suit suit = Game.EUCHRE.effectiveSuit(card, trump);
      if (suit == trump) {
        trumps++;
        count += TRUMPS[Game.EUCHRE.strength(card, trump)];
      } else {
        sideSuits.add(suit);
        count += card.rank() == Rank.ACE ? SIDE_ACE : 0;
      }
    }
    int voids = 3 - (int) sideSuits.stream().distinct().count();
    return trumps > 0 ? count + VOID * voids : count;
  }

  /** Keeps the five cards that count most: that makes voids. Of equal cards the lowest goes. */
  static Card cardToDiscard(View view) {
    List<Card> kept = bestFive(view.hand(), view.trump());
    List<Card> away = new ArrayList<>(view.hand());
    away.removeAll(kept);
    return away.get(0);
  }

  private static List<Card> bestFive(List<Card> six, Suit trump) {
    return six.stream()
        .sorted(Comparator.comparingInt(card -> Game.EUCHRE.strength(card, trump)))
        .map(card -> without(six, card))
        .reduce((best, other) -> count(other, trump) > count(best, trump) ? other : best)
        .orElseThrow();
  }

  private static List<Card> withUpcard(View view) {
    List<Card> six = new ArrayList<>(view.hand());
    six.add(view.upcard());
    return six;
  }

  private static List<Card> without(List<Card> cards, Card away) {
    return cards.stream().filter(card -> card != away).toList();
  }

  /** Draws trump as makers; else cashes a card nothing can beat, or leads from a short suit. */
  static Card lead(View view) {
    List<Card> trumps = view.holding(view.trump());
    List<Card> side = TableSense.sideCards(view);
    if (side.isEmpty() || shouldDraw(view, trumps)) {
      return trumps.get(0);
    }
    List<Card> masters = TableSense.masters(view, side);
    return TableSense.fromShortest(view, masters.isEmpty() ? side : masters);
  }

  private static boolean shouldDraw(View view, List<Card> trumps) {
    if (trumps.isEmpty() || view.stillOut(view.trump()).isEmpty()) {
      return false;
    }
    Seat maker = view.maker();
    if (maker == view.seat()) {
      return trumps.size() >= 2 || TableSense.isMaster(view, trumps.get(0));
    }
    return maker == view.partner() && view.tricks().isEmpty();
  }
}
