package org.upcard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.eclipsesource.json.JsonArray;
import com.eclipsesource.json.JsonObject;
import com.eclipsesource.json.JsonValue;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The situations made for the tests of bots. */
class SituationTest {
  private static Situation read(JsonObject told) {
    boolean whist = told.getString("game", "euchre").equals("whist");
    Situation situation = whist ? Situation.whist() : Situation.euchre();
    for (JsonObject.Member member : told) {
      JsonValue value = member.getValue();
      switch (member.getName()) {
        case "game" -> {}
        case "hand" -> situation.hand(words(value));
        case "calls" -> situation.calls(words(value));
        case "played" -> situation.played(words(value));
        case "seat", "dealer", "maker" -> seat(value, setter(situation, member.getName()));
        case "upcard" -> situation.upcard(value.asString());
        case "trump_card" -> situation.trumpCard(value.asString());
        case "trump" -> ifTold(value, situation::trump);
        case "discard" -> ifTold(value, situation::discard);
        case "score" -> score(value.asArray(), situation);
        case "hand_number" -> situation.handNumber(value.asInt());
        case "dealer_stuck" -> stick(value.asBoolean(), situation);
        case "rules" -> situation.rules(rules(whist, value.asObject()));
        default -> throw new IllegalArgumentException(member.getName());
      }
    }
    return situation;
  }

  private static String words(JsonValue list) {
    return list.asArray().values().stream()
        .map(JsonValue::asString)
        .collect(Collectors.joining(" "));
  }

  private static Consumer<Seat> setter(Situation situation, String name) {
    return switch (name) {
      case "seat" -> situation::seat;
      case "dealer" -> situation::dealer;
      default -> situation::maker;
    };
  }

  private static void seat(JsonValue number, Consumer<Seat> set) {
    if (!number.isNull()) {
      set.accept(Seat.values()[number.asInt()]);
    }
  }

  private static void ifTold(JsonValue token, Consumer<String> set) {
    if (!token.isNull()) {
      set.accept(token.asString());
    }
  }

  private static void score(JsonArray points, Situation situation) {
    situation.score(points.get(0).asInt(), points.get(1).asInt());
  }

  private static void stick(boolean stuck, Situation situation) {
    if (stuck) {
      situation.dealerStuck();
    }
  }

  private static Rules rules(boolean whist, JsonObject told) {
    return new Rules(
        whist ? Game.WHIST : Game.EUCHRE,
        told.getInt("target", 0),
        told.getBoolean("alone", false),
        told.getBoolean("stick_dealer", false),
        told.getBoolean("partner_must_go_alone", false));
  }

  @Test
  void aSituationComesToWhatFollowsFromItOrCannotBe() throws IOException {
    for (JsonObject vector : Vectors.read("situations")) {
      Situation situation = read(vector.get("situation").asObject());
      if (vector.get("refused") == null) {
        assertEquals(vector.get("view"), ViewTest.told(situation.view()), vector::toString);
      } else {
        assertEquals(vector.getString("refused", ""), refused(situation), vector::toString);
      }
    }
  }

  private static String refused(Situation situation) {
    return assertThrows(ImpossibleSituationException.class, situation::view).getMessage();
  }

  @Test
  void aWordThatIsNoneIsNamed() {
    Situation situation = Situation.euchre();
    Stream<Consumer<String>> setters =
        Stream.of(situation::hand, situation::calls, situation::trump, situation::upcard);
    assertEquals(
        List.of("card X", "action X", "suit X", "card X"),
        setters.map(SituationTest::named).toList());
  }

  private static String named(Consumer<String> setter) {
    return assertThrows(IllegalArgumentException.class, () -> setter.accept("X"))
        .getMessage()
        .replace("there is no ", "");
  }

  @Test
  void rulesOfAnotherGameAreRefused() {
    Rules rules = new Rules(Game.WHIST, 10, false, false, false);
    assertEquals("the rules are those of whist", refused(Situation.euchre().rules(rules)));
  }

  private record Drawing(Random random) implements Bot {
    @Override
    public Action choose(View view, List<Action> legal) {
      return legal.get(random.nextInt(legal.size()));
    }
  }

  private static Situation leading() {
    return Situation.euchre().hand("9C AC JD KS 9S").trump("H").dealer(Seat.EAST);
  }

  @Test
  void aBotIsAskedInASituationAlwaysWithTheSameChance() {
    BotFactory draws =
        (seat, rules, random) -> {
          assertEquals(Seat.SOUTH, seat);
          assertEquals(10, rules.target());
          return new Drawing(random);
        };
    Action first = leading().ask(draws);
    for (int again = 0; again < 20; again++) {
      assertEquals(first, leading().ask(draws));
    }
  }

  private static final class Wrong implements Bot {
    @Override
    public Action choose(View view, List<Action> legal) {
      return Call.PASS;
    }
  }

  @Test
  void whatABotMayNotDoIsTold() {
    Situation situation = leading().hand("9C AC");
    Exception told =
        assertThrows(
            IllegalChoiceException.class,
            () -> situation.ask((seat, rules, random) -> new Wrong()));
    assertEquals("the bot returned pass; legal here: play:9C play:AC", told.getMessage());
  }
}
