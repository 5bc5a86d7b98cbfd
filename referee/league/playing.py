"""Plays duels in sessions, a block at a time, and plays those again that nobody is to blame for."""

from collections.abc import Callable, Iterable, Sequence
from itertools import islice

from referee.arena.duel import Duel, DuelResult, Voided
from referee.arena.limits import MOST_VOIDS, Terms
from referee.arena.session import Outcome
from referee.engine.record import SeededDeal
from referee.rpc.launcher import Launcher
from referee.rpc.sessions import play_session
from referee.scheduling.round_robin import LARGEST_VISIT


def numbered_duels(seed: bytes, label: str, count: int) -> list[Duel]:
    """Return the duels of a pairing; each has decks of its own, and the first deal goes around."""
    return [Duel(n, SeededDeal(seed, f"{label} {n}"), n % 4) for n in range(count)]


async def play_duels(
    terms: Terms,
    duels: Iterable[Duel],
    launcher: Launcher,
    finished: Callable[[Outcome], None],
    voided: Callable[[Voided], None],
) -> None:
    """Play all duels; one that is void is handed to `voided` and played again.

    After the third time it goes to `finished` as it is.
    """
    waiting = iter(duels)
    while block := list(islice(waiting, LARGEST_VISIT)):
        await _play_block(terms, block, launcher, finished, voided)


async def _play_block(
    terms: Terms,
    block: Sequence[Duel],
    launcher: Launcher,
    finished: Callable[[Outcome], None],
    voided: Callable[[Voided], None],
) -> None:
    for time in range(1, MOST_VOIDS + 1):
        outcomes: list[Outcome] = []

        def note(
            outcome: Outcome, outcomes: list[Outcome] = outcomes, last: bool = time == MOST_VOIDS
        ) -> None:
            outcomes.append(outcome)
            if last or isinstance(outcome, DuelResult):
                finished(outcome)
            else:
                voided(outcome)

        await play_session(terms, block, launcher, note)
        again = [outcome.duel for outcome in outcomes if isinstance(outcome, Voided)]
        if not again:
            return
        block = sorted(again, key=lambda duel: duel.number)
