package org.upcard;

/** What a bot may do: a {@link Call}, a {@link Discard} or a {@link Play}. */
public sealed interface Action permits Call, Discard, Play {
  /** Reads what an action prints: {@code order_up}, {@code discard:9H}, {@code play:JD}. */
  static Action parse(String token) {
    if (token.startsWith(Play.PREFIX)) {
      return Play.of(Card.parse(token.substring(Play.PREFIX.length())));
    }
    if (token.startsWith(Discard.PREFIX)) {
      return Discard.of(Card.parse(token.substring(Discard.PREFIX.length())));
    }
    return Call.parse(token);
  }
}
