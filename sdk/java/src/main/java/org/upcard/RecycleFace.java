package org.upcard;

import java.util.Map;

/**
 * What is printed on a card of a game described in RECYCLE; equal cards have one face. It prints as
 * its name.
 *
 * @param name the values that tell it from the others, as {@code NINE-HEARTS}
 * @param attributes all that is printed on it, in the order of the program
 * @param back the design on its back
 * @param cards how many cards have this face
 */
public record RecycleFace(String name, Map<String, String> attributes, String back, int cards) {
  @Override
  public String toString() {
    return name;
  }
}
