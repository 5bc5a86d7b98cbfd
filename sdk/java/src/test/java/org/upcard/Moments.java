package org.upcard;

import upcard.v1.Cards;
import upcard.v1.Euchre;
import upcard.v1.Referee.Frame;
import upcard.v1.Referee.TableOpened;
import upcard.v1.Referee.Turn;
import upcard.v1.Referee.Welcome;
import upcard.v1.Whist;

/** What a referee says to North, who is to speak first in a hand of euchre. */
final class Moments {
  private Moments() {}

  static final Welcome EUCHRE =
      Welcome.newBuilder()
          .setSeat(Cards.Seat.SEAT_NORTH)
          .setEuchre(Euchre.EuchreRules.newBuilder().setTarget(10).setAlone(true))
          .build();

  static final Welcome WHIST =
      Welcome.newBuilder()
          .setSeat(Cards.Seat.SEAT_NORTH)
          .setWhist(Whist.WhistRules.newBuilder().setTarget(5))
          .build();

  static final Welcome UNKNOWN = Welcome.newBuilder().setSeat(Cards.Seat.SEAT_NORTH).build();

  /** Opens tables 1 to so many. */
  static Frame opened(int tables) {
    Frame.Builder frame = Frame.newBuilder();
    for (int table = 1; table <= tables; table++) {
      frame.addOpened(TableOpened.newBuilder().setTableId(table).setSeed(table));
    }
    return frame.build();
  }

  /** Asks for a call at tables 1 to so many; the turns are 101 and so on. */
  static Frame turns(int tables) {
    Frame.Builder frame = Frame.newBuilder();
    for (int table = 1; table <= tables; table++) {
      frame.addTurns(bid().setTurnId(100 + table).setTableId(table));
    }
    return frame.build();
  }

  static Turn.Builder bid() {
    return Turn.newBuilder()
        .setEuchre(
            Euchre.EuchreView.newBuilder()
                .setPhase(Euchre.EuchrePhase.EUCHRE_PHASE_BIDDING)
                .setSeat(Cards.Seat.SEAT_NORTH)
                .setDealer(Cards.Seat.SEAT_WEST)
                .addHand(Cards.Card.CARD_NINE_OF_CLUBS)
                .addHand(Cards.Card.CARD_JACK_OF_CLUBS)
                .setUpcard(Cards.Card.CARD_JACK_OF_SPADES)
                .addLegalCalls(Euchre.EuchreCall.EUCHRE_CALL_PASS)
                .addLegalCalls(Euchre.EuchreCall.EUCHRE_CALL_ORDER_UP));
  }

  static Turn.Builder discard() {
    Turn.Builder turn = bid();
    turn.getEuchreBuilder()
        .setPhase(Euchre.EuchrePhase.EUCHRE_PHASE_DISCARDING)
        .clearLegalCalls()
        .addLegalCards(Cards.Card.CARD_NINE_OF_CLUBS)
        .addLegalCards(Cards.Card.CARD_JACK_OF_CLUBS);
    return turn;
  }

  static Turn.Builder play() {
    Turn.Builder turn = discard();
    turn.getEuchreBuilder().setPhase(Euchre.EuchrePhase.EUCHRE_PHASE_PLAYING);
    return turn;
  }
}
