package org.upcard;

import upcard.v1.Referee.Turn;

/** Which turn is being decided, so that a line of the log can tell. */
final class Moment {
  private static volatile Turn deciding;

  private Moment() {}

  static void begin(Turn turn) {
    deciding = turn;
  }

  static void end() {
    deciding = null;
  }

  /** The turn that is being decided; null if none is. */
  static Turn deciding() {
    return deciding;
  }

  /** Writes a line to stderr, with the table and the turn that it is about. */
  static void log(Object message) {
    Turn turn = deciding;
    String where = turn == null ? "" : "[" + name(turn.getTableId(), turn.getTurnId()) + "] ";
    System.err.print(where + message + "\n");
    System.err.flush();
  }

  private static String name(int table, int turn) {
    return "table " + Integer.toUnsignedString(table) + ", turn " + Integer.toUnsignedString(turn);
  }
}
