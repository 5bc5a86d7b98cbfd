package bot;

import java.util.List;
import java.util.Random;
import org.upcard.Action;
import org.upcard.Bot;
import org.upcard.Upcard;
import org.upcard.View;

record Player(Random random) implements Bot {
  @Override
  public Action choose(View view, List<Action> legal) {
    if (view.partnerIsWinning()) {
      return legal.get(0);
    }
    return legal.get(random.nextInt(legal.size()));
  }

  public static void main(String[] arguments) {
    Upcard.run((seat, rules, random) -> new Player(random));
  }
}
