package org.upcard;

import java.time.Duration;
import java.util.List;
import upcard.v1.Recycle;
import upcard.v1.Referee.Turn;

/**
 * What you know of a hand of a game that is described in RECYCLE. It works out what you ask for,
 * each time: keep what you need again.
 *
 * <p>Players and owners count from 1: an owner is 0 for the table, n for player n and -n for team
 * n.
 */
public final class RecycleView {
  private final Turn turn;
  private final Recycle.RecycleView message;
  private final RecycleRules rules;
  private final List<String> legal;

  RecycleView(Turn turn, RecycleRules rules) {
    this.turn = turn;
    this.message = turn.getRecycle();
    this.rules = rules;
    this.legal = message.getLegalList().stream().map(Recycle.RecycleMove::getText).toList();
  }

  /**
   * Where cards lie.
   *
   * @param owner 0 the table, n player n, -n team n
   * @param kind who sees the cards: {@code vloc} all, {@code iloc} the owner, {@code hloc} nobody,
   *     {@code oloc} all but the owner; {@code mem} is seen by all, and has only references to
   *     cards that lie elsewhere
   * @param name what the program calls it
   * @param index its number among the places of one name
   */
  public record Spot(int owner, String kind, String name, int index) {}

  /**
   * A place for cards, with what you may know of them.
   *
   * @param spot where it is
   * @param size how many cards lie there
   * @param faces the cards, the bottom one first; null if they are hidden from you
   * @param backs how many hidden cards of each back there are, if the deck has several
   */
  public record Place(Spot spot, int size, List<RecycleFace> faces, List<Back> backs) {}

  /** A design on the back of cards, and how many cards have it. */
  public record Back(String name, int cards) {}

  /** A number that the program stored. */
  public record StoredNumber(int owner, String name, int value) {}

  /** A text that the program stored. */
  public record StoredText(int owner, String name, String value) {}

  /** A map of what cards score: each the sum of the awards it gets. */
  public record Points(int owner, String name, List<Award> awards) {}

  /** What a card gets that has all of some attributes. */
  public record Award(List<Attribute> attributes, int points) {}

  /** An attribute of a card, and its value. */
  public record Attribute(String key, String value) {}

  /**
   * One thing that a move does; what does not apply is null.
   *
   * @param verb what it is: {@code move}, {@code set}, {@code pass} and so on
   * @param face the card; null also if you may not see it
   * @param source where the card comes from
   * @param target where it goes
   * @param owner whose storage it is, or which player is meant
   * @param name what is stored
   * @param value what it is done with: an {@code Integer}, a {@code String} or a list of awards
   * @param otherFace the second card that is swapped
   */
  public record Step(
      String verb,
      RecycleFace face,
      Spot source,
      Spot target,
      Integer owner,
      String name,
      Object value,
      RecycleFace otherFace) {}

  /**
   * Something you may do.
   *
   * @param text the move in words, as it stands in {@link RecycleView#legal}
   * @param steps what is done, one after the other; empty where a decision has too many moves to
   *     tell
   */
  public record Move(String text, List<Step> steps) {}

  /** The game at this table. */
  public RecycleRules rules() {
    return rules;
  }

  /** The texts of what you may do; return one of them. */
  public List<String> legal() {
    return legal;
  }

  /** What you may do, in the order of {@link #legal}. */
  public List<Move> moves() {
    return message.getLegalList().stream().map(this::move).toList();
  }

  /** The table: a number that means nothing, another one for every match. */
  public long table() {
    return Integer.toUnsignedLong(turn.getTableId());
  }

  /** The number of this decision; the referee counts them. */
  public long turn() {
    return Integer.toUnsignedLong(turn.getTurnId());
  }

  /** The time left for this match; null if only each decision is limited. */
  public Duration timeLeft() {
    int left = turn.getTimeLeftMs();
    return left == 0 ? null : Duration.ofMillis(Integer.toUnsignedLong(left));
  }

  /** The number of this hand in its match, from 0. */
  public int handNumber() {
    return message.getHandNumber();
  }

  /** Which player of the program you are in this hand, from 1. */
  public int player() {
    return message.getPlayer();
  }

  /** What each side of this hand scored before it, the first side first; more is better. */
  public List<Integer> scores() {
    return message.getScoresList();
  }

  /** The places that were used in this hand. */
  public List<Place> places() {
    return message.getPlacesList().stream().map(this::place).toList();
  }

  /** The numbers that are stored; what is not there is 0. */
  public List<StoredNumber> numbers() {
    return message.getNumbersList().stream()
        .map(each -> new StoredNumber(each.getOwner(), each.getName(), each.getValue()))
        .toList();
  }

  /** A number that is stored. */
  public int number(int owner, String name) {
    return message.getNumbersList().stream()
        .filter(each -> each.getOwner() == owner && each.getName().equals(name))
        .findFirst()
        .map(Recycle.RecycleNumber::getValue)
        .orElse(0);
  }

  /** The texts that are stored; what is not there is empty. */
  public List<StoredText> texts() {
    return message.getTextsList().stream()
        .map(each -> new StoredText(each.getOwner(), each.getName(), each.getValue()))
        .toList();
  }

  /** A text that is stored. */
  public String text(int owner, String name) {
    return message.getTextsList().stream()
        .filter(each -> each.getOwner() == owner && each.getName().equals(name))
        .findFirst()
        .map(Recycle.RecycleText::getValue)
        .orElse("");
  }

  /** What cards score, by the maps that are stored. */
  public List<Points> points() {
    return message.getPointsList().stream()
        .map(each -> new Points(each.getOwner(), each.getName(), awards(each)))
        .toList();
  }

  /** Where the program stands. */
  public List<Integer> flow() {
    return message.getFlowList();
  }

  /** The situation in a line. */
  @Override
  public String toString() {
    String hand = rules.hands() > 1 ? ", hand " + (handNumber() + 1) : "";
    return "recycle, acting: " + rules.name() + hand + ", player " + player();
  }

  private Place place(Recycle.RecyclePlace place) {
    List<RecycleFace> faces =
        place.getHidden() ? null : place.getFacesList().stream().map(rules::face).toList();
    List<Back> backs =
        place.getBacksList().stream()
            .map(back -> new Back(back.getName(), back.getCards()))
            .toList();
    return new Place(spot(place), place.getSize(), faces, backs);
  }

  private Move move(Recycle.RecycleMove move) {
    return new Move(move.getText(), move.getStepsList().stream().map(this::step).toList());
  }

  private Step step(Recycle.RecycleStep step) {
    return new Step(
        step.getVerb(),
        rules.face(step.getFace()),
        step.hasSource() ? spot(step.getSource()) : null,
        step.hasTarget() ? spot(step.getTarget()) : null,
        step.hasOwner() ? step.getOwner() : null,
        step.getName().isEmpty() ? null : step.getName(),
        value(step),
        rules.face(step.getOtherFace()));
  }

  private static Object value(Recycle.RecycleStep step) {
    return switch (step.getValueCase()) {
      case NUMBER -> step.getNumber();
      case TEXT -> step.getText();
      case POINTS -> awards(step.getPoints());
      case VALUE_NOT_SET -> null;
    };
  }

  private static List<Award> awards(Recycle.RecyclePoints points) {
    return points.getAwardsList().stream().map(RecycleView::award).toList();
  }

  private static Award award(Recycle.RecycleAward award) {
    List<Attribute> attributes =
        award.getAttributesList().stream()
            .map(each -> new Attribute(each.getKey(), each.getValue()))
            .toList();
    return new Award(attributes, award.getPoints());
  }

  private static Spot spot(Recycle.RecyclePlace place) {
    return new Spot(place.getOwner(), place.getKind(), place.getName(), place.getIndex());
  }
}
