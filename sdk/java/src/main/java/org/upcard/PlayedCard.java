package org.upcard;

/** A card, and who played it. */
public record PlayedCard(Seat seat, Card card) {}
