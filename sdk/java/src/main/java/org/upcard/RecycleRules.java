package org.upcard;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import upcard.v1.Recycle;

/**
 * A game described in RECYCLE.
 *
 * @param name what the game is called
 * @param program its rules
 * @param numbering with which number the program begins to count players: 0 or 1
 * @param hands how many hands a match has
 * @param players how many players there are
 * @param sides the side of each player, from 1
 * @param seat your seat for the whole match, from 1
 * @param lowestWins whether the program's scores are the better the lower; what you are told is
 *     turned round
 * @param faces the different cards
 */
public record RecycleRules(
    String name,
    String program,
    int numbering,
    int hands,
    int players,
    List<Integer> sides,
    int seat,
    boolean lowestWins,
    List<RecycleFace> faces) {

  static RecycleRules of(Recycle.RecycleRules message) {
    return new RecycleRules(
        message.getName(),
        message.getProgram(),
        message.getNumbering(),
        message.getHands(),
        message.getPlayers(),
        List.copyOf(message.getSidesList()),
        message.getSeat(),
        message.getLowestWins(),
        message.getFacesList().stream().map(RecycleRules::faceOf).toList());
  }

  private static RecycleFace faceOf(Recycle.RecycleFace face) {
    Map<String, String> attributes = new LinkedHashMap<>();
    face.getAttributesList().forEach(each -> attributes.put(each.getKey(), each.getValue()));
    return new RecycleFace(
        face.getName(), Collections.unmodifiableMap(attributes), face.getBack(), face.getCards());
  }

  /** The face of a number on the wire; null for 0, which is none. */
  RecycleFace face(int number) {
    if (number < 0 || number > faces.size()) {
      throw new NotKnownException("names a card");
    }
    return number == 0 ? null : faces.get(number - 1);
  }
}
