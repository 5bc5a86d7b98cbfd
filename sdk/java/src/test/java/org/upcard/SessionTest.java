package org.upcard;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import upcard.v1.Referee.Fault;
import upcard.v1.Referee.FaultNotice;
import upcard.v1.Referee.Frame;
import upcard.v1.Referee.Goodbye;
import upcard.v1.Referee.Hello;
import upcard.v1.Referee.PlayRequest;
import upcard.v1.Referee.PlayResponse;
import upcard.v1.Referee.Turn;
import upcard.v1.RefereeServiceGrpc.RefereeServiceImplBase;

/** A bot's stream, with a referee that says what a test tells it to. */
class SessionTest {
  private static final PlayResponse WELCOME =
      PlayResponse.newBuilder().setWelcome(Moments.EUCHRE).build();
  private static final PlayResponse OPENED = say(Moments.opened(256));
  private static final PlayResponse GOODBYE =
      PlayResponse.newBuilder().setGoodbye(Goodbye.getDefaultInstance()).build();
  private static final BotFactory FIRST = (seat, rules, random) -> new First();

  private final PrintStream stderr = System.err;
  private final ByteArrayOutputStream told = new ByteArrayOutputStream();
  private final List<Object> heard = new CopyOnWriteArrayList<>();

  private static class First implements Bot {
    @Override
    public Action choose(View view, List<Action> legal) {
      return legal.get(0);
    }
  }

  private static final class Failing implements Bot {
    @Override
    public Action choose(View view, List<Action> legal) {
      throw new IllegalStateException("on purpose");
    }
  }

  private static final class Telling extends First {
    @Override
    public Action choose(View view, List<Action> legal) {
      Upcard.log(view.upcard());
      return super.choose(view, legal);
    }
  }

  @BeforeEach
  void listen() {
    System.setErr(new PrintStream(told, true));
  }

  @AfterEach
  void listenNoMore() {
    System.setErr(stderr);
    Moment.end();
  }

  private static PlayResponse say(Frame frame) {
    return PlayResponse.newBuilder().setFrame(frame).build();
  }

  /** Says all of it after the hello, then ends the stream with a status. */
  private int converse(BotFactory factory, Status end, PlayResponse... says) throws Exception {
    String name = InProcessServerBuilder.generateName();
    Server server =
        InProcessServerBuilder.forName(name).addService(new Referee(end, says)).build().start();
    ManagedChannel channel = InProcessChannelBuilder.forName(name).build();
    try {
      return new Session(factory, channel).converse("secret", 7);
    } finally {
      channel.shutdownNow();
      server.shutdownNow().awaitTermination();
    }
  }

  private final class Referee extends RefereeServiceImplBase {
    private final Status end;
    private final PlayResponse[] says;

    Referee(Status end, PlayResponse... says) {
      this.end = end;
      this.says = says;
    }

    @Override
    public StreamObserver<PlayRequest> play(StreamObserver<PlayResponse> bot) {
      return new StreamObserver<>() {
        @Override
        public void onNext(PlayRequest request) {
          heard.add(request);
          if (request.hasHello()) {
            for (PlayResponse response : says) {
              bot.onNext(response);
            }
            finish();
          }
        }

        private void finish() {
          if (!end.isOk()) {
            bot.onError(end.asException());
          } else if (says.length > 0 && !says[says.length - 1].hasGoodbye()) {
            bot.onCompleted();
          }
        }

        @Override
        public void onError(Throwable error) {}

        @Override
        public void onCompleted() {
          heard.add("closed");
          bot.onCompleted();
        }
      };
    }
  }

  @Test
  void aBotPresentsItself() throws Exception {
    converse(FIRST, Status.OK, GOODBYE);
    Hello hello =
        Hello.newBuilder()
            .setToken("secret")
            .setProtocolRevision(1)
            .setSdk("upcard-java 0.1.0")
            .setTables(7)
            .build();
    assertEquals(PlayRequest.newBuilder().setHello(hello).build(), heard.get(0));
  }

  @Test
  void aFrameIsAnsweredByOneMessage() throws Exception {
    converse(FIRST, Status.OK, WELCOME, OPENED, say(Moments.turns(256)), GOODBYE);
    assertEquals(256, ((PlayRequest) heard.get(1)).getAnswers().getTurnIdsCount());
  }

  @Test
  void goodbyeEndsABotInOrder() throws Exception {
    assertEquals(0, converse(FIRST, Status.OK, WELCOME, GOODBYE));
  }

  @Test
  void aBotClosesItsSideAfterTheGoodbye() throws Exception {
    converse(FIRST, Status.OK, WELCOME, GOODBYE);
    assertEquals("closed", heard.get(heard.size() - 1));
  }

  @Test
  void aGoodbyeInsteadOfAWelcomeEndsABotInOrder() throws Exception {
    assertEquals(0, converse(FIRST, Status.OK, GOODBYE));
  }

  @Test
  void afterTheGoodbyeItDoesNotMatterHowTheStreamEnds() throws Exception {
    assertEquals(0, converse(FIRST, Status.ABORTED, WELCOME, GOODBYE));
    assertEquals("", told.toString());
  }

  @Test
  void afterAGoodbyeInsteadOfAWelcomeItDoesNotMatterEither() throws Exception {
    assertEquals(0, converse(FIRST, Status.ABORTED, GOODBYE));
    assertEquals("", told.toString());
  }

  @Test
  void theEndOfTheStreamEndsABotInOrder() throws Exception {
    assertEquals(0, converse(FIRST, Status.OK, WELCOME));
  }

  @Test
  void whatItDoesNotKnowIsPassedOver() throws Exception {
    PlayResponse unknown = PlayResponse.getDefaultInstance();
    assertEquals(0, converse(FIRST, Status.OK, unknown, WELCOME, unknown, GOODBYE));
  }

  @Test
  void aRefusedBotEndsWithExitCode1() throws Exception {
    assertEquals(1, converse(FIRST, Status.UNAUTHENTICATED.withDescription("wrong token")));
  }

  @Test
  void aRefusedBotSaysWhy() throws Exception {
    converse(FIRST, Status.UNAUTHENTICATED.withDescription("wrong token"));
    assertEquals(
        "the referee does not receive this bot: UNAUTHENTICATED: wrong token\n", told.toString());
  }

  @Test
  void aRefereeThatGoesAwayIsNoFailureOfTheBot() throws Exception {
    assertEquals(0, converse(FIRST, Status.ABORTED.withDescription("enough"), WELCOME));
  }

  @Test
  void aRefereeThatGoesAwayIsTold() throws Exception {
    converse(FIRST, Status.ABORTED.withDescription("enough"), WELCOME);
    assertEquals("the referee is gone: ABORTED: enough\n", told.toString());
  }

  @Test
  void aRefereeThatGoesAwayInTheMiddleIsNoWordOfATable() throws Exception {
    Moment.begin(Moments.bid().build());
    converse(FIRST, Status.ABORTED.withDescription("enough"), WELCOME);
    assertEquals("the referee is gone: ABORTED: enough\n", told.toString());
  }

  @Test
  void aBotThatFailsEndsWithExitCode1() throws Exception {
    assertEquals(1, fail());
  }

  @Test
  void aFailureTellsTheSituationFirst() throws Exception {
    fail();
    assertEquals(
        "[table 1, turn 101] the bot failed; "
            + "euchre, bidding: hand 9C JC, upcard JS, legal pass order_up",
        lines().get(0));
  }

  @Test
  void aFailureIsToldWithItsStackTrace() throws Exception {
    fail();
    assertEquals(List.of("java.lang.IllegalStateException: on purpose"), lines().subList(1, 2));
  }

  private int fail() throws Exception {
    return converse(
        (seat, rules, random) -> new Failing(),
        Status.OK,
        WELCOME,
        OPENED,
        say(Moments.turns(1)),
        GOODBYE);
  }

  private List<String> lines() {
    return told.toString().lines().toList();
  }

  @Test
  void aBotThatCannotBeMadeEndsWithExitCode1() throws Exception {
    BotFactory none =
        (seat, rules, random) -> {
          throw new IllegalStateException("on purpose");
        };
    assertEquals(1, converse(none, Status.OK, WELCOME, OPENED, say(Moments.turns(1)), GOODBYE));
    assertEquals(
        "[table 1, turn 101] the bot failed; "
            + "euchre, bidding: hand 9C JC, upcard JS, legal pass order_up",
        lines().get(0));
  }

  @Test
  void whatCannotBeAnsweredIsToldInALineAndEndsABotWithExitCode1() throws Exception {
    Frame unknown =
        Frame.newBuilder().addTurns(Turn.newBuilder().setTurnId(101).setTableId(1)).build();
    assertEquals(1, converse(FIRST, Status.OK, WELCOME, OPENED, say(unknown), GOODBYE));
    assertEquals(
        "[table 1, turn 101] the referee plays a game that this version of the SDK does not know\n",
        told.toString());
  }

  @Test
  void whatNobodyCanReadIsNoFailureOfTheBotThatWantedTo() throws Exception {
    Turn.Builder turn = Moments.bid().setTurnId(101).setTableId(1);
    turn.getEuchreBuilder().setUpcardValue(53);
    Frame unknown = Frame.newBuilder().addTurns(turn).build();
    BotFactory telling = (seat, rules, random) -> new Telling();
    assertEquals(1, converse(telling, Status.OK, WELCOME, OPENED, say(unknown), GOODBYE));
    assertEquals(
        "[table 1, turn 101] the referee names a card that this version of the SDK does not know\n",
        told.toString());
  }

  @Test
  void aGameItDoesNotKnowEndsABotWithExitCode1() throws Exception {
    PlayResponse unknown = PlayResponse.newBuilder().setWelcome(Moments.UNKNOWN).build();
    assertEquals(1, converse(FIRST, Status.OK, unknown, GOODBYE));
  }

  @Test
  void aGameItDoesNotKnowIsTold() throws Exception {
    converse(FIRST, Status.OK, PlayResponse.newBuilder().setWelcome(Moments.UNKNOWN).build());
    assertEquals(
        "the referee plays a game that this version of the SDK does not know\n", told.toString());
  }

  @Test
  void aLogLineTellsTableAndTurn() throws Exception {
    BotFactory telling = (seat, rules, random) -> new Telling();
    converse(telling, Status.OK, WELCOME, OPENED, say(Moments.turns(1)), GOODBYE);
    assertEquals("[table 1, turn 101] JS\n", told.toString());
  }

  @Test
  void aLogLineWithoutATurnStandsAlone() {
    Upcard.log("ready");
    assertEquals("ready\n", told.toString());
  }

  @Test
  void aFaultIsToldInWords() throws Exception {
    FaultNotice notice =
        FaultNotice.newBuilder()
            .setFault(Fault.FAULT_ILLEGAL_ACTION)
            .setTableId(-1)
            .setTurnId(12)
            .setExplanation("no such action")
            .build();
    converse(
        FIRST, Status.OK, WELCOME, PlayResponse.newBuilder().setFault(notice).build(), GOODBYE);
    assertEquals(
        "fault ILLEGAL_ACTION at table 4294967295, turn 12: no such action\n", told.toString());
  }

  @Test
  void aFaultFromLaterIsToldByItsNumber() throws Exception {
    FaultNotice notice =
        FaultNotice.newBuilder()
            .setFaultValue(999)
            .setTableId(1)
            .setTurnId(1)
            .setExplanation("a new one")
            .build();
    converse(
        FIRST, Status.OK, WELCOME, PlayResponse.newBuilder().setFault(notice).build(), GOODBYE);
    assertEquals("fault 999 at table 1, turn 1: a new one\n", told.toString());
  }

  @Test
  void aFaultOfNoTableIsToldToo() throws Exception {
    FaultNotice notice =
        FaultNotice.newBuilder().setFault(Fault.FAULT_NEVER_READY).setExplanation("late").build();
    converse(FIRST, Status.OK, PlayResponse.newBuilder().setFault(notice).build(), GOODBYE);
    assertEquals("fault NEVER_READY: late\n", told.toString());
  }
}
