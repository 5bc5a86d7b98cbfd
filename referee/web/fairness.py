"""What makes a league fair, and how far, in few enough words for one line."""

from collections.abc import Sequence
from typing import NamedTuple

from referee.engine.dealing import commitment
from referee.league.table import LeagueTable
from referee.store.models import Isolation


class Fairness(NamedTuple):
    """How fair a league is."""

    commitment: str | None
    """To the first of its seeds; None before there is one."""
    seeds: int
    seed_out: bool
    enforced: int
    """How many guarantees of the sandbox held in every duel."""
    guarantees: int
    voids: int
    unplayed: int


def fairness(table: LeagueTable) -> Fairness:
    """Return how fair a league is."""
    epochs = table.league.epochs
    held = [held for held, _ in table.isolations]
    names = {each["name"] for one in held for each in one.guarantees}
    return Fairness(
        commitment(epochs[0].seed) if epochs else None,
        len(epochs),
        bool(epochs) and epochs[0].out,
        sum(_always_enforced(name, held) for name in names),
        len(names),
        len(table.voids),
        len(table.unplayed),
    )


def _always_enforced(name: str, held: Sequence[Isolation]) -> bool:
    return all(
        any(each["name"] == name and each["level"] == "enforced" for each in one.guarantees)
        for one in held
    )
