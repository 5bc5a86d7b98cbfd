"""A league played in parts by processes, one of them killed, is one that was run."""

import signal
import subprocess
from pathlib import Path
from shutil import copytree

from referee.league.shards import deal_league
from referee.league.table import LeagueTable, league_table
from referee.store.backups import backup
from referee.store.epochs import OpeningChoices
from referee.store.log import entries
from referee.store.models import Plan
from referee.store.opening import open_store
from tests.cli.bots import UPCARD, Ran, environment, run
from tests.league.real import SEED, TERMS, make, sound, store_of
from tests.league.tasks import bots_as_tasks
from tests.waiting import until

BOTS = {"one": sound(0), "two": sound(1), "three": sound(2)}


def fine(ran: Ran) -> None:
    assert ran.code == 0, ran.err


def kill_in_the_middle(place: Path, *words: str) -> None:
    """Kill a shard as soon as some of its duels are in its file."""
    file = place / "1.jsonl"
    playing = subprocess.Popen([*UPCARD, *words], cwd=place, env=environment())
    until(lambda: file.exists() and file.read_bytes().count(b"\n") > 2)
    playing.send_signal(signal.SIGKILL)
    playing.wait()


def outcome(place: Path) -> tuple[LeagueTable, dict[str, str]]:
    """Return the table of a league, and the digest of each duel, as the log has it."""
    with open_store(str(place / "upcard.db")) as store:
        found = [entry.body for entry in entries(store, "spring") if entry.kind == "duel"]
        digests = {str(body["duel"]): body["digest"] for body in found}
        assert len(digests) == len(found)
        return league_table(store, "spring"), digests


def test_a_league_that_is_played_in_shards_is_one_that_was_run(tmp_path: Path) -> None:
    parts, whole = tmp_path / "parts", tmp_path / "whole"
    parts.mkdir()
    with store_of(parts, BOTS) as store:
        make(store, [*BOTS], Plan(TERMS, 4, 2))
        deal_league(store, "spring", OpeningChoices(None, SEED))
        backup(store, parts / "copy")
    copytree(parts, whole)
    shard = "league", "play", "--db", "copy/upcard.db", "--jobs", "1"
    first = *shard, "--shard", "1/2", "--out", "1.jsonl"
    kill_in_the_middle(parts, *first)
    (parts / "partial.jsonl").write_bytes((parts / "1.jsonl").read_bytes()[:-7])
    # What was killed were processes; what goes on is compared with it.
    with bots_as_tasks():
        fine(run(parts, *first))
        fine(run(parts, *shard, "--shard", "2/2", "--out", "2.jsonl"))
        for files in (("partial.jsonl", "2.jsonl"), ("1.jsonl", "2.jsonl", "1.jsonl")):
            fine(run(parts, "league", "import", *files))
        fine(run(whole, "league", "run", "--jobs", "1"))

    (ours, our_digests), (theirs, their_digests) = outcome(parts), outcome(whole)
    assert our_digests == their_digests
    assert (ours.standings, ours.league.state) == (theirs.standings, "complete")
    assert ours.isolations == theirs.isolations
