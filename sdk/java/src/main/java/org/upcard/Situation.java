package org.upcard;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import upcard.v1.Euchre;
import upcard.v1.Referee.Turn;
import upcard.v1.Whist;

/**
 * A moment in a hand, told for the test of a bot in words of the table: {@code 9C JD AH}, {@code
 * pass order_up}.
 *
 * <p>Only what matters has to be told; the rest follows by the rules: who is to act, who made trump,
 * who won which trick, what is legal.
 *
 * <pre>{@code
 * View view = Situation.euchre().hand("JD 9H AS").trump("H").played("9S KS").view();
 * }</pre>
 *
 * <p>A word that is no card, suit or call is an {@link IllegalArgumentException}.
 */
public final class Situation {
  /** Seeds what a bot draws from in a test. */
  private static final long SEED = 1;

  private final Game game;
  private Rules rules;
  private List<Card> hand = List.of();
  private Seat dealer = Seat.WEST;
  private Seat seat;
  private Card upcard;
  private Card trumpCard;
  private List<Call> calls = List.of();
  private Suit trump;
  private Seat maker;
  private List<Card> played = List.of();
  private Card discard;
  private Sides score = new Sides(0, 0);
  private int handNumber;
  private boolean dealerStuck;

  private Situation(Game game, boolean bidding) {
    this.game = game;
    this.rules = new Rules(game, 10, bidding, bidding, false);
  }

  /** A situation in a hand of euchre. */
  public static Situation euchre() {
    return new Situation(Game.EUCHRE, true);
  }

  /** A situation in a hand of whist. */
  public static Situation whist() {
    return new Situation(Game.WHIST, false);
  }

  /**
   * The cards of who is to act; with six, the dealer has to lay one away. There may be fewer than
   * there would be: those that matter.
   */
  public Situation hand(String cards) {
    hand = read(cards, Card::parse);
    return this;
  }

  /** Who dealt; West if it is not told. */
  public Situation dealer(Seat seat) {
    dealer = seat;
    return this;
  }

  /** Who is to act: that follows from the rest, and is checked if it is told. */
  public Situation seat(Seat seat) {
    this.seat = seat;
    return this;
  }

  /** Euchre: the card turned up. */
  public Situation upcard(String card) {
    upcard = Card.parse(card);
    return this;
  }

  /** Whist: the last card dealt. */
  public Situation trumpCard(String card) {
    trumpCard = Card.parse(card);
    return this;
  }

  /** Euchre: what was said so far, eldest's call first. */
  public Situation calls(String said) {
    calls = read(said, Call::parse);
    return this;
  }

  /**
   * Euchre: the trump suit, instead of {@link #calls}. It was ordered up if it is the upcard's, else
   * named; where no upcard is told, that is a card nobody has.
   */
  public Situation trump(String suit) {
    trump = Suit.parse(suit);
    return this;
  }

  /** Euchre: who made trump, instead of {@link #calls}; eldest if it is not told. */
  public Situation maker(Seat seat) {
    maker = seat;
    return this;
  }

  /** Every card of this hand that was played, in order; who played it follows. */
  public Situation played(String cards) {
    played = read(cards, Card::parse);
    return this;
  }

  /** Euchre: what the dealer laid away, where she is the one to act. */
  public Situation discard(String card) {
    discard = Card.parse(card);
    return this;
  }

  /** The points of both teams before this hand. */
  public Situation score(int us, int them) {
    score = new Sides(us, them);
    return this;
  }

  /** The number of the hand in its match, from 0. */
  public Situation handNumber(int number) {
    handNumber = number;
    return this;
  }

  /** Euchre: the dealer must name a suit in the end though the rules do not say so. */
  public Situation dealerStuck() {
    dealerStuck = true;
    return this;
  }

  /** The rules, if they are not the usual ones of a match to 10 points. */
  public Situation rules(Rules rules) {
    this.rules = rules;
    return this;
  }

  /**
   * Makes the view of the seat that is to act.
   *
   * @throws ImpossibleSituationException if there cannot be such a moment
   */
  public View view() {
    if (rules.game() != game) {
      throw Told.impossible("the rules are those of %s", rules.game());
    }
    Followed followed = new Followed(told());
    Turn.Builder turn = Turn.newBuilder().setTableId(1).setTurnId(1);
    if (game == Game.EUCHRE) {
      turn.setEuchre(euchreView(followed));
    } else {
      turn.setWhist(whistView(followed));
    }
    return Tables.viewOf(turn.build(), rules);
  }

  /**
   * Asks a new bot what it chooses; what it draws from is the same each time.
   *
   * @throws ImpossibleSituationException if there cannot be such a moment
   * @throws IllegalChoiceException if it chooses what is not legal
   */
  public Action ask(BotFactory factory) {
    View view = view();
    Bot bot = factory.sit(view.seat(), view.rules(), new Random(SEED));
    Action choice = bot.choose(view, view.legal());
    if (!view.legal().contains(choice)) {
      throw new IllegalChoiceException(choice, Tokens.joined(view.legal()));
    }
    return choice;
  }

  private Told told() {
    return new Told(
        rules,
        hand,
        dealer,
        seat,
        upcard,
        trumpCard,
        calls,
        trump,
        maker,
        played,
        discard,
        score,
        handNumber,
        dealerStuck);
  }

  private static <T> List<T> read(String words, Function<String, T> parse) {
    List<T> read = new ArrayList<>();
    for (String word : words.strip().split("\\s+")) {
      if (!word.isEmpty()) {
        read.add(parse.apply(word));
      }
    }
    return read;
  }

  /** Writes a moment as the referee does. */
  private static Euchre.EuchreView euchreView(Followed followed) {
    Told told = followed.told;
    return Euchre.EuchreView.newBuilder()
        .setPhaseValue(number(followed.phase))
        .setSeatValue(number(followed.actor))
        .setDealerValue(number(told.dealer()))
        .setPointsNorthSouth(pointsOf(followed, Seat.NORTH))
        .setPointsEastWest(pointsOf(followed, Seat.EAST))
        .setHandNumber(told.handNumber())
        .setDealerStuck(told.isStuck())
        .setUpcardValue(number(told.upcard()))
        .addAllCallsValue(numbers(told.calls()))
        .setTrumpValue(number(followed.trump))
        .setMakerValue(number(followed.maker))
        .setSitsOutValue(number(followed.sitsOut))
        .addAllHandValue(numbers(followed.hand()))
        .setDiscardValue(number(told.discard()))
        .addAllPlayedValue(numbers(told.played()))
        .addAllLeadersValue(numbers(followed.leaders))
        .addAllLegalCallsValue(numbers(followed.legalCalls()))
        .addAllLegalCardsValue(numbers(followed.legalCards()))
        .build();
  }

  private static Whist.WhistView whistView(Followed followed) {
    Told told = followed.told;
    return Whist.WhistView.newBuilder()
        .setSeatValue(number(followed.actor))
        .setDealerValue(number(told.dealer()))
        .setPointsNorthSouth(pointsOf(followed, Seat.NORTH))
        .setPointsEastWest(pointsOf(followed, Seat.EAST))
        .setHandNumber(told.handNumber())
        .setTrumpCardValue(number(told.trumpCard()))
        .addAllHandValue(numbers(followed.hand()))
        .addAllPlayedValue(numbers(told.played()))
        .addAllLeadersValue(numbers(followed.leaders))
        .addAllLegalCardsValue(numbers(followed.legalCards()))
        .build();
  }

  private static int pointsOf(Followed followed, Seat seat) {
    Sides score = followed.told.score();
    return followed.actor.isInTeamOf(seat) ? score.us() : score.them();
  }

  /** The number on the wire, where 0 is nothing. */
  private static int number(Enum<?> value) {
    return value == null ? 0 : value.ordinal() + 1;
  }

  private static List<Integer> numbers(List<? extends Enum<?>> values) {
    return values.stream().map(Situation::number).toList();
  }
}
