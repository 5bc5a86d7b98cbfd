package org.upcard;

import java.util.Random;

/** Makes the bot for a table, at the first turn of the match there. */
@FunctionalInterface
public interface BotFactory {
  /**
   * Makes a bot.
   *
   * @param seat where it sits for the whole match; null in a game described in RECYCLE
   * @param rules the rules at the table; null in a game described in RECYCLE, for which {@link
   *     RecycleView#rules} has them, and the seat
   * @param random seeded by the referee: draw from nothing else, and the same match played again
   *     goes the same way
   */
  Bot sit(Seat seat, Rules rules, Random random);
}
