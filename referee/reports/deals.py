"""Both rooms of a duel side by side: what was done with the same cards, and what came of it."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import NamedTuple

from typing_extensions import TypedDict

from referee.engine.partnerships import PartnershipGame
from referee.engine.record import MatchRecord
from referee.ratings.points import hand_margins
from referee.reports.replays import HandReport, MatchReport, StepReport, replay


class Parting(TypedDict):
    """Where the rooms went apart: up to here all was the same."""

    step: int
    """From 1, in both rooms."""
    seat: str
    decision: str
    open: str
    """What was done in the open room, as a card player tells it."""
    closed: str


class DealReport(TypedDict):
    """One deal in both rooms; a room whose match was over has no hand of it."""

    number: int
    """From 1."""
    open: HandReport | None
    closed: HandReport | None
    parting: Parting | None
    """None where a room did not play it, or both did the same."""
    margin: float | None
    """What A won by it, in points; None if it was not played out in both rooms."""


class BothRooms(TypedDict):
    """The matches of a duel."""

    open: MatchReport
    closed: MatchReport
    deals: list[DealReport]


EveryRoom = BothRooms | list[MatchReport]


def every_room(rooms: Sequence[MatchRecord], names: tuple[str, str]) -> EveryRoom:
    """Return the matches of a duel, side by side where two teams play tricks in two rooms."""
    if isinstance(rooms[0].game, PartnershipGame):
        return both_rooms(rooms, names)
    return [replay(number, record, names) for number, record in enumerate(rooms)]


class AnyDeal(NamedTuple):
    """What was done in all rooms with the same draws, whatever the game."""

    number: int
    """From 1."""
    hands: Sequence[tuple[MatchReport, HandReport]]
    """The rooms in which it was played."""
    parting: int | None
    """The first move, from 1, that is not the same in all of these."""
    margin: float | None
    """What A won by it, in points; None if it was not played out in all rooms."""


def every_deal(matches: Sequence[MatchReport], records: Sequence[MatchRecord]) -> Sequence[AnyDeal]:
    """Return the deals of a duel, from the matches in all of its rooms."""
    margins = hand_margins(records)
    most = max(len(match["hands"]) for match in matches)
    found = []
    for number in range(most):
        hands = [
            (match, match["hands"][number]) for match in matches if number < len(match["hands"])
        ]
        parting = first_difference([hand["steps"] for _, hand in hands])
        margin = margins[number] if number < len(margins) else None
        found.append(AnyDeal(number + 1, hands, parting, margin))
    return found


def first_difference(plays: Sequence[Sequence[StepReport]]) -> int | None:
    """Return the first move, from 1, that is not the same in all; None if there is none."""
    for number, steps in enumerate(zip(*plays, strict=False), start=1):
        if len({step["action"] for step in steps}) > 1:
            return number
    return None


def both_rooms(rooms: Sequence[MatchRecord], names: tuple[str, str]) -> BothRooms:
    """Return both matches of a duel between the two that are called so, A first."""
    opened, closed = (replay(number, record, names) for number, record in enumerate(rooms))
    together = zip_longest(opened["hands"], closed["hands"], hand_margins(rooms))
    return {
        "open": opened,
        "closed": closed,
        "deals": [_deal(number, *deal) for number, deal in enumerate(together, start=1)],
    }


def _deal(
    number: int, opened: HandReport | None, closed: HandReport | None, margin: float | None
) -> DealReport:
    return {
        "number": number,
        "open": opened,
        "closed": closed,
        "parting": _parting(opened["steps"], closed["steps"]) if opened and closed else None,
        "margin": margin,
    }


def _parting(opened: Sequence[StepReport], closed: Sequence[StepReport]) -> Parting | None:
    number = first_difference([opened, closed])
    if number is None:
        return None
    one, other = opened[number - 1], closed[number - 1]
    return {
        "step": number,
        "seat": one["seat"],
        "decision": one["decision"],
        "open": one["says"],
        "closed": other["says"],
    }
