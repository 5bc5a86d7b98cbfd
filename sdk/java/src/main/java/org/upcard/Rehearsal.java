package org.upcard;

import java.util.List;
import upcard.v1.Cards;
import upcard.v1.Euchre;
import upcard.v1.Recycle;
import upcard.v1.Referee.Frame;
import upcard.v1.Referee.TableOpened;
import upcard.v1.Referee.Turn;
import upcard.v1.Referee.Welcome;
import upcard.v1.Whist;

/** Plays a card of each game before the hello, so that Java does not load while a clock runs. */
final class Rehearsal {
  private Rehearsal() {}

  static void run() throws Exception {
    Welcome.Builder welcome = Welcome.newBuilder().setSeat(Cards.Seat.SEAT_NORTH);
    play(welcome.setEuchre(Euchre.EuchreRules.getDefaultInstance()).build(), euchre());
    play(welcome.setWhist(Whist.WhistRules.getDefaultInstance()).build(), whist());
    play(welcome.setRecycle(rules()).build(), recycle());
  }

  private static void play(Welcome welcome, Turn turn) throws Exception {
    Frame frame =
        Frame.newBuilder()
            .addOpened(TableOpened.newBuilder().setTableId(turn.getTableId()))
            .addTurns(turn)
            .build();
    // Read again from its bytes, as what comes from the referee is.
    Tables tables = new Tables((seat, rules, random) -> new Looking(), welcome);
    Pieces pieces = new Pieces(answers -> answers.toByteArray(), System::nanoTime);
    tables.answer(Frame.parseFrom(frame.toByteArray()), pieces);
  }

  /** Looks at the table before it plays, as bots do. */
  private static final class Looking implements Bot {
    @Override
    public Card play(View view, List<Card> legal) {
      view.toString();
      view.voidSuits(view.winningSeat());
      view.stillOut(view.suitLed());
      view.tricks();
      return legal.get(view.takesTrick(legal.get(0)) ? 0 : 1);
    }

    @Override
    public String act(RecycleView view, List<String> legal) {
      view.toString();
      view.places();
      view.numbers();
      return view.moves().get(0).text();
    }
  }

  private static Turn euchre() {
    Euchre.EuchreView.Builder view =
        Euchre.EuchreView.newBuilder()
            .setPhase(Euchre.EuchrePhase.EUCHRE_PHASE_PLAYING)
            .setSeat(Cards.Seat.SEAT_NORTH)
            .setTrump(Cards.Suit.SUIT_SPADES)
            .addHand(Cards.Card.CARD_ACE_OF_CLUBS)
            .addHand(Cards.Card.CARD_ACE_OF_SPADES)
            .addPlayed(Cards.Card.CARD_KING_OF_CLUBS)
            .addLeaders(Cards.Seat.SEAT_WEST)
            .addLegalCards(Cards.Card.CARD_ACE_OF_CLUBS)
            .addLegalCards(Cards.Card.CARD_ACE_OF_SPADES);
    return Turn.newBuilder().setEuchre(view).build();
  }

  private static Turn whist() {
    Whist.WhistView.Builder view =
        Whist.WhistView.newBuilder()
            .setSeat(Cards.Seat.SEAT_NORTH)
            .setTrumpCard(Cards.Card.CARD_TWO_OF_SPADES)
            .addHand(Cards.Card.CARD_ACE_OF_CLUBS)
            .addPlayed(Cards.Card.CARD_KING_OF_CLUBS)
            .addLeaders(Cards.Seat.SEAT_WEST)
            .addLegalCards(Cards.Card.CARD_ACE_OF_CLUBS);
    return Turn.newBuilder().setWhist(view).build();
  }

  private static Recycle.RecycleRules rules() {
    Recycle.RecycleFace.Builder face = Recycle.RecycleFace.newBuilder().setName("ACE");
    return Recycle.RecycleRules.newBuilder().setSeat(1).addFaces(face).build();
  }

  private static Turn recycle() {
    Recycle.RecyclePlace hand =
        Recycle.RecyclePlace.newBuilder().setOwner(1).setName("HAND").addFaces(1).build();
    Recycle.RecycleStep step =
        Recycle.RecycleStep.newBuilder().setVerb("move").setFace(1).setSource(hand).build();
    Recycle.RecycleView.Builder view =
        Recycle.RecycleView.newBuilder()
            .setPlayer(1)
            .addPlaces(hand)
            .addNumbers(Recycle.RecycleNumber.newBuilder().setName("BET").setValue(1))
            .addLegal(Recycle.RecycleMove.newBuilder().setText("play ACE").addSteps(step));
    return Turn.newBuilder().setRecycle(view).build();
  }
}
