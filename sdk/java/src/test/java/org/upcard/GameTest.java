package org.upcard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.eclipsesource.json.JsonObject;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The worth of cards, as the shared vectors have it. */
class GameTest {
  @Test
  void cardsHaveTheirNumbers() throws IOException {
    for (JsonObject vector : Vectors.read("cards")) {
      Card card = Vectors.card(vector, "card");
      assertEquals(card, Numbers.card(vector.getInt("number", 0)));
    }
  }

  @Test
  void cardsHaveTheirPrintedSuit() throws IOException {
    for (JsonObject vector : Vectors.read("cards")) {
      assertEquals(Vectors.suit(vector, "suit"), Vectors.card(vector, "card").suit());
    }
  }

  @Test
  void cardsCountAsTheirSuit() throws IOException {
    for (JsonObject vector : Vectors.read("effective_suit")) {
      Suit suit =
          Vectors.game(vector)
              .effectiveSuit(Vectors.card(vector, "card"), Vectors.suit(vector, "trump"));
      assertEquals(Vectors.suit(vector, "suit"), suit, vector::toString);
    }
  }

  @Test
  void cardsAreAsStrongAsTheyAre() throws IOException {
    for (JsonObject vector : Vectors.read("effective_suit")) {
      int strength =
          Vectors.game(vector)
              .strength(Vectors.card(vector, "card"), Vectors.suit(vector, "trump"));
      assertEquals(vector.getInt("strength", -1), strength, vector::toString);
    }
  }

  @Test
  void cardsBeatWhatTheyBeat() throws IOException {
    for (JsonObject vector : Vectors.read("beats")) {
      boolean beats =
          Vectors.game(vector)
              .beats(
                  Vectors.card(vector, "card"),
                  Vectors.card(vector, "other"),
                  Vectors.suit(vector, "trump"));
      assertEquals(vector.get("beats").asBoolean(), beats, vector::toString);
    }
  }

  @Test
  void tricksAreWonByTheirWinner() throws IOException {
    for (JsonObject vector : Vectors.read("trick_winner")) {
      Seat winner =
          Vectors.game(vector)
              .winner(
                  Vectors.seat(vector, "leader"),
                  Vectors.cards(vector, "cards"),
                  Vectors.suit(vector, "trump"),
                  Vectors.seat(vector, "sits_out"));
      assertEquals(Vectors.seat(vector, "winning_seat"), winner, vector::toString);
    }
  }

  @Test
  void tricksAreWonByTheirBestCard() throws IOException {
    for (JsonObject vector : Vectors.read("trick_winner")) {
      Card best =
          Vectors.game(vector)
              .winningCard(Vectors.cards(vector, "cards"), Vectors.suit(vector, "trump"));
      assertEquals(Vectors.card(vector, "winning_card"), best, vector::toString);
    }
  }

  @Test
  void suitIsFollowedAsItMustBe() throws IOException {
    for (JsonObject vector : Vectors.read("legal_plays")) {
      List<Card> legal =
          Vectors.game(vector)
              .legalPlays(
                  Vectors.cards(vector, "hand"),
                  Vectors.card(vector, "led"),
                  Vectors.suit(vector, "trump"));
      assertEquals(Vectors.cards(vector, "legal"), legal, vector::toString);
    }
  }

  @Test
  void aCardOutsideThePackHasNoSuit() {
    assertThrows(
        IllegalArgumentException.class,
        () -> Game.EUCHRE.effectiveSuit(Card.TWO_OF_CLUBS, Suit.CLUBS));
  }

  @Test
  void anEmptyTrickHasNoWinner() {
    assertEquals(null, Game.WHIST.winner(Seat.NORTH, List.of(), Suit.CLUBS, null));
  }

  @Test
  void anEmptyTrickHasNoBestCard() {
    assertEquals(null, Game.WHIST.winningCard(List.of(), Suit.CLUBS));
  }
}
