package org.upcard;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.stub.BlockingClientCall;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import upcard.v1.Referee.Answers;
import upcard.v1.Referee.FaultNotice;
import upcard.v1.Referee.Hello;
import upcard.v1.Referee.PlayRequest;
import upcard.v1.Referee.PlayResponse;
import upcard.v1.Referee.Welcome;
import upcard.v1.Referee.Welcome.RulesCase;
import upcard.v1.RefereeServiceGrpc;

/** A bot's stream to the referee, from hello to goodbye. */
final class Session {
  private static final String SDK = "upcard-java 0.1.0";
  private static final int PROTOCOL_REVISION = 1;
  private static final long GOODBYE_MILLIS = 500;

  private final BotFactory factory;
  private final BlockingClientCall<PlayRequest, PlayResponse> stream;

  Session(BotFactory factory, ManagedChannel channel) {
    this.factory = factory;
    this.stream = RefereeServiceGrpc.newBlockingV2Stub(channel).play();
  }

  /** Plays until the referee says goodbye; gives the exit code. */
  int converse(String token, int tables) throws InterruptedException {
    Welcome welcome;
    try {
      welcome = present(token, tables);
    } catch (StatusException error) {
      Moment.log("the referee does not receive this bot: " + reason(error.getStatus()));
      return 1;
    }
    if (welcome == null) {
      return 0;
    }
    if (welcome.getRulesCase() == RulesCase.RULES_NOT_SET) {
      Moment.log("the referee plays a game that this version of the SDK does not know");
      return 1;
    }
    return play(new Tables(factory, welcome, System::nanoTime));
  }

  private Welcome present(String token, int tables) throws InterruptedException, StatusException {
    Hello.Builder hello = Hello.newBuilder().setToken(token).setTables(tables);
    hello.setProtocolRevision(PROTOCOL_REVISION).setSdk(SDK);
    stream.write(PlayRequest.newBuilder().setHello(hello).build());
    for (PlayResponse response = next(); response != null; response = next()) {
      if (response.hasWelcome()) {
        return response.getWelcome();
      }
    }
    return null;
  }

  private int play(Tables tables) {
    try {
      for (PlayResponse response = next(); response != null; response = next()) {
        tables.answer(response.getFrame(), this::send);
      }
    } catch (StatusException error) {
      Moment.end();
      Moment.log("the referee is gone: " + reason(error.getStatus()));
    } catch (Throwable error) { // whatever goes wrong in a bot is for its author to see
      Moment.log("the bot failed; " + tables.situation());
      error.printStackTrace();
      return 1;
    }
    return 0;
  }

  /** Gives what the referee says next; null if it is done. What it complains of is passed on. */
  private PlayResponse next() throws InterruptedException, StatusException {
    PlayResponse response = stream.read();
    if (response != null && response.hasFault()) {
      Moment.log(explained(response.getFault()));
    }
    return response != null && response.hasGoodbye() ? leave() : response;
  }

  private PlayResponse leave() throws InterruptedException, StatusException {
    stream.halfClose();
    try {
      stream.read(GOODBYE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException stillOpen) {
      // The referee has said all there is; it need not see the end of this side.
    }
    return null;
  }

  private void send(Answers answers) throws InterruptedException, StatusException {
    stream.write(PlayRequest.newBuilder().setAnswers(answers).build());
  }

  private static String explained(FaultNotice notice) {
    String fault = notice.getFault().name().replaceFirst("^FAULT_", "");
    int table = notice.getTableId();
    int turn = notice.getTurnId();
    String where = table == 0 ? "" : " at table " + Integer.toUnsignedString(table);
    String when = turn == 0 ? "" : ", turn " + Integer.toUnsignedString(turn);
    return "fault " + fault + where + when + ": " + notice.getExplanation();
  }

  private static String reason(Status status) {
    return status.getCode() + ": " + status.getDescription();
  }
}
