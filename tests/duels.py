"""Duels for tests, and sessions in which void ones are played again, as a league does it."""

from collections.abc import Callable, Sequence

from referee.arena.duel import Duel, Voided
from referee.arena.limits import MOST_VOIDS, Terms
from referee.arena.session import Outcome
from referee.engine.record import SeededDeal
from referee.rpc.launcher import Launcher
from referee.rpc.sessions import play_session


def numbered_duels(seed: bytes, label: str, count: int) -> list[Duel]:
    """Return duels with decks of their own; the first deal goes around."""
    return [Duel(n, SeededDeal(seed, f"{label} {n}"), n % 4) for n in range(count)]


async def play_until_sound(
    terms: Terms, duels: Sequence[Duel], launcher: Launcher, finished: Callable[[Outcome], None]
) -> None:
    """Play duels, and those that are void again, as often as a league would."""
    for _ in range(MOST_VOIDS):
        outcomes: list[Outcome] = []
        await play_session(terms, duels, launcher, outcomes.append)
        for outcome in outcomes:
            finished(outcome)
        duels = [outcome.duel for outcome in outcomes if isinstance(outcome, Voided)]
        if not duels:
            return
