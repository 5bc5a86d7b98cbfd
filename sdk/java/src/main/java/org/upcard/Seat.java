package org.upcard;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A seat, clockwise from North; its {@code ordinal()} is its number. It prints as a letter. */
public enum Seat {
  NORTH,
  EAST,
  SOUTH,
  WEST;

  private static final Seat[] ALL = values();
  private static final int NOBODY = ALL.length;
  private static final List<List<List<Seat>>> ORDERS = orders();

  /** The seat across the table. */
  public Seat partner() {
    return clockwise(2);
  }

  /** The seat to the left, which plays next. */
  public Seat next() {
    return clockwise(1);
  }

  /** The seat so many places clockwise from here. */
  public Seat clockwise(int places) {
    return ALL[(ordinal() + places) & 3];
  }

  /** Whether this is the other's seat or her partner's. */
  public boolean isInTeamOf(Seat other) {
    return (ordinal() - other.ordinal()) % 2 == 0;
  }

  /**
   * Who plays to a trick, in order.
   *
   * @param leader who leads it
   * @param sitsOut who is passed over, or null
   */
  public static List<Seat> order(Seat leader, Seat sitsOut) {
    return ORDERS.get(sitsOut == null ? NOBODY : sitsOut.ordinal()).get(leader.ordinal());
  }

  private static List<List<List<Seat>>> orders() {
    List<List<List<Seat>>> orders = new ArrayList<>();
    for (int sitsOut = 0; sitsOut <= NOBODY; sitsOut++) {
      List<List<Seat>> byLeader = new ArrayList<>();
      for (Seat leader : ALL) {
        byLeader.add(around(leader, sitsOut));
      }
      orders.add(byLeader);
    }
    return orders;
  }

  private static List<Seat> around(Seat leader, int sitsOut) {
    List<Seat> seats = new ArrayList<>();
    for (int places = 0; places < ALL.length; places++) {
      Seat seat = leader.clockwise(places);
      if (seat.ordinal() != sitsOut) {
        seats.add(seat);
      }
    }
    return Collections.unmodifiableList(seats);
  }

  @Override
  public String toString() {
    return name().substring(0, 1);
  }
}
