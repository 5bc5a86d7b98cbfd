package bot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.upcard.Card;
import org.upcard.Suit;

/** What my-bot should do, told as facts; {@code upcard check} tries the rest. */
class PlayerTest {
  private static List<Card> hand(String... cards) {
    return Stream.of(cards).map(Card::parse).toList();
  }

  @Test
  void theLeftBowerIsATrump() {
    assertEquals(3, Player.trumps(hand("9H", "AH", "JD", "9C", "TC"), Suit.HEARTS));
  }

  @Test
  void theOtherJacksAreNone() {
    assertEquals(2, Player.trumps(hand("9H", "AH", "JC", "JS", "TC"), Suit.HEARTS));
  }
}
