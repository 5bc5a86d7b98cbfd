package org.upcard;

import java.util.Locale;

/** What is due: a call, the dealer's discard, or a card to the trick. */
public enum Phase {
  BIDDING,
  DISCARDING,
  PLAYING;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
