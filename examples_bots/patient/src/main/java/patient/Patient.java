package patient;

import java.util.List;
import org.upcard.Bot;
import org.upcard.Call;
import org.upcard.Card;
import org.upcard.Game;
import org.upcard.Upcard;
import org.upcard.View;

/**
 * A player of both games who can wait: it lets partner's cards win, spends as little as a trick
 * costs, and keeps what is high for later. Begin here, then see {@link Euchre} and {@link Whist}.
 *
 * <p>It draws no lots and remembers nothing, so the same view gets the same answer.
 */
final class Patient implements Bot {
  @Override
  public Call bid(View view, List<Call> legal) {
    return Euchre.call(view, legal);
  }

  @Override
  public Card discard(View view, List<Card> legal) {
    return Euchre.cardToDiscard(view);
  }

  @Override
  public Card play(View view, List<Card> legal) {
    if (!view.trick().isEmpty()) {
      return Following.follow(view, legal);
    }
    return view.game() == Game.EUCHRE ? Euchre.lead(view) : Whist.lead(view);
  }

  public static void main(String[] arguments) {
    Upcard.run((seat, rules, random) -> new Patient());
  }
}
