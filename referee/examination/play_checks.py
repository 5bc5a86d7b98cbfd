"""Checks a bot in each game it plays: every kind of decision, and whole matches."""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from itertools import count
from time import monotonic
from typing import Final, NamedTuple

from referee.arena.duel import Duel
from referee.arena.fault import Violation
from referee.arena.player import PLAYED
from referee.engine.cards import Seat
from referee.engine.game import Game
from referee.engine.record import Scoresheet, SeededDeal
from referee.engine.registry import Preset
from referee.examination.asking import Asker, Due, at_tables
from referee.examination.positions import AskedPosition, examined_seat, positions
from referee.examination.report_card import Check, CheckOutcome, Examiner

_EACH: Final = 12
"""Moments of each kind."""
_MATCHES: Final = 8
_ENOUGH: Final = 8.0
"""Seconds after which a slow bot has shown enough of its play in a game."""
_SEED: Final = bytes(32)


async def decision_checks(
    examiner: Examiner, preset: Preset, report: Callable[[Check], None]
) -> None:
    """Ask about every kind of decision."""
    game = preset.game()
    kinds = _grouped(positions(preset, examined_seat(game), _EACH))
    began, tables = monotonic(), count(1)

    async def ask_about(moments: Sequence[AskedPosition], asker: Asker) -> CheckOutcome:
        is_slow = monotonic() - began + examiner.slowest * len(moments) > _ENOUGH
        dues = at_tables(moments[::_EACH] if is_slow else moments, tables)
        return await _asked_about(asker, dues, examiner.tables)

    scenarios = [
        (f"{preset.name}: {kind}", partial(ask_about, moments)) for kind, moments in kinds.items()
    ]
    await examiner.check(game, examined_seat(game), scenarios, report)


def _grouped(kinds: dict[str, list[AskedPosition]]) -> dict[str, list[AskedPosition]]:
    """Put all tricks together."""
    grouped: dict[str, list[AskedPosition]] = {}
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


class _Match(NamedTuple):
    """A match, and the bot in all of its seats."""

    number: int
    duel: Duel
    sheet: Scoresheet

    def to_act(self) -> Seat | None:
        """Make the moves that leave no choice; return who is to decide."""
        while len(self.sheet.state.legal) == 1:
            self.sheet.play(self.sheet.state.legal[0])
        return self.sheet.state.actor


async def whole_matches(examiner: Examiner, preset: Preset) -> Check:
    """Play whole matches with the bot in all seats."""
    name, game = f"{preset.name}: whole matches", preset.game()
    async with examiner.start_all(game) as bots:
        greeted = await asyncio.gather(
            *(examiner.greet(bot, game, seat) for seat, bot in enumerate(bots))
        )
        for seat, wrong in enumerate(greeted):
            if wrong:
                return examiner.record(name, _at_seat(game, seat, wrong), bots[seat])
        matches = _matches(game, examiner.tables)
        seat, outcome = await _played(game, [Asker(bot) for bot in bots], matches)
        for bot in bots:
            examiner.slowest = max(examiner.slowest, bot.slowest)
        return examiner.record(name, outcome, bots[seat])


def _matches(game: Game, most: int) -> list[_Match]:
    matches = []
    for number in range(1, 1 + min(_MATCHES, most)):
        duel = Duel(number, SeededDeal(_SEED, f"match {number}"), game.first_dealer(number))
        matches.append(_Match(number, duel, Scoresheet(game, duel.first_dealer, duel.dealt)))
    return matches


def _at_seat(game: Game, seat: Seat, violation: Violation) -> Violation:
    return violation._replace(explanation=f"{game.seat_names[seat]}: {violation.explanation}")


async def _played(
    game: Game, askers: Sequence[Asker], matches: Sequence[_Match]
) -> tuple[Seat, CheckOutcome]:
    """Play until every match is over, or enough was seen."""
    wanted, decisions, began = len(matches), 0, monotonic()
    while matches and monotonic() - began < _ENOUGH:
        to_act = [(match, match.to_act()) for match in matches]
        seats = range(len(askers))
        asked = [[match for match, acts in to_act if acts == seat] for seat in seats]
        answers = await asyncio.gather(*map(_asked, askers, seats, asked))
        for seat, choices in enumerate(answers):
            if isinstance(choices, Violation):
                return seat, _at_seat(game, seat, choices)
            decisions += len(choices)
            for match, choice in zip(asked[seat], choices, strict=True):
                match.sheet.play(match.sheet.state.legal[choice])
        matches = _without_finished(askers, matches)
    done = wanted - len(matches)
    rest = f" in {_ENOUGH:g} s; the others were left there" if matches else ""
    return 0, f"{done} of {wanted} played out, {decisions} decisions, all legal{rest}"


async def _asked(asker: Asker, seat: Seat, matches: Sequence[_Match]) -> list[int] | Violation:
    dues = [Due(t.number, t.duel.seed(seat), t.sheet.match, t.sheet.state) for t in matches]
    return await asker.ask(dues) if dues else []


def _without_finished(askers: Sequence[Asker], matches: Sequence[_Match]) -> list[_Match]:
    going_on = []
    for match in matches:
        if match.to_act() is not None:
            going_on.append(match)
            continue
        for asker in askers:
            asker.close(match.number, PLAYED, match.sheet.match.score)
    return going_on
