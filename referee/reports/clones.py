"""Which entrants of a league play alike: how many hands two of them played in the same way."""

from collections import Counter
from collections.abc import Iterable

from typing_extensions import TypedDict

from referee.league.table import LeagueTable
from referee.ratings.points import identical_hands
from referee.store.models import StoredDuel
from referee.store.play import unpacked
from referee.text import plain


class AlikeReport(TypedDict):
    """How alike two entrants play."""

    entrants: tuple[str, str]
    numbers: tuple[int, int]
    """Of the two, in the league."""
    identical: int
    """Hands in which every call and card was the same in all rooms."""
    hands: int
    """Hands that were dealt in all rooms."""
    share: float


def clones(
    table: LeagueTable, duels: Iterable[StoredDuel], least: float = 0.0
) -> list[AlikeReport]:
    """Return the pairings that played at least such a share of their hands alike, the most first.

    The play is read only of duels of which that was not counted when they were stored.
    """
    identical = Counter({pairing: alike for pairing, (alike, _) in table.identical.items()})
    hands = Counter({pairing: count for pairing, (_, count) in table.identical.items()})
    for duel in duels:
        if duel.identical is None:
            rooms = unpacked(duel.play, table.league.dealt(duel.key), table.league.plan.terms.game)
            identical[duel.key[:2]] += identical_hands(rooms)
            hands[duel.key[:2]] += duel.hands
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
