package org.upcard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import upcard.v1.Referee.Answers;
import upcard.v1.Referee.Frame;
import upcard.v1.Referee.TableClosed;
import upcard.v1.Referee.TableOpened;
import upcard.v1.Referee.Turn;
import upcard.v1.Whist;

/** Frames in, answers out, without a network. */
class TablesTest {
  private final AtomicLong clock = new AtomicLong();
  private final List<Answers> sent = new ArrayList<>();
  private final List<Bot> made = new ArrayList<>();

  /** Sent between decisions only, by the clock of the test. */
  private final Pieces pieces =
      new Pieces(sent::add, clock::get) {
        @Override
        void watch() {}
      };

  private static final class Last implements Bot {
    @Override
    public Action choose(View view, List<Action> legal) {
      return legal.get(legal.size() - 1);
    }
  }

  private static final class ByKind implements Bot {
    @Override
    public Call bid(View view, List<Call> legal) {
      return Call.ORDER_UP;
    }

    @Override
    public Card discard(View view, List<Card> legal) {
      return legal.get(1);
    }

    @Override
    public Card play(View view, List<Card> legal) {
      return legal.get(1);
    }
  }

  private static final class Silent implements Bot {}

  @AfterEach
  void nothingIsDecidedAnyMore() {
    Moment.end();
  }

  private Tables tables(BotFactory factory) throws Exception {
    Tables tables = new Tables(factory, Moments.EUCHRE);
    tables.answer(Moments.opened(5), pieces);
    return tables;
  }

  private Tables tables(Bot bot) throws Exception {
    return tables((seat, rules, random) -> bot);
  }

  private static Frame frame(Turn.Builder turn) {
    return Frame.newBuilder().addTurns(turn.setTurnId(101).setTableId(1)).build();
  }

  @Test
  void aFrameIsAnsweredInItsOrderByOneMessage() throws Exception {
    tables(new Last()).answer(Moments.turns(3), pieces);
    Answers all =
        Answers.newBuilder()
            .addAllTurnIds(List.of(101, 102, 103))
            .addAllChoices(List.of(1, 1, 1))
            .build();
    assertEquals(List.of(all), sent);
  }

  @Test
  void newsAreNotAnswered() throws Exception {
    tables(new Last());
    assertEquals(List.of(), sent);
  }

  @Test
  void slowDecisionsAreSentInPieces() throws Exception {
    Bot slow =
        new Bot() {
          @Override
          public Action choose(View view, List<Action> legal) {
            clock.addAndGet(Pieces.PIECE_NANOS * 2 / 3);
            return legal.get(0);
          }
        };
    tables(slow).answer(Moments.turns(5), pieces);
    assertEquals(List.of(2, 2, 1), sent.stream().map(Answers::getTurnIdsCount).toList());
  }

  @Test
  void whatIsFinishedIsSentWhileADecisionTakesItsTime() throws Exception {
    BlockingQueue<Answers> heard = new LinkedBlockingQueue<>();
    List<Integer> meanwhile = new ArrayList<>();
    Bot waiting =
        new Bot() {
          @Override
          public Action choose(View view, List<Action> legal) {
            if (view.turn() == 102) {
              meanwhile.addAll(taken(heard).getTurnIdsList());
            }
            return legal.get(0);
          }
        };
    tables(waiting).answer(Moments.turns(3), new Pieces(heard::add, System::nanoTime));
    assertEquals(List.of(101), meanwhile);
    assertEquals(List.of(102, 103), taken(heard).getTurnIdsList());
  }

  private static Answers taken(BlockingQueue<Answers> heard) {
    try {
      return heard.take();
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException(interrupted);
    }
  }

  @Test
  void callsAreAskedOfBid() throws Exception {
    tables(new ByKind()).answer(frame(Moments.bid()), pieces);
    assertEquals(List.of(1), sent.get(0).getChoicesList());
  }

  @Test
  void theDiscardIsAskedOfDiscard() throws Exception {
    tables(new ByKind()).answer(frame(Moments.discard()), pieces);
    assertEquals(List.of(1), sent.get(0).getChoicesList());
  }

  @Test
  void cardsAreAskedOfPlay() throws Exception {
    tables(new ByKind()).answer(frame(Moments.play()), pieces);
    assertEquals(List.of(1), sent.get(0).getChoicesList());
  }

  @Test
  void aMissingMethodIsNamed() throws Exception {
    Tables tables = tables(new Silent());
    Exception error =
        assertThrows(
            UnsupportedOperationException.class, () -> tables.answer(Moments.turns(1), pieces));
    assertTrue(error.getMessage().startsWith("Silent cannot decide: write Call bid("));
  }

  @Test
  void whatIsNotLegalIsRefused() throws Exception {
    Tables tables = tables(new OneMind(Play.of(Card.JACK_OF_DIAMONDS)));
    Exception error =
        assertThrows(
            IllegalChoiceException.class, () -> tables.answer(Moments.turns(1), pieces));
    assertEquals("the bot returned play:JD; legal here: pass order_up", error.getMessage());
  }

  @Test
  void nothingIsRefusedToo() throws Exception {
    Tables tables = tables(new OneMind(null));
    assertThrows(IllegalChoiceException.class, () -> tables.answer(Moments.turns(1), pieces));
  }

  private record OneMind(Action always) implements Bot {
    @Override
    public Action choose(View view, List<Action> legal) {
      return always;
    }
  }

  @Test
  void everyTableHasABotOfItsOwn() throws Exception {
    Tables tables = tables((seat, rules, random) -> made(new Last()));
    tables.answer(Moments.turns(5), pieces);
    tables.answer(Moments.turns(5), pieces);
    assertEquals(5, made.stream().distinct().count());
    assertEquals(5, made.size());
  }

  @Test
  void aTableThatIsOpenedAndNeverAskedMakesNoBot() throws Exception {
    tables((seat, rules, random) -> made(new Last()));
    assertEquals(List.of(), made);
  }

  private Bot made(Bot bot) {
    made.add(bot);
    return bot;
  }

  /** What a bot draws first at a table with this seed. */
  private long drawn(long seed) throws Exception {
    List<Long> drawn = new ArrayList<>();
    BotFactory drawing =
        (seat, rules, random) -> {
          drawn.add(random.nextLong());
          return new Last();
        };
    Frame frame =
        Moments.turns(1).toBuilder()
            .addOpened(TableOpened.newBuilder().setTableId(1).setSeed(seed))
            .build();
    new Tables(drawing, Moments.EUCHRE).answer(frame, pieces);
    return drawn.get(0);
  }

  @Test
  void theSameSeedIsTheSameChance() throws Exception {
    assertEquals(drawn(5), drawn(5));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 47, 48, 63})
  void everyBitOfASeedCounts(int bit) throws Exception {
    assertNotEquals(drawn(5), drawn(5 ^ 1L << bit));
  }

  @Test
  void aBotIsToldItsSeatAndTheRules() throws Exception {
    List<Object> told = new ArrayList<>();
    Tables tables =
        tables(
            (seat, rules, random) -> {
              told.add(seat);
              told.add(rules);
              return new Last();
            });
    tables.answer(Moments.turns(1), pieces);
    Rules rules = new Rules(Game.EUCHRE, 10, true, false, false);
    assertEquals(List.of(Seat.NORTH, rules), told.subList(0, 2));
  }

  @Test
  void theBotOfAClosedTableIsDropped() throws Exception {
    Tables tables = tables(new Last());
    TableClosed closed = TableClosed.newBuilder().setTableId(1).build();
    tables.answer(Frame.newBuilder().addClosed(closed).build(), pieces);
    Exception error =
        assertThrows(IllegalStateException.class, () -> tables.answer(Moments.turns(1), pieces));
    assertEquals("the table was never opened", error.getMessage());
  }

  /** What is told of a turn that no bot is made for. */
  private String notKnown(Turn.Builder turn) throws Exception {
    Tables tables = tables((seat, rules, random) -> made(new Last()));
    Exception error =
        assertThrows(NotKnownException.class, () -> tables.answer(frame(turn), pieces));
    assertEquals(List.of(), made);
    return error.getMessage();
  }

  @Test
  void aTurnWithoutAViewCannotBeAnswered() throws Exception {
    assertEquals(
        "the referee plays a game that this version of the SDK does not know",
        notKnown(Turn.newBuilder()));
  }

  @Test
  void aTurnOfTheOtherGameCannotBeAnswered() throws Exception {
    assertEquals(
        "the referee plays a game that this version of the SDK does not know",
        notKnown(Turn.newBuilder().setWhist(Whist.WhistView.getDefaultInstance())));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 4})
  void aPhaseFromLaterCannotBeAnswered(int phase) throws Exception {
    Turn.Builder turn = Moments.bid();
    turn.getEuchreBuilder().setPhaseValue(phase);
    assertEquals(
        "the referee asks in a phase that this version of the SDK does not know", notKnown(turn));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 12, -1})
  void aCallFromLaterCannotBeAnswered(int call) throws Exception {
    Turn.Builder turn = Moments.bid();
    turn.getEuchreBuilder().addLegalCallsValue(call);
    assertEquals(
        "the referee names a call that this version of the SDK does not know", notKnown(turn));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 53, -1})
  void aCardFromLaterCannotBeAnswered(int card) throws Exception {
    for (Turn.Builder turn : List.of(Moments.discard(), Moments.play())) {
      turn.getEuchreBuilder().addLegalCardsValue(card);
      assertEquals(
          "the referee names a card that this version of the SDK does not know", notKnown(turn));
    }
  }

  @Test
  void toTellOfAFailureNeverFails() throws Exception {
    Turn.Builder turn = Moments.bid();
    turn.getEuchreBuilder().addHandValue(53);
    Tables tables = tables(new Silent());
    assertThrows(RuntimeException.class, () -> tables.answer(frame(turn), pieces));
    assertEquals(
        "the situation cannot be told: "
            + "the referee names a card that this version of the SDK does not know",
        tables.situation());
  }

  @Test
  void theRulesOfWhistAreItsTarget() {
    assertEquals(new Rules(Game.WHIST, 5, false, false, false), Tables.rulesOf(Moments.WHIST));
  }

  @Test
  void theSituationOfAFailureIsTold() throws Exception {
    Tables tables = tables(new Silent());
    assertThrows(RuntimeException.class, () -> tables.answer(Moments.turns(1), pieces));
    assertEquals("euchre, bidding: hand 9C JC, upcard JS, legal pass order_up", tables.situation());
  }

  @Test
  void betweenDecisionsThereIsNoSituation() throws Exception {
    Tables tables = tables(new Last());
    tables.answer(Moments.turns(1), pieces);
    assertEquals("no decision was due", tables.situation());
  }
}
