package bot;

import static java.util.Comparator.comparingInt;

import java.util.Collections;
import java.util.List;
import org.upcard.Bot;
import org.upcard.Call;
import org.upcard.Card;
import org.upcard.Rank;
import org.upcard.View;

final class ByKind implements Bot {
  @Override
  public Call bid(View view, List<Call> legal) {
    boolean bower = view.upcard().rank() == Rank.JACK;
    return bower && legal.contains(Call.ORDER_UP) ? Call.ORDER_UP : legal.get(0);
  }

  @Override
  public Card discard(View view, List<Card> legal) {
    return Collections.min(legal, comparingInt(view::strength));
  }

  @Override
  public Card play(View view, List<Card> legal) {
    return Collections.max(legal, comparingInt(view::strength));
  }
}
