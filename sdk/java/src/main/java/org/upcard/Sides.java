package org.upcard;

/** A count for both teams: your own and the other one. */
public record Sides(int us, int them) {}
