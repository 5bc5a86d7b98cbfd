package org.upcard;

import java.util.Collection;
import java.util.stream.Collectors;

/** Reads and prints the short texts that cards, suits and actions have. */
final class Tokens {
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
}
