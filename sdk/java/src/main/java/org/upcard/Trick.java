package org.upcard;

import java.util.List;

/**
 * A finished trick.
 *
 * @param leader who led
 * @param cards in the order they were played
 * @param winner who took it
 */
public record Trick(Seat leader, List<Card> cards, Seat winner) {}
