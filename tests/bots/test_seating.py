"""What a session owes the bots that sit down to it."""

from pathlib import Path

from referee.arena.limits import Terms
from referee.bots.manifest import Manifest
from referee.bots.seating import SeatedBot, limited_to_bots
from referee.sandbox.runtimes import find_runtimes
from tests.table import euchre


def entrant(tables: int) -> SeatedBot:
    manifest = Manifest(
        name="any",
        version="1",
        author="any",
        language="python",
        runtime="python",
        run=("python", "bot.py"),
        build=(),
        result=(),
        games=("euchre",),
        tables=tables,
        demo=False,
        memory_mib=None,
    )
    return SeatedBot(manifest, Path(), find_runtimes()["python"])


def test_no_bot_sits_at_more_tables_than_its_manifest_says() -> None:
    assert limited_to_bots(Terms(euchre(), tables=64), (entrant(7), entrant(99))).tables == 7


def test_no_more_tables_are_open_than_was_asked_for() -> None:
    assert limited_to_bots(Terms(euchre(), tables=3), (entrant(7), entrant(99))).tables == 3
