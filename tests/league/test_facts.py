"""What is true of a league is counted by the store, and is the same as in its table."""

from dataclasses import fields
from pathlib import Path

import pytest

from referee.arena.limits import MOST_VOIDS
from referee.league.table import LeagueFacts, league_facts, league_table
from referee.ratings.stopping import Until
from referee.scheduling.keys import DuelKey
from referee.store.leagues import withdraw
from referee.store.opening import open_store
from tests.cli.leagues import ADA, BERT, NOW, write_league

VOIDS = [DuelKey(1, 2, 1)] * MOST_VOIDS + [DuelKey(1, 2, 0)]


@pytest.mark.slow
@pytest.mark.parametrize("until", [None, Until(0.95, "rating", adaptive=True)])
def test_facts_are_those_of_the_table(tmp_path: Path, until: Until | None) -> None:
    place = tmp_path / "upcard.db"
    write_league(place, (ADA, BERT, ("cleo", "1")), voids=VOIDS, until=until)
    with open_store(str(place)) as store:
        withdraw(store, "club", 3, NOW)
        found, table = league_facts(store, "club"), league_table(store, "club")
        for field in fields(LeagueFacts):
            assert getattr(found, field.name) == getattr(table, field.name), field.name
        assert (table.stored, table.played, table.unplayed) == (10, 2, [DuelKey(1, 2, 1)])
