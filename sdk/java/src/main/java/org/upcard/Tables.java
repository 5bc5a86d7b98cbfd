package org.upcard;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.LongSupplier;
import upcard.v1.Euchre.EuchreRules;
import upcard.v1.Referee.Answers;
import upcard.v1.Referee.Frame;
import upcard.v1.Referee.TableClosed;
import upcard.v1.Referee.TableOpened;
import upcard.v1.Referee.Turn;
import upcard.v1.Referee.Welcome;

/** The tables a bot sits at, with a bot of its own for each: frames in, answers out. */
final class Tables {
  /** What is answered is sent at the latest so long after what was sent before. */
  static final long PIECE_NANOS = 100_000_000;

  private final BotFactory factory;
  private final Seat seat;
  private final Rules rules;
  private final LongSupplier clock;
  private final Map<Integer, Bot> bots = new HashMap<>();

  /** Where answers go. */
  interface Outbox {
    void send(Answers answers) throws Exception;
  }

  Tables(BotFactory factory, Welcome welcome, LongSupplier clock) {
    this.factory = factory;
    this.seat = Numbers.seat(welcome.getSeatValue());
    this.rules = rulesOf(welcome);
    this.clock = clock;
  }

  /** Answers every turn of a frame, in one piece or, if that takes long, in several. */
  void answer(Frame frame, Outbox outbox) throws Exception {
    for (TableOpened table : frame.getOpenedList()) {
      bots.put(table.getTableId(), factory.sit(seat, rules, new Random(table.getSeed())));
    }
    decide(frame.getTurnsList(), outbox);
    for (TableClosed table : frame.getClosedList()) {
      bots.remove(table.getTableId());
    }
  }

  /** Tells what is being decided, in a line. */
  String situation() {
    Turn turn = Moment.deciding();
    if (turn == null) {
      return "no decision was due";
    }
    View view = viewOf(turn, rules);
    return view + ", legal " + Tokens.joined(view.legal());
  }

  private void decide(List<Turn> turns, Outbox outbox) throws Exception {
    Answers.Builder piece = Answers.newBuilder();
    long begun = clock.getAsLong();
    for (Turn turn : turns) {
      Moment.begin(turn);
      piece.addTurnIds(turn.getTurnId()).addChoices(choice(turn));
      if (clock.getAsLong() - begun >= PIECE_NANOS) {
        outbox.send(piece.build());
        piece.clear();
        begun = clock.getAsLong();
      }
    }
    Moment.end();
    if (piece.getTurnIdsCount() > 0) {
      outbox.send(piece.build());
    }
  }

  private int choice(Turn turn) {
    View view = viewOf(turn, rules);
    List<Action> legal = view.legal();
    Action action = bots.get(turn.getTableId()).choose(view, legal);
    int choice = legal.indexOf(action);
    if (choice < 0) {
      throw new IllegalChoiceException(action, legal);
    }
    return choice;
  }

  static View viewOf(Turn turn, Rules rules) {
    return rules.game() == Game.EUCHRE ? new EuchreView(turn, rules) : new WhistView(turn, rules);
  }

  static Rules rulesOf(Welcome welcome) {
    return welcome.hasEuchre()
        ? euchreRules(welcome.getEuchre())
        : new Rules(Game.WHIST, welcome.getWhist().getTarget(), false, false, false);
  }

  private static Rules euchreRules(EuchreRules rules) {
    return new Rules(
        Game.EUCHRE,
        rules.getTarget(),
        rules.getAlone(),
        rules.getStickDealer(),
        rules.getPartnerMustGoAlone());
  }
}
