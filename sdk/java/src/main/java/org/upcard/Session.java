package org.upcard;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.stub.BlockingClientCall;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import upcard.v1.Referee.Answers;
import upcard.v1.Referee.Fault;
import upcard.v1.Referee.FaultNotice;
import upcard.v1.Referee.Hello;
import upcard.v1.Referee.PlayRequest;
import upcard.v1.Referee.PlayResponse;
import upcard.v1.Referee.Welcome;
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
    try {
      Welcome welcome = present(token, tables);
      return welcome == null ? 0 : play(new Tables(factory, welcome));
    } catch (StatusException error) {
      Moment.log("the referee does not receive this bot: " + reason(error.getStatus()));
    } catch (NotKnownException asked) {
      Moment.log(asked.getMessage());
    }
    return 1;
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
    Pieces pieces = new Pieces(this::send, System::nanoTime);
    try {
      for (PlayResponse response = next(); response != null; response = next()) {
        tables.answer(response.getFrame(), pieces);
      }
    } catch (StatusException error) {
      Moment.end();
      Moment.log("the referee is gone: " + reason(error.getStatus()));
    } catch (NotKnownException asked) { // no failure of the bot
      throw asked;
    } catch (Throwable error) { // whatever goes wrong in a bot is for its author to see
      Moment.log("the bot failed; " + tables.situation());
      error.printStackTrace();
      return 1;
    }
    return 0;
  }

  /** Returns what the referee says next; null if it is done. What it complains of is passed on. */
  private PlayResponse next() throws InterruptedException, StatusException {
    PlayResponse response = stream.read();
    if (response != null && response.hasFault()) {
      Moment.log(explained(response.getFault()));
    }
    return response != null && response.hasGoodbye() ? leave() : response;
  }

  private PlayResponse leave() throws InterruptedException {
    stream.halfClose();
    try {
      stream.read(GOODBYE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (StatusException | TimeoutException notInOrder) {
      // The referee has said all there is; how the stream ends does not matter any more.
    }
    return null;
  }

  private void send(Answers answers) throws InterruptedException, StatusException {
    stream.write(PlayRequest.newBuilder().setAnswers(answers).build());
  }

  private static String explained(FaultNotice notice) {
    // There may be faults that were not known when this was written.
    String fault =
        notice.getFault() == Fault.UNRECOGNIZED
            ? Integer.toString(notice.getFaultValue())
            : notice.getFault().name().replaceFirst("^FAULT_", "");
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
