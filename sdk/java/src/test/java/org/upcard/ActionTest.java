package org.upcard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Actions, cards and seats as text. */
class ActionTest {
  @ParameterizedTest
  @ValueSource(
      strings = {"pass", "order_up", "order_up_alone", "name:S", "name_alone:S", "discard:9H"})
  void anActionPrintsWhatItIsReadFrom(String token) {
    assertEquals(token, Action.parse(token).toString());
  }

  @Test
  void playingACardPrintsTheCard() {
    assertEquals("play:JD", Play.of(Card.JACK_OF_DIAMONDS).toString());
  }

  @Test
  void playingACardIsTheSameHoweverItIsMade() {
    assertEquals(Play.of(Card.JACK_OF_DIAMONDS), new Play(Card.JACK_OF_DIAMONDS));
  }

  @ParameterizedTest
  @EnumSource(Suit.class)
  void namingASuitNamesIt(Suit suit) {
    assertSame(suit, Call.naming(suit).suit());
  }

  @ParameterizedTest
  @EnumSource(Suit.class)
  void namingASuitAlonePrintsSo(Suit suit) {
    assertEquals("name_alone:" + suit, Call.namingAlone(suit).toString());
  }

  @ParameterizedTest
  @EnumSource(Card.class)
  void aCardIsMadeOfItsRankAndSuit(Card card) {
    assertSame(card, Card.of(card.rank(), card.suit()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"jump", "play:1D", "discard:", ""})
  void whatIsNoActionIsRefused(String token) {
    assertThrows(IllegalArgumentException.class, () -> Action.parse(token));
  }

  @Test
  void whoSitsOutIsPassedOver() {
    assertEquals(List.of(Seat.WEST, Seat.EAST, Seat.SOUTH), Seat.order(Seat.WEST, Seat.NORTH));
  }

  @Test
  void partnersAreATeam() {
    assertEquals(true, Seat.WEST.isInTeamOf(Seat.EAST));
  }

  @Test
  void neighboursAreNoTeam() {
    assertEquals(false, Seat.WEST.isInTeamOf(Seat.NORTH));
  }
}
