package org.upcard;

import java.util.function.LongSupplier;
import upcard.v1.Referee.Answers;

/**
 * The answers to the frame that is being decided, sent in one piece or, if that takes long, in
 * several. Who decides sends what is due between decisions; while a decision takes its time, a
 * thread does.
 */
class Pieces {
  /** What is answered is sent at the latest so long after what was sent before. */
  static final long PIECE_NANOS = 100_000_000;

  private static final long NANOS_OF_A_MILLI = 1_000_000;

  private final Outbox outbox;
  private final LongSupplier clock;
  private final Answers.Builder piece = Answers.newBuilder();
  private long begun;

  /** Whether a frame is being decided that may be sent in several pieces. */
  private boolean watched;

  private Thread watcher;

  /** Whether the thread waits for a frame to begin. */
  private boolean rests;

  /** What went wrong when the thread sent a piece. */
  private Exception failure;

  /** Where answers go. */
  interface Outbox {
    void send(Answers answers) throws Exception;
  }

  Pieces(Outbox outbox, LongSupplier clock) {
    this.outbox = outbox;
    this.clock = clock;
  }

  /** Begins a frame of so many turns. */
  synchronized void begin(int turns) {
    piece.clear();
    begun = clock.getAsLong();
    watched = turns > 1;
    if (watched) {
      watch();
    }
  }

  /** Adds an answer, and sends what is due. */
  synchronized void add(int turn, int choice) throws Exception {
    piece.addTurnIds(turn).addChoices(choice);
    if (left() <= 0) {
      send();
    }
  }

  /** Sends the last piece. */
  synchronized void end() throws Exception {
    watched = false;
    send();
    if (failure != null) {
      throw failure;
    }
  }

  /** Has a thread look after the frame; it is started when it is first needed. */
  void watch() {
    if (watcher == null) {
      watcher = new Thread(this::sendWhatIsDue, "upcard-pieces");
      watcher.setDaemon(true);
      watcher.start();
    } else if (rests) {
      notifyAll();
    }
  }

  private long left() {
    return PIECE_NANOS - (clock.getAsLong() - begun);
  }

  private void send() throws Exception {
    if (piece.getTurnIdsCount() > 0) {
      outbox.send(piece.build());
      piece.clear();
      begun = clock.getAsLong();
    }
  }

  /** Sends each piece that is due, as long as frames follow one another; then rests. */
  private synchronized void sendWhatIsDue() {
    try {
      while (true) {
        rests = !watched;
        if (rests) {
          wait();
        } else if (left() > 0) {
          wait(left() / NANOS_OF_A_MILLI + 1);
        } else {
          send();
          // If nothing was finished, what is finished next is sent by who decides.
          wait(PIECE_NANOS / NANOS_OF_A_MILLI);
        }
      }
    } catch (Exception error) { // the thread that decides has to know
      failure = error;
    }
  }
}
