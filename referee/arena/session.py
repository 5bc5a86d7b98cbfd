"""All duels of one pairing played at once: tables are opened, asked, closed and written down."""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from typing import Final

from referee.arena import fault
from referee.arena.duel import Duel, DuelResult, Timing, Voided
from referee.arena.fault import Failing, Fault, FaultKind
from referee.arena.limits import MOST_FAILURES, Terms
from referee.arena.open_match import OpenMatch
from referee.arena.place import Place
from referee.arena.player import FORFEITED, PLAYED, VOIDED, Closed, Player
from referee.engine.cards import Action, team
from referee.engine.record import MatchRecord, Scoresheet

ROOMS: Final = (0, 1)
TICK: Final = 0.02
"""Seconds from one tick to the next."""
_LATE_ANYWAY: Final = 0.005
"""Seconds a tick may be late on a machine that has other things to do."""

Outcome = DuelResult | Voided


class _Paper:
    """What is written down of a duel so far."""

    def __init__(self) -> None:
        self.records: list[MatchRecord | None] = [None, None]
        self.faults: list[Fault] = []
        self.slowest: list[Timing | None] = [None, None]


class Session:
    """Eight places, and the duels they play."""

    def __init__(
        self,
        terms: Terms,
        duels: Sequence[Duel],
        clock: Callable[[], float],
        draw_number: Callable[[], int],
        finished: Callable[[Outcome], None],
    ) -> None:
        """Take what to play; each duel is handed to `finished` when it is over."""
        self._terms = terms
        self._bank = terms.limits.bank
        self._clock = clock
        self._draw_number = draw_number
        self._finished = finished
        self._papers = {duel.number: _Paper() for duel in duels}
        self._duels = {duel.number: duel for duel in duels}
        self._waiting = (deque(duels), deque(duels))
        self._tables: tuple[dict[int, OpenMatch], dict[int, OpenMatch]] = ({}, {})
        """By room and number of the duel."""
        self._rooms: tuple[list[Place], list[Place]] = ([], [])
        """By room and seat."""
        self._ticked = clock()

    @property
    def over(self) -> bool:
        """Whether every duel has been handed on."""
        return not self._papers

    def place(self, player: Callable[[Place], Player], entrant: int, seat: int) -> Place:
        """Seat a player."""
        place = Place(entrant, seat, team(seat) ^ entrant)
        place.player = player(place)
        room = self._rooms[place.room]
        room.append(place)
        room.sort(key=attrgetter("seat"))
        return place

    # What happens

    def started(self, place: Place) -> None:
        """Learn that a process runs; from now on it has to get ready."""
        place.started = True
        place.since = self._clock()

    def joined(self, place: Place, tables: int) -> None:
        """Learn that a process is ready to sit at so many tables."""
        place.join(tables, list(self._tables[place.room].values()))
        self._settled(place)
        self._open_tables()

    def answered(self, place: Place, turns: Sequence[int], choices: Sequence[int]) -> None:
        """Learn a piece of an answer: for each turn, which of the legal actions."""
        if self._clock() - self._ticked > TICK + _LATE_ANYWAY:
            self.tick()  # so that a delay of ours, before anybody has looked at it, is given back
        if place.out or not place.ready:
            return
        if place.too_many_messages():
            self.failed(place, fault.PROTOCOL_ERROR, fault.MORE_THAN_TURNS)
            return
        now = self._clock()
        seconds: float | None = None
        for turn, choice in zip(turns, choices, strict=True):
            table = place.open.pop(turn, None)
            if table is None:
                if place.settled_before(turn):
                    continue
                self.failed(place, fault.PROTOCOL_ERROR, fault.not_asked(turn))
                return
            if seconds is None:
                seconds = place.piece(now) / (1 + sum(other in place.open for other in turns))
                table.timed(seconds)
            self._decided(place, table, choice, seconds, turn)
        if not place.open:
            self._settled(place)

    def failed(self, place: Place, kind: FaultKind, explanation: str, seconds: float = 0.0) -> None:
        """Learn that a bot's process cannot go on, through a fault of its own."""
        if place.out or not self._has_work(place.room):
            return
        failing = Failing(kind, explanation, place.player.evidence(), seconds)
        place.failures += 1
        asked = sorted(place.open.values(), key=_canonical)
        place.open.clear()
        culprit: OpenMatch | None = None
        if place.failing:
            culprit = (asked or place.suspects)[0]
        elif len(asked) > 1:
            place.failing, place.suspects = failing, asked
        elif asked:
            (culprit,) = asked
        self._start_again(place)
        if place.failures >= MOST_FAILURES:
            self._forfeit_room(place, failing, culprit)
        elif place.failing:
            if culprit:
                self._resolve(place, culprit, failing)
        else:
            self._first_pays(place, culprit, failing)

    def leaves(self, place: Place) -> None:
        """Learn that a bot is gone; how, and so whose fault it is, follows in a moment."""
        place.leaving = True

    def lost(self, place: Place, reason: str) -> None:
        """Learn that a process is gone through nobody's fault."""
        if place.out or not self._has_work(place.room):
            return
        place.losses += 1
        place.suspects, place.held, place.failing = [], [], None
        duels = [table.duel for table in self._tables[place.room].values()]
        if place.losses >= MOST_FAILURES:
            place.out = True
            duels += self._waiting[place.room]
        for duel in duels:
            self._void(duel, reason)
        self._start_again(place)

    def tick(self) -> None:
        """Look at all clocks; to be called every `TICK`."""
        now = self._clock()
        late = now - self._ticked - TICK
        late = late if late > _LATE_ANYWAY else 0.0
        self._ticked = now
        for place in (*self._rooms[0], *self._rooms[1]):
            if place.out or place.leaving or not self._has_work(place.room):
                continue
            if not place.ready:
                if place.started:
                    self._await_ready(place, now, late)
            elif place.open:
                self._await_answer(place, now, late)
            elif place.idles_too_busily(now):
                self.failed(place, fault.CPU_LIMIT, fault.COMPUTED_UNASKED)

    def wind_up(self) -> None:
        """Begin no duel any more; those that are being played in either room are played to the end.

        Of the others nothing is heard.
        """
        begun = {*self._tables[0], *self._tables[1]}
        begun.update(n for n, paper in self._papers.items() if any(paper.records))
        self._papers = {n: paper for n, paper in self._papers.items() if n in begun}
        for waiting in self._waiting:
            for duel in [each for each in waiting if each.number not in begun]:
                waiting.remove(duel)
        self._open_tables()

    def deal_out(self) -> None:
        """Ask in each room the place with most to decide, unless another is still thinking."""
        now = self._clock()
        for room in self._rooms:
            if not any(place.open for place in room):
                asked = max(room, key=_to_decide)
                if _to_decide(asked) > 0:
                    if self._terms.beat:
                        asked.player.thaw()
                    asked.deal_out(now)

    def _settled(self, place: Place) -> None:
        if self._terms.beat:
            place.player.freeze()

    # Clocks

    def _await_ready(self, place: Place, now: float, late: float) -> None:
        limit = self._terms.limits.ready
        if place.is_late_to_start(now, late, limit):
            self.failed(place, fault.NEVER_READY, fault.no_hello_within(limit))

    def _await_answer(self, place: Place, now: float, late: float) -> None:
        limits = self._terms.limits
        overrun = place.overrun(now, late, limits)
        if overrun is None:
            return
        if overrun.blameless:
            for table in list(place.open.values()):
                self._void(table.duel, overrun.blameless)
            self._settled(place)
            return
        explanation = fault.no_decision_within(limits.decision)
        self.failed(place, fault.DECISION_TIMEOUT, explanation, place.elapsed(now))

    # Decisions

    def _decided(
        self, place: Place, table: OpenMatch, choice: int, seconds: float, turn: int
    ) -> None:
        legal = table.sheet.state.legal
        if choice >= len(legal):
            explanation = fault.no_such_action(choice, len(legal))
            failing = Failing(fault.ILLEGAL_ACTION, explanation, place.player.evidence())
        elif self._bank and not table.charge(seconds, self._terms.limits.increment):
            explanation = "used up its time for the match"
            failing = Failing(fault.BANK_EMPTY, explanation, place.player.evidence())
        elif place.failing is None:
            self._play(table, legal[choice])
            return
        else:
            self._hold(place, table, choice)
            return
        if place.failing:
            self._resolve(place, table, failing)
        else:
            self._pay(place, table, failing, turn)

    def _play(self, table: OpenMatch, action: Action) -> None:
        seat = table.play(action)
        if seat is None:
            self._close(table, PLAYED)
        else:
            self._rooms[table.room][seat].queue.append(table)

    # Asking again

    def _hold(self, place: Place, table: OpenMatch, choice: int) -> None:
        place.held.append((table, choice))
        place.suspects.remove(table)
        if not place.suspects and place.failing:
            self._end_asking_again(place, place.failing)

    def _end_asking_again(self, place: Place, failing: Failing) -> None:
        """Nobody failed again: let the first pay, if it was not made void meanwhile."""
        if place.held:
            self._resolve(place, place.held[0][0], failing)
        else:
            place.failing = None

    def _resolve(self, place: Place, culprit: OpenMatch, failing: Failing) -> None:
        """Make one match pay; the other answers count, and what was not asked again waits."""
        held = [(table, choice) for table, choice in place.held if table is not culprit]
        place.queue += [table for table in place.suspects if table is not culprit]
        place.suspects, place.held, place.failing = [], [], None
        self._pay(place, culprit, failing)
        for table, choice in held:
            self._play(table, table.sheet.state.legal[choice])

    # What a fault costs

    def _first_pays(self, place: Place, culprit: OpenMatch | None, failing: Failing) -> None:
        tables, waiting = self._tables[place.room], self._waiting[place.room]
        if culprit is None and tables:
            culprit = min(tables.values(), key=_canonical)
        if culprit:
            self._pay(place, culprit, failing)
        else:
            self._forfeit_unopened(place, waiting.popleft(), failing)

    def _pay(self, place: Place, table: OpenMatch, failing: Failing, turn: int = 0) -> None:
        _note_timeout(place, table, failing)
        table.faults[place.entrant] += 1
        forfeits = table.faults[place.entrant] >= self._terms.policy.forfeit_at
        self._note_fault(place, table.duel, failing, table.sheet.match.hand, forfeits=forfeits)
        place.player.tell_fault(failing.kind, table.number, turn, failing.explanation)
        state = table.sheet.state
        if forfeits:
            self._close(table, FORFEITED, place)
        elif state.actor == place.seat:
            place.forget(table)
            self._play(table, state.legal[0])

    def _forfeit_room(self, place: Place, failing: Failing, culprit: OpenMatch | None) -> None:
        place.out = True
        place.suspects, place.held, place.failing = [], [], None
        rest = f"failed {MOST_FAILURES} times, and so forfeits what is left of its room"
        # The match at fault comes first; where nobody knows which, the first one has to stand in.
        tables = sorted(
            self._tables[place.room].values(), key=lambda at: (at is not culprit, _canonical(at))
        )
        for table in tables:
            _note_timeout(place, table, failing)
            self._note_fault(place, table.duel, failing, table.sheet.match.hand)
            self._close(table, FORFEITED, place)
            failing = failing._replace(explanation=rest, seconds=0.0)
        waiting = self._waiting[place.room]
        while waiting:
            self._forfeit_unopened(place, waiting.popleft(), failing)
            failing = failing._replace(explanation=rest)
        self._open_tables()

    def _forfeit_unopened(self, place: Place, duel: Duel, failing: Failing) -> None:
        self._note_fault(place, duel, failing, hand=0)
        sheet = Scoresheet(self._terms.game, duel.first_dealer, duel.dealt)
        self._write(duel, place.room, sheet.record(place.seat))

    def _note_fault(
        self, place: Place, duel: Duel, failing: Failing, hand: int, *, forfeits: bool = True
    ) -> None:
        self._papers[duel.number].faults.append(
            Fault(
                failing.kind,
                place.entrant,
                place.seat,
                place.room,
                duel.number,
                hand,
                failing.explanation,
                forfeits,
                failing.evidence,
            )
        )

    # Tables

    def _open_tables(self) -> None:
        if not self._terms.beat:
            for room in ROOMS:
                self._open_up_to(room, self._terms.tables)
        elif not any(self._tables):
            behind = max(ROOMS, key=lambda room: len(self._waiting[room]))
            self._open_up_to(behind, 1)
        for room in ROOMS:
            if not self._has_work(room):
                self._send_to_rest(room)

    def _send_to_rest(self, room: int) -> None:
        """Let nobody compute whose room is finished: the other one is still played."""
        for place in self._rooms[room]:
            place.player.freeze()

    def _open_up_to(self, room: int, most: int) -> None:
        places, tables, waiting = self._rooms[room], self._tables[room], self._waiting[room]
        most = min(most, *(place.tables for place in places))
        while waiting and len(tables) < most:
            duel = waiting.popleft()
            table = OpenMatch(self._terms, duel, room, self._draw_number())
            tables[duel.number] = table
            for place in places:
                place.sit_down(table)
            seat = table.go_on(table.sheet.state)
            assert seat is not None
            places[seat].queue.append(table)

    def _close(self, table: OpenMatch, reason: str, forfeits: Place | None = None) -> None:
        self._get_up(table, reason)
        record = table.sheet.record(forfeits.seat if forfeits else None)
        self._write(table.duel, table.room, record, table.slowest)
        if not (forfeits and forfeits.out):
            self._open_tables()

    def _get_up(self, table: OpenMatch, reason: str) -> None:
        del self._tables[table.room][table.duel.number]
        closed = Closed(table.number, reason, table.sheet.match.score)
        for place in self._rooms[table.room]:
            place.get_up(table, closed)
            if place.failing and not place.suspects:
                self._end_asking_again(place, place.failing)

    def _write(
        self,
        duel: Duel,
        room: int,
        record: MatchRecord,
        slowest: Iterable[Timing | None] = (None, None),
    ) -> None:
        paper = self._papers[duel.number]
        paper.records[room] = record
        paper.slowest = [
            max(filter(None, pair), default=None)
            for pair in zip(paper.slowest, slowest, strict=True)
        ]
        opened, closed = paper.records
        if opened and closed:
            del self._papers[duel.number]
            first, second = paper.slowest
            faults = tuple(paper.faults)
            self._finished(DuelResult(duel, (opened, closed), faults, (first, second)))

    def _void(self, duel: Duel, reason: str) -> None:
        if duel.number not in self._papers:
            return
        del self._papers[duel.number]
        for room in ROOMS:
            table = self._tables[room].get(duel.number)
            if table:
                self._get_up(table, VOIDED)
            elif duel in self._waiting[room]:
                self._waiting[room].remove(duel)
        self._finished(Voided(duel, reason))
        self._open_tables()

    # Places

    def _start_again(self, place: Place) -> None:
        if place.failures < MOST_FAILURES and place.losses < MOST_FAILURES:
            place.start_again(self._clock())
            place.player.restart()

    def _has_work(self, room: int) -> bool:
        return bool(self._tables[room] or self._waiting[room])


def _to_decide(place: Place) -> int:
    if place.out or place.leaving or not place.ready:
        return -1
    return len(place.suspects or place.queue)


def _note_timeout(place: Place, table: OpenMatch, failing: Failing) -> None:
    """Count the time of a decision that was never made, as of one that was."""
    if failing.seconds and table.sheet.state.actor == place.seat:
        table.timed(failing.seconds)


def _canonical(table: OpenMatch) -> int:
    return table.duel.number
