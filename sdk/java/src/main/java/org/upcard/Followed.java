package org.upcard;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** A situation, and all that follows from it by the rules; what cannot have been is refused. */
final class Followed {
  private static final int ALONE = Call.NAME_CLUBS_ALONE.ordinal();

  final Told told;
  final List<Seat> leaders = new ArrayList<>();

  // What the bidding came to.
  Suit trump;
  Seat maker;
  Seat sitsOut;
  private boolean pickedUp;

  // What lies on the table, and who is to act.
  Phase phase;
  Seat actor;
  private final List<PlayedCard> plays = new ArrayList<>();
  private final List<Card> trick = new ArrayList<>();
  private final List<Set<Suit>> voids = new ArrayList<>();

  Followed(Told words) {
    words.check();
    told = words.withCalls();
    for (int seat = 0; seat < Seat.values().length; seat++) {
      voids.add(EnumSet.noneOf(Suit.class));
    }
    if (told.game() == Game.WHIST) {
      trump = told.trumpCard().suit();
    } else {
      bid();
    }
    told.checkTwice(pickedUp);
    play();
    checkActor();
    checkDiscard();
    checkHand();
  }

  /** The cards that are held, in the order of the pack. */
  List<Card> hand() {
    List<Card> hand = new ArrayList<>(told.hand());
    Collections.sort(hand);
    return hand;
  }

  /** What may be said; none unless a call is due. */
  List<Call> legalCalls() {
    return phase == Phase.BIDDING ? told.menu(told.calls().size()) : List.of();
  }

  /** What may be laid away or played; none if a call is due. */
  List<Card> legalCards() {
    Card led = trick.isEmpty() ? null : trick.get(0);
    return phase == Phase.BIDDING ? List.of() : told.game().legalPlays(hand(), led, trump);
  }

  // The bidding

  private void bid() {
    List<Call> calls = told.calls();
    if (told.maker() != null && told.trump() == null && calls.isEmpty()) {
      throw Told.impossible("the trump that %s made is missing", Told.name(told.maker()));
    }
    if (told.upcard() == null) {
      throw Told.impossible("the upcard is missing");
    }
    for (int said = 0; said < calls.size(); said++) {
      if (trump != null) {
        throw Told.impossible("nothing is said after %s", calls.get(said - 1));
      }
      say(calls.get(said), said);
    }
    checkMade();
  }

  private void say(Call call, int said) {
    Seat speaker = told.dealer().clockwise(said + 1);
    List<Call> open = told.menu(said);
    if (!open.contains(call)) {
      String name = Told.name(speaker);
      throw Told.impossible("%s may not say %s; only %s", name, call, Tokens.joined(open));
    }
    if (call != Call.PASS) {
      boolean alone = call == Call.ORDER_UP_ALONE || call.ordinal() >= ALONE;
      trump = call.suit() == null ? told.upcard().suit() : call.suit();
      maker = speaker;
      sitsOut = alone ? speaker.partner() : null;
      pickedUp = said < Told.ROUND;
    } else if (said == 2 * Told.ROUND - 1) {
      throw Told.impossible("all have passed twice: the hand is thrown in");
    }
  }

  private void checkMade() {
    if (maker == null) {
      if (told.trump() != null || told.maker() != null) {
        throw Told.impossible("nobody has made trump yet");
      }
      if (!told.played().isEmpty()) {
        throw Told.impossible("a card is played before trump is made");
      }
      return;
    }
    if (told.trump() != null && told.trump() != trump) {
      throw Told.impossible("trump is %s by the calls, not %s", trump, told.trump());
    }
    if (told.maker() != null && told.maker() != maker) {
      throw Told.impossible("%s made trump, not %s", Told.name(maker), Told.name(told.maker()));
    }
  }

  // The play

  private void play() {
    boolean laying = told.hand().size() == Told.WITH_UPCARD && told.played().isEmpty();
    if (trump == null) {
      phase = Phase.BIDDING;
      actor = told.dealer().clockwise(told.calls().size() + 1);
    } else if (pickedUp && laying && told.discard() == null) {
      phase = Phase.DISCARDING;
      actor = told.dealer();
    } else {
      phase = Phase.PLAYING;
      leaders.add(Seat.order(told.dealer().next(), sitsOut).get(0));
      told.played().forEach(this::lay);
      actor = next();
    }
  }

  private Seat leader() {
    return leaders.get(leaders.size() - 1);
  }

  private Seat next() {
    return Seat.order(leader(), sitsOut).get(trick.size());
  }

  private void lay(Card card) {
    Game game = told.game();
    Seat seat = next();
    Suit suit = game.effectiveSuit(card, trump);
    checkFollows(seat, card);
    trick.add(card);
    plays.add(new PlayedCard(seat, card));
    Suit led = game.effectiveSuit(trick.get(0), trump);
    if (suit != led) {
      voids.get(seat.ordinal()).add(led);
    }
    if (trick.size() == (sitsOut == null ? 4 : 3)) {
      leaders.add(game.winner(leader(), trick, trump, sitsOut));
      trick.clear();
    }
    if (leaders.size() > told.tricks()) {
      throw Told.impossible("all tricks are played");
    }
  }

  private void checkFollows(Seat seat, Card card) {
    Suit suit = told.game().effectiveSuit(card, trump);
    if (voids.get(seat.ordinal()).contains(suit)) {
      throw Told.impossible("%s did not follow %s, and has %s", Told.name(seat), suit, card);
    }
  }

  private void checkActor() {
    if (told.seat() != null && told.seat() != actor) {
      throw Told.impossible("%s is to act, not %s", Told.name(actor), Told.name(told.seat()));
    }
  }

  private void checkDiscard() {
    boolean laidAway = pickedUp && actor == told.dealer() && phase == Phase.PLAYING;
    if (told.discard() != null && !laidAway) {
      throw Told.impossible("%s laid no card away", Told.name(actor));
    }
    if (told.discard() == null && laidAway) {
      throw Told.impossible("what %s laid away is missing", Told.name(actor));
    }
  }

  private void checkHand() {
    List<Card> own = new ArrayList<>();
    plays.stream().filter(play -> play.seat() == actor).forEach(play -> own.add(play.card()));
    int most = phase == Phase.DISCARDING ? Told.WITH_UPCARD : told.tricks() - own.size();
    int held = told.hand().size();
    if (held > most) {
      throw Told.impossible(
          "%s holds at most %d cards here, not %d", Told.name(actor), most, held);
    }
    own.addAll(told.hand());
    own.add(told.discard());
    if (pickedUp || told.game() == Game.WHIST) {
      checkDealersCard(own);
    }
    hand().forEach(card -> checkFollows(actor, card));
  }

  /** Checks that the card turned up is the dealer's, and nobody else's. */
  private void checkDealersCard(List<Card> own) {
    Seat dealer = told.dealer();
    Card card = told.turned();
    if (actor == dealer && !own.contains(card)) {
      throw Told.impossible("%s is missing among %s's cards", card, Told.name(dealer));
    }
    boolean held = actor != dealer && told.hand().contains(card);
    if (held || plays.stream().anyMatch(play -> play.card() == card && play.seat() != dealer)) {
      throw Told.impossible("%s is %s's, and nobody else's", card, Told.name(dealer));
    }
  }
}
