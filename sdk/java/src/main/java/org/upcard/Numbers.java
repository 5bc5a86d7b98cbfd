package org.upcard;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.IntFunction;

/** Reads the numbers that cards, suits, seats, calls and phases have on the wire; 0 is none. */
final class Numbers {
  private static final Card[] CARDS = Card.values();
  private static final Suit[] SUITS = Suit.values();
  private static final Seat[] SEATS = Seat.values();
  private static final Call[] CALLS = Call.values();
  private static final Phase[] PHASES = Phase.values();

  private Numbers() {}

  static Card card(int number) {
    return number == 0 ? null : cardOf(number);
  }

  static Suit suit(int number) {
    return number == 0 ? null : known(SUITS, number, "names a suit");
  }

  static Seat seat(int number) {
    return number == 0 ? null : known(SEATS, number, "names a seat");
  }

  static Call call(int number) {
    return known(CALLS, number, "names a call");
  }

  static Phase phase(int number) {
    return known(PHASES, number, "asks in a phase");
  }

  private static Card cardOf(int number) {
    return known(CARDS, number, "names a card");
  }

  private static <T> T known(T[] all, int number, String does) {
    if (number < 1 || number > all.length) {
      throw new NotKnownException(does);
    }
    return all[number - 1];
  }

  static List<Card> cards(List<Integer> numbers) {
    return read(numbers, Card[]::new, Numbers::cardOf);
  }

  static List<Call> calls(List<Integer> numbers) {
    return read(numbers, Call[]::new, Numbers::call);
  }

  static List<Action> callActions(List<Integer> numbers) {
    return read(numbers, Action[]::new, Numbers::call);
  }

  static List<Action> plays(List<Integer> numbers) {
    return read(numbers, Action[]::new, number -> Play.of(cardOf(number)));
  }

  static List<Action> discards(List<Integer> numbers) {
    return read(numbers, Action[]::new, number -> Discard.of(cardOf(number)));
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
