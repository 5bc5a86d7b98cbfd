package org.upcard;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import upcard.v1.Euchre.EuchreRules;
import upcard.v1.Referee.Frame;
import upcard.v1.Referee.TableClosed;
import upcard.v1.Referee.TableOpened;
import upcard.v1.Referee.Turn;
import upcard.v1.Referee.Welcome;

/** The tables a bot sits at, with a bot of its own for each: frames in, answers out. */
final class Tables {
  private final BotFactory factory;
  private final Seat seat;
  private final Rules rules;

  /** The game, if it is described in RECYCLE, else null; then there are no rules of another. */
  private final RecycleRules recycle;

  private final Map<Integer, Long> seeds = new HashMap<>();
  private final Map<Integer, Bot> bots = new HashMap<>();

  Tables(BotFactory factory, Welcome welcome) {
    this.factory = factory;
    this.seat = Numbers.seat(welcome.getSeatValue());
    this.recycle = welcome.hasRecycle() ? RecycleRules.of(welcome.getRecycle()) : null;
    this.rules = recycle == null ? rulesOf(welcome) : null;
  }

  /** Answers every turn of a frame; if a decision fails, those before it are sent. */
  void answer(Frame frame, Pieces pieces) throws Exception {
    for (TableOpened table : frame.getOpenedList()) {
      seeds.put(table.getTableId(), table.getSeed());
    }
    decide(frame.getTurnsList(), pieces);
    for (TableClosed table : frame.getClosedList()) {
      seeds.remove(table.getTableId());
      bots.remove(table.getTableId());
    }
  }

  /** Returns what is being decided, in a line. */
  String situation() {
    Turn turn = Moment.deciding();
    if (turn == null) {
      return "no decision was due";
    }
    try {
      if (recycle != null) {
        RecycleView view = recycleViewOf(turn, recycle);
        return view + ", legal " + Tokens.listed(view.legal());
      }
      View view = viewOf(turn, rules);
      return view + ", legal " + Tokens.joined(view.legal());
    } catch (RuntimeException error) { // to tell of a failure must not fail
      return "the situation cannot be told: " + error.getMessage();
    }
  }

  private void decide(List<Turn> turns, Pieces pieces) throws Exception {
    pieces.begin(turns.size());
    try {
      for (Turn turn : turns) {
        Moment.begin(turn);
        pieces.add(turn.getTurnId(), recycle == null ? choice(turn) : chosenMove(turn));
      }
      Moment.end();
    } finally {
      pieces.end();
    }
  }

  private int choice(Turn turn) {
    View view = viewOf(turn, rules);
    List<Action> legal = view.legal();
    Action action = bots.computeIfAbsent(turn.getTableId(), this::sit).choose(view, legal);
    int choice = legal.indexOf(action);
    if (choice < 0) {
      throw new IllegalChoiceException(action, Tokens.joined(legal));
    }
    return choice;
  }

  private int chosenMove(Turn turn) {
    RecycleView view = recycleViewOf(turn, recycle);
    List<String> legal = view.legal();
    String move = bots.computeIfAbsent(turn.getTableId(), this::sit).act(view, legal);
    int choice = legal.indexOf(move);
    if (choice < 0) {
      throw new IllegalChoiceException(move, Tokens.listed(legal));
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

  static RecycleView recycleViewOf(Turn turn, RecycleRules rules) {
    if (!turn.hasRecycle()) {
      throw new NotKnownException("plays a game");
    }
    return new RecycleView(turn, rules);
  }

  static Rules rulesOf(Welcome welcome) {
    return switch (welcome.getRulesCase()) {
      case EUCHRE -> euchreRules(welcome.getEuchre());
      case WHIST -> new Rules(Game.WHIST, welcome.getWhist().getTarget(), false, false, false);
      case RECYCLE, RULES_NOT_SET -> throw new NotKnownException("plays a game");
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
