package patient;

import java.util.List;
import org.upcard.Card;
import org.upcard.Game;
import org.upcard.View;

/** How Patient follows, in both games: leave it to partner, or win cheaply, or wait. */
final class Following {
  // In the order of strength: a king of a side suit, and every trump above it.
  private static final int LIKELY_TO_HOLD = 4;

  private Following() {}

  static Card follow(View view, List<Card> legal) {
    List<Card> takers = legal.stream().filter(view::takesTrick).toList();
    if (takers.isEmpty() || isPartners(view)) {
      return TableSense.cheapest(view, legal);
    }
    if (view.lastToPlay() || isRuff(view, takers.get(0))) {
      return TableSense.cheapest(view, takers);
    }
    List<Card> masters = TableSense.masters(view, takers);
    if (!masters.isEmpty()) {
      return TableSense.cheapest(view, masters);
    }
    // Second to play and unable to make sure of it: partner is still to come.
    return view.trick().size() == 1
        ? TableSense.cheapest(view, legal)
        : thirdHand(view, legal, takers);
  }

  /**
   * Third to play: in euchre cheaply, for tricks are few; in whist high, to force what is higher.
   */
  private static Card thirdHand(View view, List<Card> legal, List<Card> takers) {
    if (view.game() == Game.EUCHRE) {
      return TableSense.cheapest(view, takers);
    }
    Card best = TableSense.most(takers, view::strength);
    // Partner's own card does as well if it is next to ours.
    boolean needless =
        view.partnerIsWinning() && view.strength(best) == view.strength(view.winningCard()) + 1;
    return needless ? TableSense.cheapest(view, legal) : best;
  }

  /** Whether partner's card is likely to win. */
  private static boolean isPartners(View view) {
    if (!view.partnerIsWinning()) {
      return false;
    }
    Card card = view.winningCard();
    return view.lastToPlay()
        || TableSense.isMaster(view, card)
        || (view.game() == Game.EUCHRE && view.strength(card) >= LIKELY_TO_HOLD);
  }

  private static boolean isRuff(View view, Card card) {
    return view.suitLed() != view.trump() && view.effectiveSuit(card) == view.trump();
  }
}
