package org.upcard;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.IntFunction;

/** Reads the numbers that cards, suits and seats have on the wire, where 0 is none. */
final class Numbers {
  private static final Card[] CARDS = Card.values();
  private static final Suit[] SUITS = Suit.values();
  private static final Seat[] SEATS = Seat.values();
  private static final Call[] CALLS = Call.values();

  private Numbers() {}

  static Card card(int number) {
    return number == 0 ? null : CARDS[number - 1];
  }

  static Suit suit(int number) {
    return number == 0 ? null : SUITS[number - 1];
  }

  static Seat seat(int number) {
    return number == 0 ? null : SEATS[number - 1];
  }

  static Call call(int number) {
    return CALLS[number - 1];
  }

  static List<Card> cards(List<Integer> numbers) {
    return read(numbers, Card[]::new, Numbers::card);
  }

  static List<Call> calls(List<Integer> numbers) {
    return read(numbers, Call[]::new, Numbers::call);
  }

  static List<Action> callActions(List<Integer> numbers) {
    return read(numbers, Action[]::new, Numbers::call);
  }

  static List<Action> plays(List<Integer> numbers) {
    return read(numbers, Action[]::new, number -> Play.of(card(number)));
  }

  static List<Action> discards(List<Integer> numbers) {
    return read(numbers, Action[]::new, number -> Discard.of(card(number)));
  }

  // Unlike List.of, what this gives may be asked whether it contains null.
  private static <T> List<T> read(
      List<Integer> numbers, IntFunction<T[]> array, IntFunction<? extends T> one) {
    T[] read = array.apply(numbers.size());
    for (int place = 0; place < read.length; place++) {
      read[place] = one.apply(numbers.get(place));
    }
    return Collections.unmodifiableList(Arrays.asList(read));
  }
}
