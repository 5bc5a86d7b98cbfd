package org.upcard;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import upcard.v1.Referee.Turn;

/**
 * What your seat knows when it is to act. It works out only what you ask for.
 *
 * <p>Every name is there in both games; what a game does not have, or what is not known yet, is
 * null, false or empty.
 */
public abstract sealed class View permits EuchreView, WhistView {
  private final Turn turn;
  private final Rules rules;

  // Worked out when asked for the first time.
  private List<Action> legal;
  private List<Card> legalCards;
  private List<Card> hand;
  private List<Card> played;
  private List<Card> trick;
  private Card winningCard;
  private List<Trick> tricks;
  private List<PlayedCard> plays;
  private EnumSet<Card> mine;
  private EnumSet<Card> out;
  private List<Set<Suit>> voids;

  View(Turn turn, Rules rules) {
    this.turn = turn;
    this.rules = rules;
  }

  // Where and when

  /** Which game is played. */
  public Game game() {
    return rules.game();
  }

  /** What is due. */
  public abstract Phase phase();

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
  public abstract int handNumber();

  /** The rules at this table. */
  public Rules rules() {
    return rules;
  }

  // What you may do

  /** What you may do. */
  public List<Action> legal() {
    if (legal == null) {
      legal = readLegal();
    }
    return legal;
  }

  /** Euchre: what you may say, in the order of {@link #legal}; empty unless a call is due. */
  public abstract List<Call> legalCalls();

  /** The cards you may play or discard, in the order of {@link #legal}. */
  public List<Card> legalCards() {
    if (legalCards == null) {
      legalCards = Numbers.cards(legalNumbers());
    }
    return legalCards;
  }

  // Who

  /** Your seat. */
  public abstract Seat seat();

  /** The seat across the table. */
  public Seat partner() {
    return seat().partner();
  }

  /** Who dealt. */
  public abstract Seat dealer();

  // The score

  /** The points of both teams before this hand. */
  public Sides score() {
    return seat().isInTeamOf(Seat.NORTH)
        ? new Sides(pointsNorthSouth(), pointsEastWest())
        : new Sides(pointsEastWest(), pointsNorthSouth());
  }

  /** How many points win the match. */
  public int target() {
    return rules.target();
  }

  // The cards

  /** The cards you hold, in the order of the pack. */
  public List<Card> hand() {
    if (hand == null) {
      hand = Numbers.cards(handNumbers());
    }
    return hand;
  }

  /** The cards you hold that count as a suit, the strongest first. */
  public List<Card> holding(Suit suit) {
    return strongestFirst(suit, mine());
  }

  /**
   * The cards that others may still play, as far as you can see: all but those you hold, those
   * played, those you know to be out of play. In euchre three of them lie in the kitty.
   */
  public List<Card> cardsStillOut() {
    return Collections.unmodifiableList(new ArrayList<>(out()));
  }

  /** The cards of a suit that others may still play, the strongest first. */
  public List<Card> stillOut(Suit suit) {
    return strongestFirst(suit, out());
  }

  /** Euchre: the card turned up. */
  public abstract Card upcard();

  /** Whist: the last card dealt, the dealer's until she plays it. */
  public abstract Card trumpCard();

  /** The trump suit; null until it is made. */
  public abstract Suit trump();

  // The bidding

  /** Euchre: what was said so far, the first to speak first. */
  public abstract List<Call> calls();

  /** Euchre: whether the dealer, when she speaks last, must name a suit. */
  public abstract boolean dealerStuck();

  /** Euchre: who made trump. */
  public abstract Seat maker();

  /** Euchre: whether you or your partner made trump. */
  public boolean weMadeTrump() {
    Seat maker = maker();
    return maker != null && maker.isInTeamOf(seat());
  }

  /** Euchre: whether the dealer took the upcard, as she does when it is ordered up. */
  public abstract boolean pickedUp();

  /** Euchre: what you laid away as the dealer. */
  public abstract Card discard();

  /** Euchre: the maker's partner when the maker goes alone. */
  public abstract Seat sitsOut();

  // The play

  /** Who leads the trick in progress; null before the play. */
  public Seat leader() {
    List<Integer> leaders = leaderNumbers();
    return leaders.isEmpty() ? null : Numbers.seat(leaders.get(leaders.size() - 1));
  }

  /** The cards of the trick in progress, the led one first. */
  public List<Card> trick() {
    if (trick == null) {
      List<Card> all = played();
      trick = all.subList(all.size() - all.size() % trickSize(), all.size());
    }
    return trick;
  }

  /** The suit to follow; null when you lead. The left bower leads trump. */
  public Suit suitLed() {
    return trick().isEmpty() ? null : effectiveSuit(trick().get(0));
  }

  /** The card that is winning the trick in progress; null when you lead. */
  public Card winningCard() {
    if (winningCard == null) {
      winningCard = game().winningCard(trick(), trump());
    }
    return winningCard;
  }

  /** Who is winning the trick in progress; null when you lead. */
  public Seat winningSeat() {
    return trick().isEmpty()
        ? null
        : Seat.order(leader(), sitsOut()).get(trick().indexOf(winningCard()));
  }

  /** Whether your partner's card is winning the trick in progress. */
  public boolean partnerIsWinning() {
    return winningSeat() == partner();
  }

  /** Whether a card would be the winning one if you played it now. */
  public boolean takesTrick(Card card) {
    Card winning = winningCard();
    return winning == null || beats(card, winning);
  }

  /** Whether your card ends the trick in progress. */
  public boolean lastToPlay() {
    return trick().size() == trickSize() - 1;
  }

  /** The finished tricks. */
  public List<Trick> tricks() {
    if (tricks == null) {
      tricks = readTricks();
    }
    return tricks;
  }

  /** The tricks both teams have taken. */
  public Sides tricksWon() {
    List<Integer> leaders = leaderNumbers();
    int ours = 0;
    for (int place = 1; place < leaders.size(); place++) {
      ours += Numbers.seat(leaders.get(place)).isInTeamOf(seat()) ? 1 : 0;
    }
    return new Sides(ours, Math.max(0, leaders.size() - 1) - ours);
  }

  /** Every card played in this hand, with who played it. */
  public List<PlayedCard> plays() {
    if (plays == null) {
      plays = readPlays();
    }
    return plays;
  }

  /** The suits a seat has shown to have none of, by not following. */
  public Set<Suit> voidSuits(Seat seat) {
    if (voids == null) {
      voids = findVoids();
    }
    return voids.get(seat.ordinal());
  }

  // The worth of cards

  /** The suit a card counts as: the left bower is a trump. */
  public Suit effectiveSuit(Card card) {
    return game().effectiveSuit(card, trump());
  }

  /** The suit a card would count as with another trump; null for that of the hand. */
  public Suit effectiveSuit(Card card, Suit trump) {
    return game().effectiveSuit(card, orOwn(trump));
  }

  /** The place of a card in its effective suit, the higher the stronger. */
  public int strength(Card card) {
    return game().strength(card, trump());
  }

  /** The place a card would have with another trump; null for that of the hand. */
  public int strength(Card card, Suit trump) {
    return game().strength(card, orOwn(trump));
  }

  /** Whether a card takes the trick over from another that is winning it. */
  public boolean beats(Card card, Card other) {
    return game().beats(card, other, trump());
  }

  /** Whether a card would take the trick over with another trump; null for that of the hand. */
  public boolean beats(Card card, Card other, Suit trump) {
    return game().beats(card, other, orOwn(trump));
  }

  /** Returns the situation in a line. */
  @Override
  public String toString() {
    String upcard = phase() == Phase.BIDDING ? ", upcard " + upcard() : "";
    String trump = trump() == null ? "" : ", trump " + trump();
    String trick = trick().isEmpty() ? "" : ", trick " + Tokens.joined(trick());
    return game() + ", " + phase() + ": hand " + Tokens.joined(hand()) + upcard + trump + trick;
  }

  // What the message of each game has

  abstract List<Action> readLegal();

  abstract boolean isOutOfPlay(Card card);

  abstract int pointsNorthSouth();

  abstract int pointsEastWest();

  abstract List<Integer> handNumbers();

  abstract List<Integer> legalNumbers();

  abstract List<Integer> playedNumbers();

  abstract List<Integer> leaderNumbers();

  private List<Card> played() {
    if (played == null) {
      played = Numbers.cards(playedNumbers());
    }
    return played;
  }

  private Suit orOwn(Suit trump) {
    return trump == null ? trump() : trump;
  }

  private int trickSize() {
    return sitsOut() == null ? 4 : 3;
  }

  private EnumSet<Card> mine() {
    if (mine == null) {
      mine = EnumSet.noneOf(Card.class);
      mine.addAll(hand());
    }
    return mine;
  }

  private EnumSet<Card> out() {
    if (out == null) {
      EnumSet<Card> others = EnumSet.noneOf(Card.class);
      others.addAll(game().pack());
      others.removeAll(mine());
      played().forEach(others::remove);
      others.removeIf(this::isOutOfPlay);
      out = others;
    }
    return out;
  }

  private List<Card> strongestFirst(Suit suit, EnumSet<Card> among) {
    if (suit == null) {
      return List.of();
    }
    List<Card> found = new ArrayList<>();
    for (Card card : game().strongestFirst(suit, trump())) {
      if (among.contains(card)) {
        found.add(card);
      }
    }
    return Collections.unmodifiableList(found);
  }

  private List<Trick> readTricks() {
    List<Integer> leaders = leaderNumbers();
    int size = trickSize();
    List<Trick> finished = new ArrayList<>();
    for (int place = 0; place + 1 < leaders.size(); place++) {
      List<Card> cards = played().subList(place * size, (place + 1) * size);
      Seat winner = Numbers.seat(leaders.get(place + 1));
      finished.add(new Trick(Numbers.seat(leaders.get(place)), cards, winner));
    }
    return Collections.unmodifiableList(finished);
  }

  private List<PlayedCard> readPlays() {
    List<Integer> leaders = leaderNumbers();
    int size = trickSize();
    List<PlayedCard> all = new ArrayList<>(played().size());
    for (int place = 0; place < played().size(); place++) {
      List<Seat> order = Seat.order(Numbers.seat(leaders.get(place / size)), sitsOut());
      all.add(new PlayedCard(order.get(place % size), played().get(place)));
    }
    return Collections.unmodifiableList(all);
  }

  private List<Set<Suit>> findVoids() {
    List<Set<Suit>> shown = new ArrayList<>();
    for (int seat = 0; seat < Seat.values().length; seat++) {
      shown.add(EnumSet.noneOf(Suit.class));
    }
    Suit led = null;
    for (int place = 0; place < plays().size(); place++) {
      PlayedCard play = plays().get(place);
      Suit suit = effectiveSuit(play.card());
      if (place % trickSize() == 0) {
        led = suit;
      } else if (suit != led) {
        shown.get(play.seat().ordinal()).add(led);
      }
    }
    shown.replaceAll(Collections::unmodifiableSet);
    return shown;
  }
}
