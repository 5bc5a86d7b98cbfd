package bot;

import java.util.List;
import org.upcard.Bot;
import org.upcard.RecycleView;

final class Reader implements Bot {
  @Override
  public String act(RecycleView view, List<String> legal) {
    return view.moves().stream()
        .filter(move -> move.steps().stream().anyMatch(step -> step.face() != null))
        .findFirst()
        .map(RecycleView.Move::text)
        .orElse(legal.get(0));
  }
}
