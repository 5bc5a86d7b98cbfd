package patient;

import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToIntFunction;
import org.upcard.Card;
import org.upcard.View;

/** What a player of any trick game watches: what cannot be beaten, and what a card costs. */
final class TableSense {
  private TableSense() {}

  /** Whether nobody else can hold a higher card of its suit any more. */
  static boolean isMaster(View view, Card card) {
    List<Card> others = view.stillOut(view.effectiveSuit(card));
    return others.isEmpty() || view.strength(card) > view.strength(others.get(0));
  }

  static List<Card> masters(View view, List<Card> cards) {
    return cards.stream().filter(card -> isMaster(view, card)).toList();
  }

  static List<Card> sideCards(View view) {
    return view.hand().stream().filter(card -> !isTrump(view, card)).toList();
  }

  /** The card to miss least: rather no trump, no master, a low one, from a short suit. */
  static Card cheapest(View view, List<Card> cards) {
    Comparator<Card> price =
        Comparator.comparing((Card card) -> isTrump(view, card))
            .thenComparing(card -> isMaster(view, card))
            .thenComparingInt(view::strength)
            .thenComparingInt(card -> length(view, card));
    return Collections.min(cards, price);
  }

  /** A card of our shortest suit: others follow there longest. The highest, if it has two. */
  static Card fromShortest(View view, List<Card> cards) {
    Comparator<Card> byLength = Comparator.comparingInt(card -> length(view, card));
    return Collections.min(cards, byLength.thenComparingInt(card -> -view.strength(card)));
  }

  /** What there is most of by some measure; of equals the first. */
  static <T> T most(List<T> some, ToIntFunction<T> measure) {
    return Collections.max(some, Comparator.comparingInt(measure));
  }

  private static boolean isTrump(View view, Card card) {
    return view.effectiveSuit(card) == view.trump();
  }

  private static int length(View view, Card card) {
    return view.holding(view.effectiveSuit(card)).size();
  }
}
