package org.upcard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.eclipsesource.json.Json;
import com.eclipsesource.json.JsonArray;
import com.eclipsesource.json.JsonObject;
import com.eclipsesource.json.JsonValue;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import upcard.v1.Cards;
import upcard.v1.Referee.Turn;

/** Every name of a view, as the shared vectors have it. */
class ViewTest {
  private static final Map<String, Function<View, JsonValue>> NAMES = new TreeMap<>();

  static {
    NAMES.put("game", view -> text(view.game()));
    NAMES.put("phase", view -> text(view.phase()));
    NAMES.put("table", view -> Json.value(view.table()));
    NAMES.put("turn", view -> Json.value(view.turn()));
    NAMES.put(
        "time_left_ms",
        view -> view.timeLeft() == null ? Json.NULL : Json.value(view.timeLeft().toMillis()));
    NAMES.put("hand_number", view -> Json.value(view.handNumber()));
    NAMES.put("seat", view -> seat(view.seat()));
    NAMES.put("partner", view -> seat(view.partner()));
    NAMES.put("dealer", view -> seat(view.dealer()));
    NAMES.put("score", view -> sides(view.score()));
    NAMES.put("target", view -> Json.value(view.target()));
    NAMES.put("hand", view -> list(view.hand(), ViewTest::text));
    NAMES.put("legal", view -> list(view.legal(), ViewTest::text));
    NAMES.put("legal_cards", view -> list(view.legalCards(), ViewTest::text));
    NAMES.put("upcard", view -> text(view.upcard()));
    NAMES.put("trump_card", view -> text(view.trumpCard()));
    NAMES.put("trump", view -> text(view.trump()));
    NAMES.put("calls", view -> list(view.calls(), ViewTest::text));
    NAMES.put("dealer_stuck", view -> Json.value(view.dealerStuck()));
    NAMES.put("maker", view -> seat(view.maker()));
    NAMES.put("we_made_trump", view -> Json.value(view.weMadeTrump()));
    NAMES.put("picked_up", view -> Json.value(view.pickedUp()));
    NAMES.put("sits_out", view -> seat(view.sitsOut()));
    NAMES.put("discard", view -> text(view.discard()));
    NAMES.put("leader", view -> seat(view.leader()));
    NAMES.put("trick", view -> list(view.trick(), ViewTest::text));
    NAMES.put("suit_led", view -> text(view.suitLed()));
    NAMES.put("winning_card", view -> text(view.winningCard()));
    NAMES.put("winning_seat", view -> seat(view.winningSeat()));
    NAMES.put("partner_is_winning", view -> Json.value(view.partnerIsWinning()));
    NAMES.put("last_to_play", view -> Json.value(view.lastToPlay()));
    NAMES.put("tricks", view -> list(view.tricks(), ViewTest::trick));
    NAMES.put("tricks_won", view -> sides(view.tricksWon()));
    NAMES.put("plays", view -> list(view.plays(), ViewTest::play));
    NAMES.put("void_suits", view -> list(List.of(Seat.values()), seat -> voids(view, seat)));
    NAMES.put("cards_still_out", view -> list(view.cardsStillOut(), ViewTest::text));
    NAMES.put("holding", view -> bySuit(view::holding));
    NAMES.put("still_out", view -> bySuit(view::stillOut));
    NAMES.put("takes_trick", ViewTest::takesTrick);
  }

  /** Returns all of a view, in the order of the vectors. */
  static JsonObject told(View view) throws IOException {
    JsonObject told = Json.object();
    for (String name : Vectors.read("views").get(0).get("view").asObject().names()) {
      told.add(name, NAMES.get(name).apply(view));
    }
    return told;
  }

  static Stream<String> names() {
    return NAMES.keySet().stream();
  }

  @ParameterizedTest
  @MethodSource("names")
  void everyNameIsAsTheVectorsHaveIt(String name) throws IOException {
    for (JsonObject vector : Vectors.read("views")) {
      JsonValue expected = vector.get("view").asObject().get(name);
      assertEquals(expected, NAMES.get(name).apply(view(vector)), vector::toString);
    }
  }

  @Test
  void noNameOfTheVectorsIsLeftOut() throws IOException {
    JsonObject view = Vectors.read("views").get(0).get("view").asObject();
    assertEquals(List.copyOf(NAMES.keySet()), view.names().stream().sorted().toList());
  }

  private static View heartsAreTrump() {
    Turn.Builder turn = Moments.play();
    turn.getEuchreBuilder().setTrump(Cards.Suit.SUIT_HEARTS);
    return Tables.viewOf(turn.build(), Tables.rulesOf(Moments.EUCHRE));
  }

  @Test
  void theWorthOfACardIsThatUnderTheTrumpOfTheHand() {
    assertEquals(Suit.HEARTS, heartsAreTrump().effectiveSuit(Card.JACK_OF_DIAMONDS));
    assertEquals(6, heartsAreTrump().strength(Card.JACK_OF_DIAMONDS));
    assertTrue(heartsAreTrump().beats(Card.JACK_OF_DIAMONDS, Card.ACE_OF_HEARTS));
  }

  @Test
  void theWorthOfACardCanBeAskedUnderAnotherTrump() {
    assertEquals(Suit.DIAMONDS, heartsAreTrump().effectiveSuit(Card.JACK_OF_HEARTS, Suit.DIAMONDS));
    assertEquals(7, heartsAreTrump().strength(Card.JACK_OF_DIAMONDS, Suit.DIAMONDS));
    assertTrue(heartsAreTrump().beats(Card.NINE_OF_CLUBS, Card.ACE_OF_HEARTS, Suit.CLUBS));
  }

  @Test
  void nullStandsForTheTrumpOfTheHand() {
    assertEquals(Suit.HEARTS, heartsAreTrump().effectiveSuit(Card.JACK_OF_DIAMONDS, null));
    assertEquals(6, heartsAreTrump().strength(Card.JACK_OF_DIAMONDS, null));
    assertTrue(heartsAreTrump().beats(Card.JACK_OF_DIAMONDS, Card.ACE_OF_HEARTS, null));
  }

  private static View view(JsonObject vector) throws IOException {
    return Tables.viewOf(Vectors.turn(vector), Tables.rulesOf(Vectors.welcome(vector)));
  }

  private static JsonValue text(Object value) {
    return value == null ? Json.NULL : Json.value(value.toString());
  }

  private static JsonValue seat(Seat seat) {
    return seat == null ? Json.NULL : Json.value(seat.ordinal());
  }

  private static JsonValue sides(Sides sides) {
    return Json.array(sides.us(), sides.them());
  }

  private static JsonValue trick(Trick trick) {
    return Json.object()
        .add("leader", seat(trick.leader()))
        .add("cards", list(trick.cards(), ViewTest::text))
        .add("winner", seat(trick.winner()));
  }

  private static JsonValue play(PlayedCard play) {
    return new JsonArray().add(seat(play.seat())).add(text(play.card()));
  }

  private static JsonValue voids(View view, Seat seat) {
    return list(view.voidSuits(seat), ViewTest::text);
  }

  private static JsonValue bySuit(Function<Suit, List<Card>> cards) {
    JsonObject found = Json.object();
    for (Suit suit : Suit.values()) {
      found.add(suit.toString(), list(cards.apply(suit), ViewTest::text));
    }
    return found;
  }

  private static JsonValue takesTrick(View view) {
    JsonObject found = Json.object();
    if (view.phase() == Phase.PLAYING) {
      view.legalCards().forEach(card -> found.add(card.toString(), view.takesTrick(card)));
    }
    return found;
  }

  private static <T> JsonArray list(Iterable<T> values, Function<? super T, JsonValue> one) {
    JsonArray array = new JsonArray();
    values.forEach(value -> array.add(one.apply(value)));
    return array;
  }
}
