"""Plays all matches of one room at once: they are opened, asked, closed and recorded."""

from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from operator import attrgetter

from referee.arena import fault
from referee.arena.clock import Blameless, Clock, Ticks, Untimed, caused
from referee.arena.duel import Duel, MatchResult, Voided
from referee.arena.fault import Failure, Fault, StartFailure, Violation, judge_choice
from referee.arena.limits import MOST_FAILED_STARTS, MOST_LOSSES, Terms
from referee.arena.open_match import OpenMatch
from referee.arena.place import Place
from referee.arena.player import FORFEITED, PLAYED, VOIDED, Closed, Player
from referee.engine.cards import Action, Seat
from referee.engine.seating import entrant_at
from referee.errors import GameError


class Room:
    """One match of each of several duels, and the places at which they are played."""

    def __init__(  # noqa: PLR0913 (all that a session knows of it)
        self,
        terms: Terms,
        number: int,
        duels: Sequence[Duel],
        *,
        clock: Callable[[], float],
        draw_number: Callable[[], int],
        ended: Callable[[MatchResult | Voided | StartFailure], None],
        untimed: tuple[int, Seat] | None = None,
    ) -> None:
        """Prepare a match of each duel; `ended` is called with each when it is over.

        Args:
            terms: what is played.
            number: which room it is, from 0.
            duels: the duels.
            clock: returns the time in seconds.
            draw_number: returns what bots know a match by.
            ended: takes each match, or that its duel is void, or that an entrant never started.
            untimed: the entrant and the seat of a process whose time does not count.
        """
        self.number = number
        self._terms = terms
        self._has_bank = bool(terms.limits.bank)
        self._clock = clock
        self._draw_number = draw_number
        self._pass_on = ended
        self._untimed = untimed
        self._waiting = deque(duels)
        self._matches: dict[int, OpenMatch] = {}
        """The matches in play, by the number of the duel."""
        self._faults: defaultdict[int, list[Fault]] = defaultdict(list)
        """By the number of the duel."""
        self._places: list[Place] = []
        """By seat."""
        self._ticks = Ticks(clock())
        self._has_opened = self._has_ended = False
        """Whether any match has begun, and whether any is over."""
        self._is_cut_short = False

    @property
    def finished(self) -> bool:
        """Whether nothing more is played."""
        return not (self._matches or self._waiting)

    def place(self, player: Callable[[Place], Player], seat: Seat) -> Place:
        """Return a new place, with its player."""
        place = Place(entrant_at(self._terms.game, self.number, seat), seat, self.number)
        place.player = player(place)
        timed = Untimed if (place.entrant, seat) == self._untimed else Clock
        place.clock = timed(place.player, self._terms.limits)
        self._places.append(place)
        self._places.sort(key=attrgetter("seat"))
        return place

    # What happens

    def started(self, place: Place) -> None:
        """Note that a process runs; from now on it has to get ready."""
        place.clock.start(self._clock())

    def joined(self, place: Place, tables: int) -> None:
        """Note that a process is ready to play so many matches at once."""
        place.join(self._clock(), tables)
        self._settled(place)
        self._bound_restarts(place)
        self._open_matches()

    def answered(self, place: Place, turns: Sequence[int], choices: Sequence[int]) -> None:
        """Judge and play a piece of an answer: for each turn, the index of a legal action."""
        if self._ticks.is_overdue(self._clock()):
            self.tick()  # so that a delay of ours, before anybody has looked at it, is given back
        if self.finished or not place.ready:
            return
        answers, violation = place.turns.answer(turns, choices)
        now = self._clock()
        if answers:
            self._judge(place, answers, place.clock.piece(now) / len(answers))
            self._give_back_play(place, self._clock() - now)
        if violation:
            self.failed(place, violation)
        elif not place.open:
            place.clock.settle(now)
            place.settle(now)
            self._settled(place)
            self._bound_restarts(place)

    def failed(self, place: Place, violation: Violation) -> None:
        """Handle a process that cannot go on, through a fault of its own."""
        if self.finished:
            return
        asked = sorted(place.open.values(), key=_canonical)
        is_start = not asked and not (place.has_decided and self._matches)
        place.failed_starts = place.failed_starts + 1 if is_start else 0
        if place.failed_starts >= MOST_FAILED_STARTS:
            self._never_started(place, violation)
            return
        failure = None if is_start else _failure(place, violation)
        place.restart(self._clock())
        if failure and len(asked) > 1:
            place.failure, place.suspects, place.failed_again = failure, asked, False
        elif failure:
            self._failed_in(place, min(asked or self._matches.values(), key=_canonical), failure)
        self._bound_restarts(place)

    def leaves(self, place: Place) -> None:
        """Note that a bot is gone; how, and so whose fault it is, follows in a moment."""
        place.leaving = True

    def lost(self, place: Place, reason: str) -> None:
        """Handle a process that is gone through nobody's fault."""
        if self.finished:
            return
        place.losses += 1
        for each in self._places:  # all that was asked again is void
            each.suspects, each.withheld, each.failure = [], [], None
        duels = [match.duel for match in self._matches.values()]
        if place.losses >= MOST_LOSSES:
            waiting, self._waiting = self._waiting, deque()
            for duel in () if self._has_opened else waiting:
                self._pass_on(Voided(duel, reason))  # else a visit would come to nothing
        for duel in duels:
            self._void(duel, reason)
        if not self.finished:
            place.restart(self._clock())

    def tick(self) -> None:
        """Read all clocks; to be called every `TICK`."""
        now = self._clock()
        late = self._ticks.tick(now)
        culprit = self._who_caused(late)
        for place in self._places:
            if place.leaving or self.finished:
                continue
            if not place.failure:  # else it is bounded when it answers, which is one decision later
                self._bound_restarts(place)
            if not place.open:
                place.clock.settle(now)
                if place.ready:
                    place.settle(now)
            verdict = place.clock.tick(now, self._given_back(place, late, culprit, now))
            if isinstance(verdict, Violation):
                self.failed(place, verdict)
            elif isinstance(verdict, Blameless):
                self._void_open(place, verdict.reason)

        if culprit and late > self._terms.limits.late and not culprit.leaving:
            self.failed(culprit, Violation(fault.CPU_LIMIT, fault.kept_busy(late)))

    def _who_caused(self, late: float) -> Place | None:
        """Return the place that made the referee late, if that was one entrant's doing alone."""
        work = [(place.new_work(), place) for place in self._places]
        for entrant in (0, 1):
            own = sum(seconds for seconds, place in work if place.entrant == entrant)
            others = sum(seconds for seconds, place in work if place.entrant != entrant)
            if caused(late, own, others):
                mine = [each for each in work if each[1].entrant == entrant]
                return max(mine, key=lambda each: each[0])[1]
        return None

    def _given_back(self, place: Place, late: float, culprit: Place | None, now: float) -> float:
        """Return how much of a delay is given back to a place.

        To the entrant that caused it nothing is, and to the other one all that it has used of a
        limit, if the delay was bad: so nothing is doubtful, and no duel void.
        """
        if culprit is None:
            return late
        if place.entrant == culprit.entrant:
            return 0.0
        if late > self._terms.limits.late:
            place.clock.begin_anew(now)
            return 0.0
        return late

    def wind_up(self) -> None:
        """Begin no other match; those that wait are not reported."""
        self._waiting.clear()

    def ask_due(self) -> None:
        """Ask the place with most to decide, unless another is still thinking."""
        if not any(place.open for place in self._places) and not self._rests():
            asked = max(self._places, key=_to_decide)
            if _to_decide(asked) > 0:
                if self._terms.beat:
                    asked.player.thaw()
                asked.ask(self._clock())

    def _rests(self) -> bool:
        """Return whether nothing is asked for a moment, in which to see that no bot computes.

        Bots that are frozen while not to move do not.
        """
        if self._terms.beat:
            return False
        now = self._clock()
        clocks = [place.clock for place in self._places if not place.leaving]
        if any(clock.is_rest_due(now) for clock in clocks):
            for clock in clocks:
                clock.leave_at_rest(now)
        return any(clock.is_left_at_rest for clock in clocks)

    def _settled(self, place: Place) -> None:
        if self._terms.beat:
            place.player.freeze()

    def _void_open(self, place: Place, reason: str) -> None:
        for match in list(place.open.values()):
            self._void(match.duel, reason)
        self._settled(place)

    # Decisions

    def _judge(
        self, place: Place, answers: Sequence[tuple[int, OpenMatch, int]], seconds: float
    ) -> None:
        place.has_decided, place.failed_starts = True, 0
        timed = next((match for _, match, _ in answers if match not in place.repeated), None)
        if timed:
            timed.note_time(seconds)
        for turn, match, choice in answers:
            if match not in place.repeated:
                self._decided(place, match, choice, seconds, turn)
                continue
            del place.repeated[match]
            if match not in place.suspects:
                place.queue.append(match)

    def _decided(
        self, place: Place, match: OpenMatch, choice: int, seconds: float, turn: int
    ) -> None:
        legal = match.sheet.state.legal
        violation = judge_choice(choice, len(legal))
        if self._has_bank and not violation:
            violation = match.charge(seconds)
        if violation:
            evidence = place.player.evidence(violation.kind)
            failure = Failure(violation.kind, violation.explanation, (turn,), evidence)
            self._pay_alone(place, match, failure, turn)
        elif place.failure:
            place.withheld.append((match, choice))
            place.suspects.remove(match)
            self._end_asking_again(place)
        else:
            self._play(match, legal[choice])

    def _play(self, match: OpenMatch, action: Action) -> None:
        try:
            seat = match.play(action)
        except GameError as error:
            self._void(match.duel, str(error))
            return
        if seat is None:
            self._close(match, PLAYED)
        else:
            self._places[seat].queue.append(match)

    def _give_back_play(self, place: Place, seconds: float) -> None:
        """Credit the time that it took to play what was answered."""
        place.clock.give_back(seconds)
        self._ticks.leave_out(seconds)

    # What a fault costs

    def _failed_in(self, place: Place, match: OpenMatch, failure: Failure) -> None:
        """Make a match pay in which the process has failed."""
        if match in place.repeated:
            match.left_out.add(place.repeated[match].actions)
            failure = failure._replace(seconds=0.0)
        if match.sheet.state.actor == place.seat:
            match.left_out.add(match.sheet.actions)
        self._pay_alone(place, match, failure)

    def _pay_alone(self, place: Place, match: OpenMatch, failure: Failure, turn: int = 0) -> None:
        """Make a match pay; if it was asked again, it is known now who was at fault."""
        if match in place.suspects:
            place.failed_again = True
            place.suspects.remove(match)
        self._pay(place, match, failure, turn)
        self._end_asking_again(place)

    def _end_asking_again(self, place: Place) -> None:
        """Play the answers once all suspects were asked; if none failed again, the first pays."""
        failure, withheld = place.failure, place.withheld
        if failure is None or place.suspects:
            return
        place.failure, place.withheld = None, []
        if withheld and not place.failed_again:
            (culprit, _), *withheld = withheld
            self._pay(place, culprit, failure)
        for match, choice in withheld:
            self._play(match, match.sheet.state.legal[choice])

    def _pay(self, place: Place, match: OpenMatch, failure: Failure, turn: int = 0) -> None:
        _note_timeout(place, match, failure)
        match.faults[place.entrant] += 1
        forfeits = match.faults[place.entrant] >= self._terms.policy.forfeit_at
        self._note_fault(place, match, failure, forfeits=forfeits)
        place.player.send_fault(failure.kind, match.number, turn, failure.explanation)
        state = match.sheet.state
        if forfeits:
            self._close(match, FORFEITED, place)
        elif state.actor == place.seat:
            place.forget(match)
            self._play(match, state.legal[0])

    def _never_started(self, place: Place, violation: Violation) -> None:
        kind, explanation, *_ = violation
        evidence = place.player.evidence(kind, always=True)
        self._waiting.clear()
        self._drop(list(self._matches.values()))
        self._pass_on(
            StartFailure(kind, place.entrant, place.seat, place.room, explanation, evidence)
        )

    def _bound_restarts(self, place: Place) -> None:
        """Cut the room short if a place was started again too often, or for too long.

        What is open is dropped, and so not played yet. If nothing would come of the room, the first
        match is played to its end. Who is asked again for too long pays for what it failed by, or
        it could have matches dropped by that.
        """
        is_slow = place.repeats_too_long(self._clock())
        if self.finished or self._is_cut_short or not (is_slow or place.is_restarted_too_often):
            return
        self._is_cut_short = True
        most_waiting = 0 if self._has_ended or self._matches else 1
        self._waiting = deque(list(self._waiting)[:most_waiting])
        last = None
        if is_slow and place.failure and not place.failed_again:
            last = place.suspects[0]  # those before it did not fail again
            self._failed_in(place, last, place.failure)
        elif self._matches and not self._has_ended:
            last = min(self._matches.values(), key=_canonical)
        self._drop([match for match in self._matches.values() if match is not last])

    def _drop(self, matches: Sequence[OpenMatch]) -> None:
        """End matches as if they had not been played.

        Where these are asked again it can no longer be found who is at fault, so the others go on.
        """
        withheld = []
        for place in self._places:
            suspects = [*place.suspects, *(match for match, _ in place.withheld)]
            if not any(match in matches for match in suspects):
                continue
            place.queue += [each for each in place.suspects if each not in place.open.values()]
            withheld += place.withheld
            place.suspects, place.withheld, place.failure = [], [], None
        for match in matches:
            self._end_match(match, VOIDED)
        for match, choice in withheld:
            if match not in matches:
                self._play(match, match.sheet.state.legal[choice])

    def _note_fault(
        self, place: Place, match: OpenMatch, failure: Failure, *, forfeits: bool
    ) -> None:
        duel = match.duel.number
        asked = place.repeated.get(match, match.sheet)
        self._faults[duel].append(
            Fault(
                failure.kind,
                place.entrant,
                place.seat,
                place.room,
                duel,
                asked.match.hand,
                failure.explanation,
                forfeits,
                failure.evidence,
                failure.turns,
            )
        )

    # Matches

    def _open_matches(self) -> None:
        """Open as many matches as every bot can play."""
        most = 1 if self._terms.beat else self._terms.tables
        most = min(most, *(place.tables for place in self._places))
        while self._waiting and len(self._matches) < most:
            self._open(self._waiting.popleft())

    def _open(self, duel: Duel) -> None:
        self._has_opened = True
        try:
            match = OpenMatch(self._terms, duel, self.number, self._draw_number())
            seat = match.skip_forced(match.sheet.state)
        except GameError as error:
            self._pass_on(Voided(duel, str(error)))
            return
        if seat is None:
            self._report(match)
            return
        self._matches[duel.number] = match
        self._places[seat].queue.append(match)

    def _close(self, match: OpenMatch, reason: str, forfeits: Place | None = None) -> None:
        self._end_match(match, reason)
        self._report(match, forfeits)
        self._open_matches()

    def _report(self, match: OpenMatch, forfeits: Place | None = None) -> None:
        record = match.sheet.record(forfeits.seat if forfeits else None)
        first, second = match.slowest
        faults = tuple(self._faults.pop(match.duel.number, ()))
        self._has_ended = True
        self._pass_on(MatchResult(match.duel, record, faults, (first, second)))

    def _end_match(self, match: OpenMatch, reason: str) -> None:
        del self._matches[match.duel.number]
        closed = Closed(match.number, reason, match.sheet.match.score)
        for place in self._places:
            place.close_match(match, closed)
            self._end_asking_again(place)

    def _void(self, duel: Duel, reason: str) -> None:
        match = self._matches.get(duel.number)
        if match:
            self._end_match(match, VOIDED)
        elif duel in self._waiting:
            self._waiting.remove(duel)
        else:
            return
        self._pass_on(Voided(duel, reason))
        self._open_matches()


def _to_decide(place: Place) -> int:
    if place.leaving or not place.ready:
        return -1
    return len(place.suspects or place.queue)


def _failure(place: Place, violation: Violation) -> Failure:
    kind, explanation, _, seconds = violation
    turns, evidence = tuple(place.open), place.player.evidence(kind)
    return Failure(kind, explanation, turns, evidence, seconds)


def _note_timeout(place: Place, match: OpenMatch, failure: Failure) -> None:
    """Count the time of a decision that was never made, as of one that was."""
    if failure.seconds and match.sheet.state.actor == place.seat:
        match.note_time(failure.seconds)


def _canonical(match: OpenMatch) -> int:
    return match.duel.number
