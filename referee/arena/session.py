"""Plays all duels of one pairing at once: matches are opened, asked, closed and recorded."""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from typing import Final

from referee.arena.clock import Blameless, Clock, Ticks
from referee.arena.duel import Duel, DuelResult, Timing, Voided
from referee.arena.fault import Failure, Fault, Violation, judge_choice
from referee.arena.limits import MOST_FAILURES, Terms
from referee.arena.open_match import OpenMatch
from referee.arena.place import Place
from referee.arena.player import FORFEITED, PLAYED, VOIDED, Closed, Player
from referee.engine.cards import Action, team
from referee.engine.record import MatchRecord, Scoresheet

ROOMS: Final = (0, 1)

Outcome = DuelResult | Voided


class _Unfinished:
    """What is known of a duel that is not over."""

    def __init__(self) -> None:
        self.records: list[MatchRecord | None] = [None, None]
        self.faults: list[Fault] = []
        self.slowest: list[Timing | None] = [None, None]


class Session:
    """The duels of two entrants, and the eight places at which they are played."""

    def __init__(
        self,
        terms: Terms,
        duels: Sequence[Duel],
        clock: Callable[[], float],
        draw_number: Callable[[], int],
        finished: Callable[[Outcome], None],
    ) -> None:
        """Prepare duels to be played; each is passed to `finished` when it is over."""
        self._terms = terms
        self._has_bank = bool(terms.limits.bank)
        self._clock = clock
        self._draw_number = draw_number
        self._pass_on = finished
        self._unfinished = {duel.number: _Unfinished() for duel in duels}
        self._duels = {duel.number: duel for duel in duels}
        self._waiting = (deque(duels), deque(duels))
        self._matches: tuple[dict[int, OpenMatch], dict[int, OpenMatch]] = ({}, {})
        """The matches in play, by room and number of the duel."""
        self._rooms: tuple[list[Place], list[Place]] = ([], [])
        """By room and seat."""
        self._ticks = Ticks(clock())

    @property
    def finished(self) -> bool:
        """Whether every duel has been passed on."""
        return not self._unfinished

    def place(self, player: Callable[[Place], Player], entrant: int, seat: int) -> Place:
        """Return a new place of an entrant in a seat, with its player."""
        place = Place(entrant, seat, team(seat) ^ entrant)
        place.player = player(place)
        place.clock = Clock(place.player, self._terms.limits)
        room = self._rooms[place.room]
        room.append(place)
        room.sort(key=attrgetter("seat"))
        return place

    # What happens

    def started(self, place: Place) -> None:
        """Note that a process runs; from now on it has to get ready."""
        place.clock.start(self._clock())

    def joined(self, place: Place, tables: int) -> None:
        """Note that a process is ready to play so many matches at once."""
        place.join(tables, list(self._matches[place.room].values()))
        self._settled(place)
        self._open_matches()

    def answered(self, place: Place, turns: Sequence[int], choices: Sequence[int]) -> None:
        """Judge and play a piece of an answer: for each turn, the index of a legal action."""
        if self._ticks.is_overdue(self._clock()):
            self.tick()  # so that a delay of ours, before anybody has looked at it, is given back
        if place.out or not place.ready:
            return
        answers, violation = place.turns.answer(turns, choices)
        now = self._clock()
        if answers:
            seconds = place.clock.piece(now) / len(answers)
            answers[0][1].note_time(seconds)
            for turn, match, choice in answers:
                self._decided(place, match, choice, seconds, turn)
        if violation:
            self.failed(place, violation)
        elif not place.open:
            place.clock.settle(now)
            self._settled(place)

    def failed(self, place: Place, violation: Violation) -> None:
        """Handle a process that cannot go on, through a fault of its own."""
        if place.out or not self._has_work(place.room):
            return
        turns, evidence = tuple(place.open), place.player.evidence()
        failure = Failure(violation.kind, violation.explanation, turns, evidence, violation.seconds)
        place.failures += 1
        asked = sorted(place.open.values(), key=_canonical)
        place.open.clear()
        culprit: OpenMatch | None = None
        if place.failure:
            culprit = (asked or place.suspects)[0]
        elif len(asked) > 1:
            place.failure, place.suspects = failure, asked
        elif asked:
            (culprit,) = asked
        self._restart(place)
        if place.failures >= MOST_FAILURES:
            self._forfeit_room(place, failure, culprit)
        elif place.failure:
            if culprit:
                self._resolve(place, culprit, failure)
        else:
            self._first_pays(place, culprit, failure)

    def leaves(self, place: Place) -> None:
        """Note that a bot is gone; how, and so whose fault it is, follows in a moment."""
        place.leaving = True

    def lost(self, place: Place, reason: str) -> None:
        """Handle a process that is gone through nobody's fault."""
        if place.out or not self._has_work(place.room):
            return
        place.losses += 1
        place.suspects, place.withheld, place.failure = [], [], None
        duels = [match.duel for match in self._matches[place.room].values()]
        if place.losses >= MOST_FAILURES:
            place.out = True
            duels += self._waiting[place.room]
        for duel in duels:
            self._void(duel, reason)
        self._restart(place)

    def tick(self) -> None:
        """Read all clocks; to be called every `TICK`."""
        now = self._clock()
        late = self._ticks.tick(now)
        for place in (*self._rooms[0], *self._rooms[1]):
            if place.out or place.leaving or not self._has_work(place.room):
                continue
            if not place.open:
                place.clock.settle(now)
            verdict = place.clock.tick(now, late)
            if isinstance(verdict, Violation):
                self.failed(place, verdict)
            elif isinstance(verdict, Blameless):
                self._void_open(place, verdict.reason)

    def wind_up(self) -> None:
        """Begin no other duel; those that are being played in either room are played to the end.

        The others are not reported.
        """
        begun = {*self._matches[0], *self._matches[1]}
        begun.update(n for n, duel in self._unfinished.items() if any(duel.records))
        self._unfinished = {n: duel for n, duel in self._unfinished.items() if n in begun}
        for waiting in self._waiting:
            for duel in [each for each in waiting if each.number not in begun]:
                waiting.remove(duel)
        self._open_matches()

    def ask_due(self) -> None:
        """Ask in each room the place with most to decide, unless another is still thinking."""
        now = self._clock()
        for room in self._rooms:
            if not any(place.open for place in room):
                asked = max(room, key=_to_decide)
                if _to_decide(asked) > 0:
                    if self._terms.beat:
                        asked.player.thaw()
                    asked.ask(now)

    def _settled(self, place: Place) -> None:
        if self._terms.beat:
            place.player.freeze()

    def _void_open(self, place: Place, reason: str) -> None:
        for match in list(place.open.values()):
            self._void(match.duel, reason)
        self._settled(place)

    # Decisions

    def _decided(
        self, place: Place, match: OpenMatch, choice: int, seconds: float, turn: int
    ) -> None:
        legal = match.sheet.state.legal
        violation = judge_choice(choice, len(legal))
        if self._has_bank and not violation:
            violation = match.charge(seconds)
        if violation:
            evidence = place.player.evidence()
            failure = Failure(violation.kind, violation.explanation, (turn,), evidence)
            if place.failure:
                self._resolve(place, match, failure)
            else:
                self._pay(place, match, failure, turn)
        elif place.failure:
            self._withhold(place, match, choice)
        else:
            self._play(match, legal[choice])

    def _play(self, match: OpenMatch, action: Action) -> None:
        seat = match.play(action)
        if seat is None:
            self._close(match, PLAYED)
        else:
            self._rooms[match.room][seat].queue.append(match)

    # Asking again

    def _withhold(self, place: Place, match: OpenMatch, choice: int) -> None:
        place.withheld.append((match, choice))
        place.suspects.remove(match)
        if not place.suspects and place.failure:
            self._end_asking_again(place, place.failure)

    def _end_asking_again(self, place: Place, failure: Failure) -> None:
        """Make the first match pay, as none failed again; it may have become void meanwhile."""
        if place.withheld:
            self._resolve(place, place.withheld[0][0], failure)
        else:
            place.failure = None

    def _resolve(self, place: Place, culprit: OpenMatch, failure: Failure) -> None:
        """Make one match pay; the other answers count, and what was not asked again waits."""
        withheld = [each for each in place.withheld if each[0] is not culprit]
        place.queue += [match for match in place.suspects if match is not culprit]
        place.suspects, place.withheld, place.failure = [], [], None
        self._pay(place, culprit, failure)
        for match, choice in withheld:
            self._play(match, match.sheet.state.legal[choice])

    # What a fault costs

    def _first_pays(self, place: Place, culprit: OpenMatch | None, failure: Failure) -> None:
        matches, waiting = self._matches[place.room], self._waiting[place.room]
        if culprit is None and matches:
            culprit = min(matches.values(), key=_canonical)
        if culprit:
            self._pay(place, culprit, failure)
        else:
            self._forfeit_unopened(place, waiting.popleft(), failure)

    def _pay(self, place: Place, match: OpenMatch, failure: Failure, turn: int = 0) -> None:
        _note_timeout(place, match, failure)
        match.faults[place.entrant] += 1
        forfeits = match.faults[place.entrant] >= self._terms.policy.forfeit_at
        self._note_fault(place, match.duel, failure, match.sheet.match.hand, forfeits=forfeits)
        place.player.send_fault(failure.kind, match.number, turn, failure.explanation)
        state = match.sheet.state
        if forfeits:
            self._close(match, FORFEITED, place)
        elif state.actor == place.seat:
            place.forget(match)
            self._play(match, state.legal[0])

    def _forfeit_room(self, place: Place, failure: Failure, culprit: OpenMatch | None) -> None:
        place.out = True
        place.suspects, place.withheld, place.failure = [], [], None
        rest = f"failed {MOST_FAILURES} times, and so forfeits what is left of its room"
        # The match at fault comes first; where nobody knows which, the first one has to stand in.
        matches = sorted(
            self._matches[place.room].values(),
            key=lambda match: (match is not culprit, _canonical(match)),
        )
        for match in matches:
            _note_timeout(place, match, failure)
            self._note_fault(place, match.duel, failure, match.sheet.match.hand)
            self._close(match, FORFEITED, place)
            failure = failure._replace(explanation=rest, turns=(), seconds=0.0)
        waiting = self._waiting[place.room]
        while waiting:
            self._forfeit_unopened(place, waiting.popleft(), failure)
            failure = failure._replace(explanation=rest, turns=())
        self._open_matches()

    def _forfeit_unopened(self, place: Place, duel: Duel, failure: Failure) -> None:
        self._note_fault(place, duel, failure, hand=0)
        sheet = Scoresheet(self._terms.game, duel.first_dealer, duel.dealt)
        self._record(duel, place.room, sheet.record(place.seat))

    def _note_fault(
        self, place: Place, duel: Duel, failure: Failure, hand: int, *, forfeits: bool = True
    ) -> None:
        self._unfinished[duel.number].faults.append(
            Fault(
                failure.kind,
                place.entrant,
                place.seat,
                place.room,
                duel.number,
                hand,
                failure.explanation,
                forfeits,
                failure.evidence,
                failure.turns,
            )
        )

    # Matches

    def _open_matches(self) -> None:
        if not self._terms.beat:
            for room in ROOMS:
                self._open_up_to(room, self._terms.tables)
        elif not any(self._matches):
            behind = max(ROOMS, key=lambda room: len(self._waiting[room]))
            self._open_up_to(behind, 1)
        for room in ROOMS:
            if not self._has_work(room):
                self._freeze_room(room)

    def _freeze_room(self, room: int) -> None:
        """Freeze the processes of a room that is finished: the other one is still played."""
        for place in self._rooms[room]:
            place.player.freeze()

    def _open_up_to(self, room: int, most: int) -> None:
        places, matches, waiting = self._rooms[room], self._matches[room], self._waiting[room]
        most = min(most, *(place.tables for place in places))
        while waiting and len(matches) < most:
            duel = waiting.popleft()
            match = OpenMatch(self._terms, duel, room, self._draw_number())
            matches[duel.number] = match
            for place in places:
                place.open_match(match)
            seat = match.skip_forced(match.sheet.state)
            assert seat is not None
            places[seat].queue.append(match)

    def _close(self, match: OpenMatch, reason: str, forfeits: Place | None = None) -> None:
        self._end_match(match, reason)
        record = match.sheet.record(forfeits.seat if forfeits else None)
        self._record(match.duel, match.room, record, match.slowest)
        if not (forfeits and forfeits.out):
            self._open_matches()

    def _end_match(self, match: OpenMatch, reason: str) -> None:
        del self._matches[match.room][match.duel.number]
        closed = Closed(match.number, reason, match.sheet.match.score)
        for place in self._rooms[match.room]:
            place.close_match(match, closed)
            if place.failure and not place.suspects:
                self._end_asking_again(place, place.failure)

    def _record(
        self,
        duel: Duel,
        room: int,
        record: MatchRecord,
        slowest: Iterable[Timing | None] = (None, None),
    ) -> None:
        unfinished = self._unfinished[duel.number]
        unfinished.records[room] = record
        unfinished.slowest = [
            max(filter(None, pair), default=None)
            for pair in zip(unfinished.slowest, slowest, strict=True)
        ]
        opened, closed = unfinished.records
        if opened and closed:
            del self._unfinished[duel.number]
            first, second = unfinished.slowest
            faults = tuple(unfinished.faults)
            self._pass_on(DuelResult(duel, (opened, closed), faults, (first, second)))

    def _void(self, duel: Duel, reason: str) -> None:
        if duel.number not in self._unfinished:
            return
        del self._unfinished[duel.number]
        for room in ROOMS:
            match = self._matches[room].get(duel.number)
            if match:
                self._end_match(match, VOIDED)
            elif duel in self._waiting[room]:
                self._waiting[room].remove(duel)
        self._pass_on(Voided(duel, reason))
        self._open_matches()

    # Places

    def _restart(self, place: Place) -> None:
        if place.failures < MOST_FAILURES and place.losses < MOST_FAILURES:
            place.restart()

    def _has_work(self, room: int) -> bool:
        return bool(self._matches[room] or self._waiting[room])


def _to_decide(place: Place) -> int:
    if place.out or place.leaving or not place.ready:
        return -1
    return len(place.suspects or place.queue)


def _note_timeout(place: Place, match: OpenMatch, failure: Failure) -> None:
    """Count the time of a decision that was never made, as of one that was."""
    if failure.seconds and match.sheet.state.actor == place.seat:
        match.note_time(failure.seconds)


def _canonical(match: OpenMatch) -> int:
    return match.duel.number
