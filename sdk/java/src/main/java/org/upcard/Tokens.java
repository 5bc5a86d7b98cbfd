package org.upcard;

import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/** Reads and prints the short texts that cards, suits and actions have. */
final class Tokens {
  private static final int MOST_LISTED = 100;

  private Tokens() {}

  static <T> T parse(T[] all, String token, String what) {
    for (T one : all) {
      if (one.toString().equals(token)) {
        return one;
      }
    }
    throw new IllegalArgumentException("there is no " + what + " " + token);
  }

  static String joined(Collection<?> all) {
    return all.stream().map(Object::toString).collect(Collectors.joining(" "));
  }

  /** Lists moves in words, which have spaces inside; there may be thousands. */
  static String listed(List<String> moves) {
    int more = moves.size() - MOST_LISTED;
    String first = String.join("; ", moves.subList(0, Math.min(moves.size(), MOST_LISTED)));
    return more > 0 ? first + " and " + more + " more" : first;
  }
}
