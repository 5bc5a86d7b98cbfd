"""Leagues whose pairs are chosen round by round say so, and not how many duels there could be."""

from pathlib import Path

from referee.arena.limits import Terms
from referee.store.leagues import create_league
from referee.store.models import Plan
from referee.store.opening import open_store
from tests.cli.leagues import NOW
from tests.table import euchre
from tests.web import scenes


def test_a_league_of_rounds_says_how_many_duels_a_round_has(
    open_place: Path, tmp_path: Path
) -> None:
    place = scenes.copied(open_place, tmp_path / "copy")
    with open_store(str(place)) as store, scenes.client(store) as asks:
        plan = Plan(Terms(euchre()), 4096, 16, round_duels=4)
        create_league(store, "swiss", plan, [], NOW)
        page = asks.get("/leagues/swiss/").text
    assert "rounds of 4 duels a pair" in page
    assert "4096 duels per pairing" not in page
