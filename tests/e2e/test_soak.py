"""A few kills of the soak: no matter what is killed, and when, a league comes out the same."""

import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from random import Random
from socket import AF_UNIX, socket

import pytest

from tests.soak.blows import LOCAL_KINDS, Blows
from tests.soak.comparing import stored_differences
from tests.soak.remains import groups, remains
from tests.soak.scene import ROOT, Scene

SPOILT = {
    "was lost": "DELETE FROM duel WHERE id = 1",
    "was played otherwise": "UPDATE duel SET hands = hands + 1 WHERE id = 1",
    "is one too many": "UPDATE duel SET number = number + 9 WHERE id = 1",
}


def test_a_league_is_the_same_though_everybody_in_it_was_killed() -> None:
    # With this seed they are one of each kind, and one league is enough for them.
    asked = ["--kills", "4", "--seed", "9", "--jobs", "1", "--json"]
    ended = subprocess.run(
        [sys.executable, "-m", "tests.soak", *asked],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    told = json.loads(ended.stdout)
    assert told["differences"] == []
    assert (set(told["kills"]), sum(told["kills"].values())) == (set(LOCAL_KINDS), 4)
    assert ended.returncode == 0


def test_a_league_on_a_server_is_the_same_as_in_a_file_though_it_was_killed_as_it_wrote() -> None:
    # With this seed the first is a kill of the coordinator as it sends to the server.
    asked = [sys.executable, "-m", "tests.soak", "--kills", "1", "--seed", "8"]
    ended = subprocess.run(
        [*asked, "--jobs", "1", "--server", "--json"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    told = json.loads(ended.stdout)
    assert (told["kills"], told["differences"]) == ({"commit": 1}, [])
    assert ended.returncode == 0


def test_a_blow_that_has_not_hit_is_drawn_anew_for_the_same_kind() -> None:
    blows = Blows(Random(9))
    before = [blows.draw() for _ in range(20)]
    blows.hit()
    assert len({blow.kind for blow in before}) == 1
    assert len({blow.seconds for blow in before}) == 20
    assert blows.draw().kind != before[0].kind


@pytest.mark.parametrize(("mode", "play"), [("root", "plain"), ("userns", "strict")])
def test_known_attacks_in_real_duels_are_held(mode: str, play: str) -> None:
    attacks = ["--attack", "files", "--attack", "bomb processes"]
    chosen = [*attacks, "--mode", mode, "--play", play, "--json"]
    asked = [sys.executable, "-m", "tests.soak", "--hostile", *chosen]
    ended = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False)
    found = json.loads(ended.stdout)
    assert {each["name"]: each["wrong"] for each in found} == {"files": "", "bomb processes": ""}
    assert {(each["mode"], each["play"]) for each in found} == {(mode, play)}
    assert ended.returncode == 0


def test_partners_who_whisper_in_real_duels_are_not_heard() -> None:
    channel = ["--channel", "record lock"]
    asked = [sys.executable, "-m", "tests.soak", "--hostile", "--duels", "1", *channel, "--json"]
    ended = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False)
    found = json.loads(ended.stdout)
    assert [(each["duels"], each["bits_a_turn"]) for each in found] == [(1, 0.0)] * 2
    assert ended.returncode == 0


@pytest.mark.parametrize("what", SPOILT)
def test_what_is_not_the_same_is_noticed(calm: Scene, tmp_path: Path, what: str) -> None:
    spoilt = calm.copy(tmp_path / "spoilt")
    with closing(sqlite3.connect(spoilt.store)) as store, store:
        store.execute(SPOILT[what])
    assert any(what in told for told in stored_differences(calm, spoilt))


@pytest.mark.parametrize("what", ["a directory", "a socket", "a file"])
def test_what_is_left_lying_about_is_noticed(fresh: Scene, tmp_path: Path, what: str) -> None:
    scene = fresh.copy(tmp_path / "left")
    with socket(AF_UNIX) as left:
        if what == "a socket":
            left.bind(str(scene.loose / "s"))
        else:
            (scene.loose / "d" if what == "a directory" else scene.place / "f").mkdir()
        assert remains(scene, ()) != []
    assert remains(fresh, ()) == []


def test_a_control_group_is_left_over_unless_it_was_there_before(
    fresh: Scene, tmp_path: Path
) -> None:
    with subprocess.Popen(["true"]) as process:
        process.wait()
    # Not among the real ones, which every referee of this machine sweeps.
    (tmp_path / f"upcard-{process.pid}-seat").mkdir()
    found, older = (
        remains(fresh, {process.pid}, before, tmp_path) for before in ((), {*groups(tmp_path)})
    )
    assert (len(found), older) == (1, [])
