package org.upcard;

import java.util.List;
import upcard.v1.Euchre;
import upcard.v1.Referee.Turn;

/** What a seat knows of a hand of euchre. */
final class EuchreView extends View {
  private static final int CALLS_OF_A_ROUND = 4;

  private final Euchre.EuchreView message;

  EuchreView(Turn turn, Rules rules) {
    super(turn, rules);
    message = turn.getEuchre();
  }

  @Override
  public Phase phase() {
    return Numbers.phase(message.getPhaseValue());
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
    return Numbers.card(message.getUpcardValue());
  }

  @Override
  public Card trumpCard() {
    return null;
  }

  @Override
  public Suit trump() {
    return Numbers.suit(message.getTrumpValue());
  }

  @Override
  public List<Call> calls() {
    return Numbers.calls(message.getCallsValueList());
  }

  @Override
  public boolean dealerStuck() {
    return message.getDealerStuck();
  }

  @Override
  public Seat maker() {
    return Numbers.seat(message.getMakerValue());
  }

  @Override
  public boolean pickedUp() {
    return message.getMakerValue() != 0 && message.getCallsCount() <= CALLS_OF_A_ROUND;
  }

  @Override
  public Card discard() {
    return Numbers.card(message.getDiscardValue());
  }

  @Override
  public Seat sitsOut() {
    return Numbers.seat(message.getSitsOutValue());
  }

  @Override
  public List<Call> legalCalls() {
    return Numbers.calls(message.getLegalCallsValueList());
  }

  @Override
  List<Action> readLegal() {
    return switch (phase()) {
      case BIDDING -> Numbers.callActions(message.getLegalCallsValueList());
      case DISCARDING -> Numbers.discards(legalNumbers());
      case PLAYING -> Numbers.plays(legalNumbers());
    };
  }

  @Override
  boolean isOutOfPlay(Card card) {
    return card == discard() || (card == upcard() && !pickedUp());
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
