package org.upcard;

import java.util.List;
import upcard.v1.Referee.Turn;
import upcard.v1.Whist;

/** What a seat knows of a hand of whist. */
final class WhistView extends View {
  private final Whist.WhistView message;

  WhistView(Turn turn, Rules rules) {
    super(turn, rules);
    message = turn.getWhist();
  }

  @Override
  public Phase phase() {
    return Phase.PLAYING;
  }

  @Override
  public int handNumber() {
    return message.getHandNumber();
  }

  @Override
  public Seat seat() {
    return Numbers.seat(message.getSeatValue());
  }

  @Override
  public Seat dealer() {
    return Numbers.seat(message.getDealerValue());
  }

  @Override
  public Card upcard() {
    return null;
  }

  @Override
  public Card trumpCard() {
    return Numbers.card(message.getTrumpCardValue());
  }

  @Override
  public Suit trump() {
    return trumpCard().suit();
  }

  @Override
  public List<Call> calls() {
    return List.of();
  }

  @Override
  public boolean dealerStuck() {
    return false;
  }

  @Override
  public Seat maker() {
    return null;
  }

  @Override
  public boolean pickedUp() {
    return false;
  }

  @Override
  public Card discard() {
    return null;
  }

  @Override
  public Seat sitsOut() {
    return null;
  }

  @Override
  public List<Call> legalCalls() {
    return List.of();
  }

  @Override
  List<Action> readLegal() {
    return Numbers.plays(legalNumbers());
  }

  @Override
  boolean isOutOfPlay(Card card) {
    return false;
  }

  @Override
  int pointsNorthSouth() {
    return message.getPointsNorthSouth();
  }

  @Override
  int pointsEastWest() {
    return message.getPointsEastWest();
  }

  @Override
  List<Integer> handNumbers() {
    return message.getHandValueList();
  }

  @Override
  List<Integer> legalNumbers() {
    return message.getLegalCardsValueList();
  }

  @Override
  List<Integer> playedNumbers() {
    return message.getPlayedValueList();
  }

  @Override
  List<Integer> leaderNumbers() {
    return message.getLeadersValueList();
  }
}
