package bot;

import static java.util.Comparator.comparing;
import static java.util.Comparator.comparingInt;

import java.util.Collections;
import java.util.List;
import org.upcard.Bot;
import org.upcard.Call;
import org.upcard.Card;
import org.upcard.Game;
import org.upcard.Suit;
import org.upcard.Upcard;
import org.upcard.View;

/**
 * my-bot plays euchre and whist: simply for now, and better once you have worked on it. There is a
 * new Player for each match, so what you keep in its fields is its memory of that match.
 */
final class Player implements Bot {
  private static final int ENOUGH_TRUMPS = 3;

  /** Makes trump with three of them in hand; else passes. */
  @Override
  public Call bid(View view, List<Call> legal) {
    Call best = Collections.max(legal, comparingInt(call -> trumpsAfter(call, view)));
    // A dealer who is stuck may not pass, and then names her best suit.
    boolean stuck = !legal.contains(Call.PASS);
    return stuck || trumpsAfter(best, view) >= ENOUGH_TRUMPS ? best : Call.PASS;
  }

  private static int trumpsAfter(Call call, View view) {
    return switch (call) {
      case ORDER_UP -> trumps(view.hand(), view.upcard().suit());
      case NAME_CLUBS, NAME_DIAMONDS, NAME_HEARTS, NAME_SPADES -> trumps(view.hand(), call.suit());
      default -> 0; // To go alone is for a better player.
    };
  }

  /** Counts the trumps a hand would have; the left bower is one of them. */
  private static int trumps(List<Card> hand, Suit trump) {
    return (int) hand.stream().filter(card -> isTrump(card, trump)).count();
  }

  private static boolean isTrump(Card card, Suit trump) {
    return Game.EUCHRE.effectiveSuit(card, trump) == trump;
  }

  /** Lays the worst card away. */
  @Override
  public Card discard(View view, List<Card> legal) {
    return worst(view, legal);
  }

  /** Wins the trick as cheaply as possible, unless partner has it; else throws the worst. */
  @Override
  public Card play(View view, List<Card> legal) {
    if (view.trick().isEmpty()) {
      return Collections.max(legal, comparingInt(view::strength));
    }
    List<Card> takers = legal.stream().filter(view::takesTrick).toList();
    boolean leaveIt = takers.isEmpty() || view.partnerIsWinning();
    return worst(view, leaveIt ? legal : takers);
  }

  /** The lowest card, and a trump only if there is nothing else. */
  private static Card worst(View view, List<Card> cards) {
    return Collections.min(
        cards,
        comparing((Card card) -> view.effectiveSuit(card) == view.trump())
            .thenComparingInt(view::strength));
  }

  public static void main(String[] arguments) {
    // A bot that draws lots keeps the `random` of its table.
    Upcard.run((seat, rules, random) -> new Player());
  }
}
