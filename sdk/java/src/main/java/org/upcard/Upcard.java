package org.upcard;

import io.grpc.ManagedChannel;
import java.util.concurrent.TimeUnit;

/** How a bot's process starts, speaks to its author, and ends. */
public final class Upcard {
  /** At how many tables a bot sits unless it says otherwise, and at most. */
  public static final int MOST_TABLES = 256;

  private static final String USAGE =
      "UPCARD_ADDRESS is not set: a bot is started by the referee. "
          + "Try yours with `upcard try DIR`, where DIR is the directory with its bot.toml.";

  private static final long CLOSING_MILLIS = 200;

  private Upcard() {}

  /** Plays for the referee that started this process, then ends the process. */
  public static void run(BotFactory factory) {
    run(factory, MOST_TABLES);
  }

  /**
   * Plays for the referee that started this process, then ends the process.
   *
   * @param factory makes the bot of each table
   * @param tables at how many tables at the same time, 1 to 256. Many are faster; with 1, every
   *     decision has the time limit for itself
   */
  public static void run(BotFactory factory, int tables) {
    if (tables < 1 || tables > MOST_TABLES) {
      throw new IllegalArgumentException(
          "a bot sits at 1 to " + MOST_TABLES + " tables, not " + tables);
    }
    String address = System.getenv("UPCARD_ADDRESS");
    if (address == null || address.isEmpty()) {
      System.err.println(USAGE);
      System.exit(2);
    }
    System.exit(play(factory, tables, address));
  }

  /**
   * Writes a line to stderr, with the table and the turn that it is about. {@code upcard try} shows
   * it, and it is kept with a fault.
   */
  public static void log(Object message) {
    Moment.log(message);
  }

  private static int play(BotFactory factory, int tables, String address) {
    String token = System.getenv().getOrDefault("UPCARD_TOKEN", "");
    ManagedChannel channel = Dialling.channelTo(address);
    try {
      Rehearsal.run();
      return new Session(factory, channel).converse(token, tables);
    } catch (Exception error) { // none is expected: a session ends with an exit code
      error.printStackTrace();
      return 1;
    } finally {
      hangUp(channel);
    }
  }

  // A thread that still waits at the socket would hold the end of the process up.
  private static void hangUp(ManagedChannel channel) {
    try {
      channel.shutdownNow().awaitTermination(CLOSING_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
