"""The deals by which the first of two bots lost most, and where the rooms parted in them."""

from collections.abc import Iterable, Iterator
from heapq import nsmallest
from operator import itemgetter
from typing import Final, NamedTuple

from typing_extensions import TypedDict

from referee.engine.seating import entrant_at
from referee.league.duel_names import duel_name
from referee.ratings.points import hand_margins
from referee.reports.deals import AnyDeal, every_deal
from referee.reports.duels import DuelLine
from referee.reports.replays import replay

_MOST: Final = 5


class ChoiceReport(TypedDict):
    """What was done in one room where the rooms parted."""

    room: str
    bot: str
    says: str
    """The action as a card player tells it."""


class RoomsParted(TypedDict):
    """The first decision of a deal that is not the same in all rooms."""

    seat: str
    decision: str
    """What was to be decided (``trick 3``)."""
    choices: list[ChoiceReport]


class CostlyDeal(TypedDict):
    """A deal that the first bot lost points by."""

    duel: str
    hand: int
    """From 1."""
    margin: float
    """What it won by it, in points; less than 0."""
    parted: RoomsParted


def costly_deals(duels: Iterable[DuelLine]) -> list[CostlyDeal]:
    """Return the deals that cost the first bot most, the worst first."""
    return [_report(deal) for deal in nsmallest(_MOST, _lost(duels), key=itemgetter(0))]


class _Lost(NamedTuple):
    margin: float
    line: DuelLine
    hand: int
    """From 0."""


def _lost(duels: Iterable[DuelLine]) -> Iterator[_Lost]:
    for line in duels:
        for hand, margin in enumerate(hand_margins(line.rooms)):
            if margin < 0:
                yield _Lost(margin, line, hand)


def _report(lost: _Lost) -> CostlyDeal:
    line = lost.line
    matches = [replay(room, record, line.names) for room, record in enumerate(line.rooms)]
    return {
        "duel": duel_name(line.duel.key),
        "hand": lost.hand + 1,
        "margin": lost.margin,
        "parted": _parted(line, every_deal(matches, line.rooms)[lost.hand]),
    }


def _parted(line: DuelLine, deal: AnyDeal) -> RoomsParted:
    assert deal.parting  # what is played alike costs nobody anything
    steps = [hand["steps"][deal.parting - 1] for _, hand in deal.hands]
    seat = line.game.seats.index(steps[0]["seat"])
    return {
        "seat": line.game.seat_names[seat],
        "decision": steps[0]["decision"],
        "choices": [
            {
                "room": match["room"],
                "bot": line.names[entrant_at(line.game, room, seat)],
                "says": step["says"],
            }
            for room, ((match, _), step) in enumerate(zip(deal.hands, steps, strict=True))
        ],
    }
