package patient;

import java.util.List;
import java.util.stream.Stream;
import org.upcard.Card;
import org.upcard.Suit;
import org.upcard.View;

/** Patient's whist: draw trumps when long, return partner's suit, lead length, cash aces later. */
final class Whist {
  private static final int LONG = 3;
  private static final int LATE = 9;

  private Whist() {}

  /** Leads to a trick. */
  static Card lead(View view) {
    List<Card> trumps = view.holding(view.trump());
    List<Card> side = TableSense.sideCards(view);
    if (side.isEmpty() || shouldDraw(view, trumps)) {
      return TableSense.isMaster(view, trumps.get(0)) ? trumps.get(0) : lowest(trumps);
    }
    List<Card> partners = partnersSuit(view);
    if (!partners.isEmpty()) {
      return partners.get(0);
    }
    // Aces keep: they are cashed once there are no trumps to fear, or few tricks to come.
    List<Card> safe =
        TableSense.masters(view, side).stream().filter(card -> !mayBeRuffed(view, card)).toList();
    boolean late = view.stillOut(view.trump()).isEmpty() || view.hand().size() <= LATE;
    return late && !safe.isEmpty() ? TableSense.fromShortest(view, safe) : fromLongest(view, safe);
  }

  /** Leads low from length, to make small cards grow; its ace first, if the suit has one. */
  private static Card fromLongest(View view, List<Card> safe) {
    List<Card> longest = longest(view);
    return safe.contains(longest.get(0)) ? longest.get(0) : lowest(longest);
  }

  /** Takes the others' trumps away when they do not have twice as many. */
  private static boolean shouldDraw(View view, List<Card> trumps) {
    int out = view.stillOut(view.trump()).size();
    return trumps.size() >= LONG && out > 0 && out <= 2 * trumps.size();
  }

  private static boolean mayBeRuffed(View view, Card card) {
    return !view.stillOut(view.trump()).isEmpty()
        && Stream.of(view.seat().next(), view.partner().next())
            .anyMatch(opponent -> view.voidSuits(opponent).contains(card.suit()));
  }

  /** Our cards of the side suit that partner led first: it is likely to be her longest. */
  private static List<Card> partnersSuit(View view) {
    return view.tricks().stream()
        .filter(trick -> trick.leader() == view.partner())
        .map(trick -> trick.cards().get(0).suit())
        .limit(1)
        .filter(suit -> suit != view.trump())
        .findFirst()
        .map(view::holding)
        .orElse(List.of());
  }

  private static List<Card> longest(View view) {
    List<Suit> side = Stream.of(Suit.values()).filter(suit -> suit != view.trump()).toList();
    return view.holding(TableSense.most(side, suit -> view.holding(suit).size()));
  }

  private static Card lowest(List<Card> strongestFirst) {
    return strongestFirst.get(strongestFirst.size() - 1);
  }
}
