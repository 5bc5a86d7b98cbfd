package probe;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.upcard.Action;
import org.upcard.Bot;
import org.upcard.Call;
import org.upcard.Card;
import org.upcard.Phase;
import org.upcard.Play;
import org.upcard.RecycleView;
import org.upcard.Upcard;
import org.upcard.View;

/** Does what its first argument says, well or ill, to see what becomes of it. */
final class Probe implements Bot {
  private static final long SLOW_NANOS = 30_000_000;
  private static final long TOO_LONG_NANOS = 60_000_000_000L;

  private final String does;
  private int decisions;

  private Probe(String does) {
    this.does = does;
  }

  @Override
  public Action choose(View view, List<Action> legal) {
    decisions++;
    return switch (does) {
      case "raise" -> decisions == 3 ? fail() : legal.get(0);
      case "illegal" -> illegal(view);
      case "slow" -> compute(SLOW_NANOS, view.turn() > 5, legal.get(0));
      case "block" -> compute(0, view.turn() > 1, legal.get(0));
      case "log" -> aloud(legal.get(0));
      default -> legal.get(0);
    };
  }

  @Override
  public String act(RecycleView view, List<String> legal) {
    return legal.get(0);
  }

  private static Action fail() {
    throw new IllegalStateException("the probe fails on purpose");
  }

  /** A card when a call is due, and a call when a card is. */
  private static Action illegal(View view) {
    return view.phase() == Phase.BIDDING ? Play.of(Card.JACK_OF_DIAMONDS) : Call.PASS;
  }

  /** Computes for a while, or until the first answers have been heard. */
  private static Action compute(long least, boolean waits, Action action) {
    Path heard = Path.of(System.getenv().getOrDefault("HEARD", "nowhere"));
    long begun = System.nanoTime();
    while (System.nanoTime() - begun < least || waits && !Files.exists(heard)) {
      if (System.nanoTime() - begun > TOO_LONG_NANOS) {
        throw new IllegalStateException("nothing was heard meanwhile");
      }
      Thread.onSpinWait();
    }
    return action;
  }

  private static Action aloud(Action action) {
    Upcard.log("a word from the probe");
    return action;
  }

  public static void main(String[] arguments) {
    String does = arguments[0];
    Upcard.run((seat, rules, random) -> new Probe(does));
  }
}
