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
  private final Map<Integer, Long> seeds = new HashMap<>();
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
      seeds.put(table.getTableId(), table.getSeed());
    }
    decide(frame.getTurnsList(), outbox);
    for (TableClosed table : frame.getClosedList()) {
      seeds.remove(table.getTableId());
      bots.remove(table.getTableId());
    }
  }

  /** Tells what is being decided, in a line. */
  String situation() {
    Turn turn = Moment.deciding();
    if (turn == null) {
      return "no decision was due";
    }
    try {
      View view = viewOf(turn, rules);
      return view + ", legal " + Tokens.joined(view.legal());
    } catch (RuntimeException error) { // to tell of a failure must not fail
      return "the situation cannot be told: " + error.getMessage();
    }
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
    Action action = bots.computeIfAbsent(turn.getTableId(), this::sit).choose(view, legal);
    int choice = legal.indexOf(action);
    if (choice < 0) {
      throw new IllegalChoiceException(action, legal);
    }
    return choice;
  }

  /**
   * Makes the bot of a table, when it is asked first: many tables may be opened at once, and one
   * turn must not wait for all their bots.
   */
  private Bot sit(int table) {
    Long seed = seeds.get(table);
    if (seed == null) {
      throw new IllegalStateException("the table was never opened");
    }
    return factory.sit(seat, rules, new Random(mixed(seed)));
  }

  /** Mixes the bits of a seed as SplitMix does, for a {@link Random} drops the upper 16 of them. */
  private static long mixed(long seed) {
    long mixed = (seed ^ seed >>> 30) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
    return mixed ^ mixed >>> 31;
  }

  static View viewOf(Turn turn, Rules rules) {
    if (rules.game() == Game.EUCHRE && turn.hasEuchre()) {
      return new EuchreView(turn, rules);
    }
    if (rules.game() == Game.WHIST && turn.hasWhist()) {
      return new WhistView(turn, rules);
    }
    throw new NotKnownException("plays a game");
  }

  static Rules rulesOf(Welcome welcome) {
    return switch (welcome.getRulesCase()) {
      case EUCHRE -> euchreRules(welcome.getEuchre());
      case WHIST -> new Rules(Game.WHIST, welcome.getWhist().getTarget(), false, false, false);
      case RULES_NOT_SET -> throw new NotKnownException("plays a game");
    };
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
