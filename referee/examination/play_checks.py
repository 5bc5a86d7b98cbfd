"""What a bot is examined for in each game it plays: every kind of decision, and whole matches."""

import asyncio
from collections.abc import Callable, Sequence
from time import monotonic
from typing import Final, NamedTuple

from referee.arena.duel import Duel
from referee.arena.player import PLAYED
from referee.engine.cards import SEAT_NAMES, SEATS, Seat
from referee.engine.record import Scoresheet, SeededDeal
from referee.engine.registry import Preset
from referee.examination.asking import Asker, Due, at_tables
from referee.examination.positions import Position, positions
from referee.examination.report_card import Check, CheckOutcome, Examiner
from referee.rpc.judging import Violation

_SEAT: Final = 2
_EACH: Final = 12
"""Moments of each kind."""
_MATCHES: Final = 8
_ENOUGH: Final = 8.0
"""Seconds after which a slow bot has shown enough of its play in a game."""
_SEED: Final = bytes(32)


async def decision_lines(desk: Examiner, preset: Preset, report: Callable[[Check], None]) -> None:
    """Ask about every kind of decision; who fails at one is started again for the next."""
    kinds = _grouped(positions(preset, _SEAT, _EACH))
    began, first = monotonic(), 1
    while kinds:
        async with desk.seated(_SEAT) as talk:
            refused = await desk.greet(talk, preset.game(), _SEAT)
            asker = Asker(talk)
            for kind in list(kinds):
                moments = kinds.pop(kind)
                if monotonic() - began + desk.slowest * len(moments) > _ENOUGH:
                    moments = moments[::_EACH]
                dues = at_tables(moments, first)
                first += len(dues)
                outcome = refused or await _asked_about(asker, dues, desk.tables)
                report(desk.mark(f"{preset.name}: {kind}", outcome, talk))
                if isinstance(outcome, Violation):
                    break


def _grouped(kinds: dict[str, list[Position]]) -> dict[str, list[Position]]:
    """Put all tricks together."""
    grouped: dict[str, list[Position]] = {}
    tricks = [kind for kind in kinds if kind.startswith("trick ")]
    for kind, moments in kinds.items():
        name = f"tricks 1 to {len(tricks)}" if kind in tricks else kind
        grouped.setdefault(name, []).extend(moments)
    return grouped


async def _asked_about(asker: Asker, dues: Sequence[Due], most: int) -> CheckOutcome:
    for number in range(0, len(dues), most):
        choices = await asker.ask(dues[number : number + most])
        if isinstance(choices, Violation):
            return choices
        asker.close_all()
    return f"{len(dues)} decisions, all legal"


class _Table(NamedTuple):
    """A match, and the bot in all four of its seats."""

    number: int
    duel: Duel
    sheet: Scoresheet

    def to_act(self) -> Seat | None:
        """Make the moves that leave no choice; give who is to decide."""
        while len(self.sheet.state.legal) == 1:
            self.sheet.play(self.sheet.state.legal[0])
        return self.sheet.state.actor


async def whole_matches(desk: Examiner, preset: Preset) -> Check:
    """Let the bot play whole matches in all four seats."""
    name, game = f"{preset.name}: whole matches", preset.game()
    async with desk.four() as talks:
        greeted = await asyncio.gather(*(desk.greet(t, game, n) for n, t in enumerate(talks)))
        for seat, wrong in enumerate(greeted):
            if wrong:
                return desk.mark(name, _at(seat, wrong), talks[seat])
        seat, outcome = await _played([Asker(talk) for talk in talks], _tables(preset, desk.tables))
        for talk in talks:
            desk.slowest = max(desk.slowest, talk.slowest)
        return desk.mark(name, outcome, talks[seat])


def _tables(preset: Preset, most: int) -> list[_Table]:
    game, tables = preset.game(), []
    for number in range(1, 1 + min(_MATCHES, most)):
        duel = Duel(number, SeededDeal(_SEED, f"match {number}"), number % 4)
        tables.append(_Table(number, duel, Scoresheet(game, duel.first_dealer, duel.dealt)))
    return tables


def _at(seat: Seat, misdeed: Violation) -> Violation:
    return misdeed._replace(explanation=f"{SEAT_NAMES[seat]}: {misdeed.explanation}")


async def _played(askers: Sequence[Asker], tables: Sequence[_Table]) -> tuple[Seat, CheckOutcome]:
    """Play until every match is over, or it has been enough."""
    matches, decisions, began = len(tables), 0, monotonic()
    while tables and monotonic() - began < _ENOUGH:
        to_act = [(table, table.to_act()) for table in tables]
        asked = [[table for table, acts in to_act if acts == seat] for seat in SEATS]
        answers = await asyncio.gather(*map(_asked, askers, SEATS, asked))
        for seat, choices in enumerate(answers):
            if isinstance(choices, Violation):
                return seat, _at(seat, choices)
            decisions += len(choices)
            for table, choice in zip(asked[seat], choices, strict=True):
                table.sheet.play(table.sheet.state.legal[choice])
        tables = _without_finished(askers, tables)
    done = matches - len(tables)
    rest = f" in {_ENOUGH:g} s; the others were left there" if tables else ""
    return 0, f"{done} of {matches} played out, {decisions} decisions, all legal{rest}"


async def _asked(asker: Asker, seat: Seat, tables: Sequence[_Table]) -> list[int] | Violation:
    dues = [Due(t.number, t.duel.seed(seat), t.sheet.match, t.sheet.state) for t in tables]
    return await asker.ask(dues) if dues else []


def _without_finished(askers: Sequence[Asker], tables: Sequence[_Table]) -> list[_Table]:
    going_on = []
    for table in tables:
        if table.to_act() is not None:
            going_on.append(table)
            continue
        for asker in askers:
            asker.close(table.number, PLAYED, table.sheet.match.score)
    return going_on
