package bot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.upcard.Action;
import org.upcard.Card;
import org.upcard.Play;
import org.upcard.Situation;

class AceTest {
  @Test
  void theAceTakesTheTrick() {
    Situation situation = Situation.euchre().hand("JD 9H AS").trump("H").played("9S KS");
    Action choice = situation.ask((seat, rules, random) -> new Player(random));
    assertEquals(Play.of(Card.ACE_OF_SPADES), choice);
  }
}
