package org.upcard;

import java.util.List;

/**
 * A player for one match: a new object is made at the first turn of every table, so its fields are
 * its memory of the match.
 *
 * <p>Write {@link #choose} for every decision, or {@link #bid}, {@link #discard} and {@link #play}
 * (whist needs only {@code play}); and {@link #act}, if it plays games described in RECYCLE.
 */
public interface Bot {
  /** Returns one of the legal actions; asks {@code bid}, {@code discard} or {@code play}. */
  default Action choose(View view, List<Action> legal) {
    return switch (view.phase()) {
      case BIDDING -> bid(view, view.legalCalls());
      case DISCARDING -> Discard.of(discard(view, view.legalCards()));
      case PLAYING -> Play.of(play(view, view.legalCards()));
    };
  }

  /** Euchre: returns one of the legal calls. */
  default Call bid(View view, List<Call> legal) {
    throw missing("Call bid(View view, List<Call> legal)");
  }

  /** Euchre: returns the card to lay away after taking the upcard. */
  default Card discard(View view, List<Card> legal) {
    throw missing("Card discard(View view, List<Card> legal)");
  }

  /** Returns the card to play. */
  default Card play(View view, List<Card> legal) {
    throw missing("Card play(View view, List<Card> legal)");
  }

  /** Returns one of the legal moves of a game described in RECYCLE, which are told in words. */
  default String act(RecycleView view, List<String> legal) {
    throw unwritten("String act(RecycleView view, List<String> legal) for this");
  }

  private UnsupportedOperationException missing(String method) {
    return unwritten(
        method + " for this, or Action choose(View view, List<Action> legal) for everything");
  }

  private UnsupportedOperationException unwritten(String what) {
    return new UnsupportedOperationException(
        getClass().getSimpleName() + " cannot decide: write " + what);
  }
}
