"""Who can be entered into a league."""

from pathlib import Path

import pytest

from referee.errors import ConfigError
from referee.league import entries
from referee.store.bots import add_bot
from referee.store.database import Store
from referee.store.opening import open_store
from tests.store import scenes
from tests.store.scenes import NOW


def stocked(store: Store, directory: Path) -> list[str]:
    files = scenes.bundle(directory / "bundle")
    names = ["ada", "bert", "cleo"]
    for number, name in enumerate(names, start=1):
        add_bot(store, scenes.bot(number, name), files)
    return names


def test_there_is_an_end_to_how_many_a_league_is_made_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entries, "MOST_ENTRANTS", 2)
    with open_store(str(tmp_path / "upcard.db"), create=True) as store:
        names = stocked(store, tmp_path)
        with pytest.raises(ConfigError, match="at most 2 entrants"):
            entries.start_league(store, "cup", scenes.plan(), names, NOW)


def test_there_is_an_end_to_how_many_enter_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entries, "MOST_ENTRANTS", 2)
    with open_store(str(tmp_path / "upcard.db"), create=True) as store:
        *first, last = stocked(store, tmp_path)
        entries.start_league(store, "cup", scenes.plan(), first, NOW)
        with pytest.raises(ConfigError, match="at most 2 entrants"):
            entries.add_entrant(store, "cup", last)
