"""Plays duels in sessions, a block at a time, and plays those again that nobody is to blame for."""

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Final

from referee.arena.duel import Duel, DuelResult, Voided
from referee.arena.limits import Terms
from referee.arena.session import Outcome
from referee.engine.record import SeededDeal
from referee.rpc.hall import play_session
from referee.rpc.launcher import Launcher

BLOCK: Final = 128
"""Duels in a session."""
MOST_VOIDS: Final = 3
"""After so many a duel stays unplayed."""


def numbered_duels(seed: bytes, label: str, count: int) -> list[Duel]:
    """Give the duels of a pairing; each has decks of its own, and the first deal goes around."""
    return [Duel(n, SeededDeal(seed, f"{label} {n}"), n % 4) for n in range(count)]


async def play_duels(
    terms: Terms,
    duels: Iterable[Duel],
    launcher: Callable[[], Launcher],
    finished: Callable[[Outcome], None],
) -> None:
    """Play all duels; a void one is handed on only when it was void too often."""
    waiting = iter(duels)
    while block := list(islice(waiting, BLOCK)):
        await _play_block(terms, block, launcher, finished)


async def _play_block(
    terms: Terms,
    block: Sequence[Duel],
    launcher: Callable[[], Launcher],
    finished: Callable[[Outcome], None],
) -> None:
    for _ in range(MOST_VOIDS):
        voided: list[Voided] = []

        def note(outcome: Outcome, voided: list[Voided] = voided) -> None:
            if isinstance(outcome, DuelResult):
                finished(outcome)
            else:
                voided.append(outcome)

        await play_session(terms, block, launcher(), note)
        if not voided:
            return
        block = sorted((void.duel for void in voided), key=lambda duel: duel.number)
    for void in voided:
        finished(void)
