"""Which entrants of a league play alike: how many hands two of them played in the same way."""

from collections import Counter
from collections.abc import Iterable

from typing_extensions import TypedDict

from referee.engine.record import MatchRecord
from referee.league.table import LeagueTable
from referee.store.models import StoredDuel
from referee.store.play import unpacked
from referee.text import plain


class AlikeReport(TypedDict):
    """How alike two entrants play."""

    entrants: tuple[str, str]
    numbers: tuple[int, int]
    """Of the two, in the league."""
    identical: int
    """Hands in which every call and card was the same in both rooms."""
    hands: int
    """Hands that were dealt in both rooms."""
    share: float


def clones(
    table: LeagueTable, duels: Iterable[StoredDuel], least: float = 0.0
) -> list[AlikeReport]:
    """Return the pairings that played at least such a share of their hands alike, the most first.

    In one room A sits where B sits in the other, so two that always decide alike play every hand
    of a duel in the same way in both rooms.
    """
    identical: Counter[tuple[int, int]] = Counter()
    hands: Counter[tuple[int, int]] = Counter()
    for duel in duels:
        pairing = duel.key.first, duel.key.second
        alike, dealt = hands_alike(unpacked(duel.play, table.league.dealt(duel.key)))
        identical[pairing] += alike
        hands[pairing] += dealt
    shares = {pairing: identical[pairing] / count for pairing, count in hands.items() if count}
    order = sorted(shares, key=lambda pairing: (-shares[pairing], pairing))
    return [
        {
            "entrants": (plain(table.names[first]), plain(table.names[second])),
            "numbers": (first, second),
            "identical": identical[first, second],
            "hands": hands[first, second],
            "share": shares[first, second],
        }
        for first, second in order
        if shares[first, second] >= least
    ]


def hands_alike(rooms: tuple[MatchRecord, MatchRecord]) -> tuple[int, int]:
    """Return in how many hands both rooms played alike, of how many dealt in both."""
    hands = list(zip(rooms[0].hands, rooms[1].hands, strict=False))
    return sum(one.actions == other.actions for one, other in hands), len(hands)
