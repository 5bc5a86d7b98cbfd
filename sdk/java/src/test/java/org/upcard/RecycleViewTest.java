package org.upcard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.eclipsesource.json.Json;
import com.eclipsesource.json.JsonArray;
import com.eclipsesource.json.JsonObject;
import com.eclipsesource.json.JsonValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import upcard.v1.Referee.Answers;
import upcard.v1.Referee.Frame;
import upcard.v1.Referee.TableOpened;
import upcard.v1.Referee.Turn;

/** Games described in RECYCLE: the view of a turn, as the shared vectors have it, and who is asked. */
class RecycleViewTest {
  @AfterEach
  void nothingIsDecidedAnyMore() {
    Moment.end();
  }

  @Test
  void aViewTellsWhatThePlayerKnows() throws IOException {
    for (JsonObject vector : Vectors.read("recycle_views")) {
      RecycleView view = view(vector);
      assertSame(vector.get("rules").asObject(), rules(view.rules()));
      assertSame(vector.get("view").asObject(), told(view));
    }
  }

  @Test
  void whatIsStoredIsFoundByOwnerAndName() throws IOException {
    for (JsonObject vector : Vectors.read("recycle_views")) {
      RecycleView view = view(vector);
      for (RecycleView.StoredNumber each : view.numbers()) {
        assertEquals(each.value(), view.number(each.owner(), each.name()));
      }
      for (RecycleView.StoredText each : view.texts()) {
        assertEquals(each.value(), view.text(each.owner(), each.name()));
      }
      assertEquals(0, view.number(0, "NOTHING"));
      assertEquals("", view.text(0, "NOTHING"));
    }
  }

  @Test
  void aCardThatIsNoneOfTheGameIsNotKnown() throws IOException {
    Turn.Builder turn = Vectors.turn(many()).toBuilder();
    turn.getRecycleBuilder().getPlacesBuilder(1).addFaces(201);
    RecycleRules rules = view(many()).rules();
    RecycleView view = Tables.recycleViewOf(turn.build(), rules);
    assertThrows(NotKnownException.class, view::places);
  }

  @Test
  void aMoveIsAnsweredByItsPlace() throws Exception {
    assertEquals(List.of(1), choices((seat, rules, random) -> new Acts("play CJ-BLUE")));
  }

  @Test
  void aMoveThatIsNotLegalIsToldWithThoseThatAre() {
    BotFactory factory = (seat, rules, random) -> new Acts("shout");
    Exception error = assertThrows(IllegalChoiceException.class, () -> choices(factory));
    assertEquals(
        "the bot returned shout; legal here: play NA-RED; play CJ-BLUE", error.getMessage());
  }

  @Test
  void aBotThatDoesNotActIsToldToWriteIt() {
    BotFactory factory = (seat, rules, random) -> new Bot() {};
    Exception error = assertThrows(UnsupportedOperationException.class, () -> choices(factory));
    assertTrue(error.getMessage().endsWith("List<String> legal) for this"), error.getMessage());
  }

  @Test
  void suchAGameHasNoCompassSeatAndNoRulesOfAnother() throws Exception {
    BotFactory factory =
        (seat, rules, random) -> {
          assertNull(seat);
          assertNull(rules);
          return new Acts("play NA-RED");
        };
    assertEquals(List.of(0), choices(factory));
  }

  @Test
  void theSituationIsALine() throws Exception {
    Tables tables = new Tables((seat, rules, random) -> new Acts(""), Vectors.welcome(many()));
    Moment.begin(Vectors.turn(many()));
    assertEquals(
        "recycle, acting: eight at a table, hand 12, player 3, legal play NA-RED; play CJ-BLUE",
        tables.situation());
  }

  /** Returns a move of this text. */
  private record Acts(String text) implements Bot {
    @Override
    public String act(RecycleView view, List<String> legal) {
      return text;
    }
  }

  /** A moment with many cards. */
  private static JsonObject many() throws IOException {
    return Vectors.read("recycle_views").get(2);
  }

  private static List<Integer> choices(BotFactory factory) throws Exception {
    Turn turn = Vectors.turn(many());
    Frame frame =
        Frame.newBuilder()
            .addOpened(TableOpened.newBuilder().setTableId(turn.getTableId()))
            .addTurns(turn)
            .build();
    List<Answers> sent = new ArrayList<>();
    Tables tables = new Tables(factory, Vectors.welcome(many()));
    tables.answer(frame, new Pieces(sent::add, System::nanoTime));
    return sent.get(0).getChoicesList();
  }

  private static RecycleView view(JsonObject vector) throws IOException {
    RecycleRules rules = RecycleRules.of(Vectors.welcome(vector).getRecycle());
    return Tables.recycleViewOf(Vectors.turn(vector), rules);
  }

  private static void assertSame(JsonObject expected, JsonObject found) {
    assertEquals(expected.names().stream().sorted().toList(), sortedNames(found));
    for (String name : expected.names()) {
      assertEquals(expected.get(name).toString(), found.get(name).toString(), name);
    }
  }

  private static List<String> sortedNames(JsonObject object) {
    return object.names().stream().sorted().toList();
  }

  private static JsonObject rules(RecycleRules rules) {
    return Json.object()
        .add("name", rules.name())
        .add("program", rules.program())
        .add("numbering", rules.numbering())
        .add("hands", rules.hands())
        .add("players", rules.players())
        .add("sides", list(rules.sides(), Json::value))
        .add("seat", rules.seat())
        .add("lowest_wins", rules.lowestWins())
        .add("faces", list(rules.faces(), RecycleViewTest::face));
  }

  private static JsonValue face(RecycleFace face) {
    return Json.object()
        .add("name", face.name())
        .add("attributes", list(face.attributes().entrySet(), e -> pair(e.getKey(), e.getValue())))
        .add("back", face.back())
        .add("cards", face.cards());
  }

  private static JsonObject told(RecycleView view) {
    return Json.object()
        .add("table", view.table())
        .add("turn", view.turn())
        .add(
            "time_left_ms",
            view.timeLeft() == null ? Json.NULL : Json.value(view.timeLeft().toMillis()))
        .add("hand_number", view.handNumber())
        .add("player", view.player())
        .add("scores", list(view.scores(), Json::value))
        .add("places", list(view.places(), RecycleViewTest::place))
        .add("numbers", list(view.numbers(), RecycleViewTest::stored))
        .add("texts", list(view.texts(), RecycleViewTest::stored))
        .add("points", list(view.points(), RecycleViewTest::points))
        .add("flow", list(view.flow(), Json::value))
        .add("legal", list(view.legal(), Json::value))
        .add("moves", list(view.moves(), RecycleViewTest::move));
  }

  private static JsonValue place(RecycleView.Place place) {
    JsonValue faces =
        place.faces() == null
            ? Json.NULL
            : list(place.faces(), face -> Json.value(face.toString()));
    return spot(place.spot())
        .add("size", place.size())
        .add("faces", faces)
        .add("backs", list(place.backs(), back -> pair(back.name()).add(back.cards())));
  }

  private static JsonObject spot(RecycleView.Spot spot) {
    return Json.object()
        .add("owner", spot.owner())
        .add("kind", spot.kind())
        .add("name", spot.name())
        .add("index", spot.index());
  }

  private static JsonValue stored(RecycleView.StoredNumber each) {
    return new JsonArray().add(each.owner()).add(each.name()).add(each.value());
  }

  private static JsonValue stored(RecycleView.StoredText each) {
    return new JsonArray().add(each.owner()).add(each.name()).add(each.value());
  }

  private static JsonValue points(RecycleView.Points points) {
    return Json.object()
        .add("owner", points.owner())
        .add("name", points.name())
        .add("awards", list(points.awards(), RecycleViewTest::award));
  }

  private static JsonValue award(RecycleView.Award award) {
    return Json.object()
        .add("attributes", list(award.attributes(), each -> pair(each.key(), each.value())))
        .add("points", award.points());
  }

  private static JsonValue move(RecycleView.Move move) {
    return Json.object()
        .add("text", move.text())
        .add("steps", list(move.steps(), RecycleViewTest::step));
  }

  private static JsonValue step(RecycleView.Step step) {
    return Json.object()
        .add("verb", step.verb())
        .add("face", or(step.face(), face -> Json.value(face.name())))
        .add("source", or(step.source(), RecycleViewTest::spot))
        .add("target", or(step.target(), RecycleViewTest::spot))
        .add("owner", or(step.owner(), Json::value))
        .add("name", or(step.name(), Json::value))
        .add("value", or(step.value(), RecycleViewTest::value))
        .add("other_face", or(step.otherFace(), face -> Json.value(face.name())));
  }

  private static JsonValue value(Object value) {
    if (value instanceof Integer number) {
      return Json.value(number);
    }
    if (value instanceof String text) {
      return Json.value(text);
    }
    return list((List<?>) value, each -> award((RecycleView.Award) each));
  }

  private static <T> JsonValue or(T value, Function<T, JsonValue> told) {
    return value == null ? Json.NULL : told.apply(value);
  }

  private static JsonArray pair(String... texts) {
    return list(List.of(texts), Json::value);
  }

  private static <T> JsonArray list(Iterable<T> values, Function<? super T, JsonValue> one) {
    JsonArray array = new JsonArray();
    values.forEach(value -> array.add(one.apply(value)));
    return array;
  }
}
