package bot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.upcard.Situation;

/** What my-bot should do, told as facts; {@code upcard check} tries the rest. */
class PlayerTest {
  /** What the bot chooses in a situation. West is the dealer, if no other is told. */
  private static String choice(Situation situation) {
    return situation.ask((seat, rules, random) -> new Player()).toString();
  }

  private static Situation turnedUp(String upcard) {
    return Situation.euchre().upcard(upcard);
  }

  private static Situation heartsAreTrump() {
    return Situation.euchre().trump("H");
  }

  @Test
  void threeTrumpsAreEnoughToOrderUp() {
    // The jack of diamonds would be the left bower.
    assertEquals("order_up", choice(turnedUp("KH").hand("9H AH JD 9C TC")));
  }

  @Test
  void twoTrumpsAreNot() {
    assertEquals("pass", choice(turnedUp("KH").hand("9H AH JS 9C TC")));
  }

  @Test
  void theDealerKeepsHerTrumps() {
    Situation orderedUp = turnedUp("QH").calls("order_up");
    assertEquals("discard:TC", choice(orderedUp.hand("TC AD 9H TH QH KS")));
  }

  @Test
  void aTrickIsWonAsCheaplyAsItCanBe() {
    assertEquals("play:JC", choice(heartsAreTrump().hand("9C JC KC").played("TC")));
  }

  @Test
  void partnersTrickIsLeftToHer() {
    assertEquals("play:TC", choice(heartsAreTrump().hand("TC AC").played("KC 9C")));
  }
}
