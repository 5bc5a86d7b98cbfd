package org.upcard;

import static org.junit.jupiter.api.Assertions.assertFalse;

import com.eclipsesource.json.Json;
import com.eclipsesource.json.JsonObject;
import com.eclipsesource.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;
import upcard.v1.Referee.Turn;
import upcard.v1.Referee.Welcome;

/** Reads the vectors that pin down what every SDK means by its names. */
final class Vectors {
  private static final Path DIRECTORY = Path.of("..", "testdata");

  private Vectors() {}

  static List<JsonObject> read(String name) throws IOException {
    List<JsonObject> vectors = new ArrayList<>();
    for (String line : Files.readAllLines(DIRECTORY.resolve(name + ".jsonl"))) {
      vectors.add(Json.parse(line).asObject());
    }
    assertFalse(vectors.isEmpty(), name);
    return vectors;
  }

  static Game game(JsonObject vector) {
    return Game.valueOf(vector.getString("game", "").toUpperCase());
  }

  static Suit suit(JsonObject vector, String key) {
    return text(vector.get(key), Suit::parse);
  }

  static Card card(JsonObject vector, String key) {
    return text(vector.get(key), Card::parse);
  }

  static Seat seat(JsonObject vector, String key) {
    JsonValue number = vector.get(key);
    return number.isNull() ? null : Seat.values()[number.asInt()];
  }

  static List<Card> cards(JsonObject vector, String key) {
    List<Card> cards = new ArrayList<>();
    vector.get(key).asArray().forEach(card -> cards.add(Card.parse(card.asString())));
    return cards;
  }

  static Turn turn(JsonObject vector) throws IOException {
    return Turn.parseFrom(HexFormat.of().parseHex(vector.getString("turn", "")));
  }

  static Welcome welcome(JsonObject vector) throws IOException {
    return Welcome.parseFrom(HexFormat.of().parseHex(vector.getString("welcome", "")));
  }

  private static <T> T text(JsonValue value, Function<String, T> read) {
    return value.isNull() ? null : read.apply(value.asString());
  }
}
