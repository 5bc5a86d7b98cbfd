"""A hand as a page shows it: who held what, who said what, and the tricks as a table."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from referee.arena.fault import RoomName
from referee.engine.cards import SEAT_NAMES, SEAT_TOKENS
from referee.reports.replays import HandReport, StepReport

SEATS: Final = dict(zip(SEAT_TOKENS, SEAT_NAMES, strict=True))
"""The names of the seats by their tokens."""


class Call(NamedTuple):
    """What was said, or laid away, before the play."""

    step: int
    seat: str
    says: str


class Play(NamedTuple):
    """A card in a trick."""

    step: int
    card: str
    led: bool
    won: bool


class Told(NamedTuple):
    """What was done in one hand."""

    calls: Sequence[Call]
    tricks: Sequence[dict[str, Play]]
    """By the seat that played."""


def told(hand: HandReport) -> Told:
    """Part the steps of a hand into calls and tricks; steps are counted from 1."""
    steps = [*enumerate(hand["steps"], start=1)]
    calls = [
        Call(number, SEATS[step["seat"]], step["says"])
        for number, step in steps
        if "plays" not in step
    ]
    return Told(calls, _tricks([each for each in steps if "plays" in each[1]]))


def _tricks(plays: Sequence[tuple[int, StepReport]]) -> list[dict[str, Play]]:
    tricks: list[dict[str, Play]] = []
    over = True
    for number, step in plays:
        if over:
            tricks.append({})
        tricks[-1][step["seat"]] = Play(number, step["plays"], led=over, won=False)
        over = "takes_trick" in step
        if over:
            winner = step["takes_trick"]
            tricks[-1][winner] = tricks[-1][winner]._replace(won=True)
    return tricks


def place(room: RoomName, hand: int, step: int) -> str:
    """Return the link to a step in the replay of the same page."""
    where = "room=closed&" if room == "closed" else ""
    return f"#{where}hand={hand}&play={step}"
