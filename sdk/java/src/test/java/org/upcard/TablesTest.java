package org.upcard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import upcard.v1.Referee.Answers;
import upcard.v1.Referee.Frame;
import upcard.v1.Referee.TableClosed;
import upcard.v1.Referee.Turn;

/** Frames in, answers out, without a network. */
class TablesTest {
  private final AtomicLong clock = new AtomicLong();
  private final List<Answers> sent = new ArrayList<>();

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
    Tables tables = new Tables(factory, Moments.EUCHRE, clock::get);
    tables.answer(Moments.opened(5), sent::add);
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
    tables(new Last()).answer(Moments.turns(3), sent::add);
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
            clock.addAndGet(Tables.PIECE_NANOS * 2 / 3);
            return legal.get(0);
          }
        };
    tables(slow).answer(Moments.turns(5), sent::add);
    assertEquals(List.of(2, 2, 1), sent.stream().map(Answers::getTurnIdsCount).toList());
  }

  @Test
  void callsAreAskedOfBid() throws Exception {
    tables(new ByKind()).answer(frame(Moments.bid()), sent::add);
    assertEquals(List.of(1), sent.get(0).getChoicesList());
  }

  @Test
  void theDiscardIsAskedOfDiscard() throws Exception {
    tables(new ByKind()).answer(frame(Moments.discard()), sent::add);
    assertEquals(List.of(1), sent.get(0).getChoicesList());
  }

  @Test
  void cardsAreAskedOfPlay() throws Exception {
    tables(new ByKind()).answer(frame(Moments.play()), sent::add);
    assertEquals(List.of(1), sent.get(0).getChoicesList());
  }

  @Test
  void aMissingMethodIsNamed() throws Exception {
    Tables tables = tables(new Silent());
    Exception error =
        assertThrows(
            UnsupportedOperationException.class, () -> tables.answer(Moments.turns(1), sent::add));
    assertTrue(error.getMessage().startsWith("Silent cannot decide: write Call bid("));
  }

  @Test
  void whatIsNotLegalIsRefused() throws Exception {
    Tables tables = tables(new OneMind(Play.of(Card.JACK_OF_DIAMONDS)));
    Exception error =
        assertThrows(
            IllegalChoiceException.class, () -> tables.answer(Moments.turns(1), sent::add));
    assertEquals("the bot returned play:JD; legal here: pass order_up", error.getMessage());
  }

  @Test
  void nothingIsRefusedToo() throws Exception {
    Tables tables = tables(new OneMind(null));
    assertThrows(IllegalChoiceException.class, () -> tables.answer(Moments.turns(1), sent::add));
  }

  private record OneMind(Action always) implements Bot {
    @Override
    public Action choose(View view, List<Action> legal) {
      return always;
    }
  }

  @Test
  void everyTableHasABotOfItsOwn() throws Exception {
    List<Bot> made = new ArrayList<>();
    tables(
        (seat, rules, random) -> {
          made.add(new Last());
          return made.get(made.size() - 1);
        });
    assertEquals(5, made.stream().distinct().count());
  }

  @Test
  void aBotDrawsFromTheSeedOfItsTable() throws Exception {
    List<Integer> drawn = new ArrayList<>();
    tables(
        (seat, rules, random) -> {
          drawn.add(random.nextInt());
          return new Last();
        });
    assertEquals(Stream.of(1, 2, 3, 4, 5).map(seed -> new Random(seed).nextInt()).toList(), drawn);
  }

  @Test
  void aBotIsToldItsSeatAndTheRules() throws Exception {
    List<Object> told = new ArrayList<>();
    tables(
        (seat, rules, random) -> {
          told.add(seat);
          told.add(rules);
          return new Last();
        });
    Rules rules = new Rules(Game.EUCHRE, 10, true, false, false);
    assertEquals(List.of(Seat.NORTH, rules), told.subList(0, 2));
  }

  @Test
  void theBotOfAClosedTableIsDropped() throws Exception {
    Tables tables = tables(new Last());
    TableClosed closed = TableClosed.newBuilder().setTableId(1).build();
    tables.answer(Frame.newBuilder().addClosed(closed).build(), sent::add);
    assertThrows(NullPointerException.class, () -> tables.answer(Moments.turns(1), sent::add));
  }

  @Test
  void theRulesOfWhistAreItsTarget() {
    assertEquals(new Rules(Game.WHIST, 5, false, false, false), Tables.rulesOf(Moments.WHIST));
  }

  @Test
  void theSituationOfAFailureIsTold() throws Exception {
    Tables tables = tables(new Silent());
    assertThrows(RuntimeException.class, () -> tables.answer(Moments.turns(1), sent::add));
    assertEquals("euchre, bidding: hand 9C JC, upcard JS, legal pass order_up", tables.situation());
  }

  @Test
  void betweenDecisionsThereIsNoSituation() throws Exception {
    Tables tables = tables(new Last());
    tables.answer(Moments.turns(1), sent::add);
    assertEquals("no decision was due", tables.situation());
  }
}
