"""What a session owes the bots that sit down to it."""

from pathlib import Path

from referee.arena.limits import Terms
from referee.bots.manifest import Manifest
from referee.league.seating import Entrant, seated
from referee.sandbox.runtimes import find_runtimes
from tests.table import euchre


def entrant(tables: int) -> Entrant:
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
    return Entrant(manifest, Path(), find_runtimes()["python"])


def test_no_bot_sits_at_more_tables_than_its_manifest_says() -> None:
    assert seated(Terms(euchre(), tables=64), (entrant(7), entrant(99))).tables == 7


def test_no_more_tables_are_open_than_was_asked_for() -> None:
    assert seated(Terms(euchre(), tables=3), (entrant(7), entrant(99))).tables == 3
