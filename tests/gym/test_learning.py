"""The example of a program that learns does learn, and its bot plays by what it learnt."""

import json
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from referee.bots.manifest import read_manifest
from upcard.encoding import EUCHRE_V0

RESEARCH = Path(__file__).parents[2] / "examples_research"
LESSONS = 400
MATCHES = 40
Loaded = Any
"""The examples are no package: their types are checked where they are."""


@pytest.fixture(scope="module")
def learn() -> Iterator[Loaded]:
    with pytest.MonkeyPatch.context() as patch:
        # A bot is all that its directory holds, so nothing is left there.
        patch.setattr(sys, "dont_write_bytecode", True)
        patch.syspath_prepend(RESEARCH)
        yield import_module("learn")
        for name in ("learn", "network"):
            del sys.modules[name]


@pytest.fixture(scope="module")
def network(learn: Loaded) -> Loaded:
    return learn.learn(learn.RandomBot, LESSONS)


def test_after_some_hundred_hands_it_beats_random(learn: Loaded, network: Loaded) -> None:
    won = learn.matches_won(network, learn.RandomBot, MATCHES)
    assert won > 0.75 * MATCHES


def test_the_bot_values_actions_as_the_network_does(
    network: Loaded,
    tmp_path: Path,
) -> None:
    network.write(tmp_path / "weights.json")
    bot = loaded(RESEARCH / "learner" / "bot.py").Learner()
    bot.weights = json.loads((tmp_path / "weights.json").read_text())
    for observation in np.random.default_rng(0).integers(0, 2, (20, EUCHRE_V0.size), np.uint8):
        # The weights are written with four decimals.
        assert np.allclose(bot.worth(observation.tobytes()), network.worth(observation), atol=0.02)


def test_it_writes_a_whole_bot(
    learn: Loaded,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "argv", ["learn.py", "--hands", "20", "--out", str(tmp_path / "mine")])
    monkeypatch.setattr(learn, "MATCHES", 1)
    learn.main()
    assert read_manifest(tmp_path / "mine").run == ("python", "bot.py")
    assert len(json.loads((tmp_path / "mine" / "weights.json").read_text())) == 4
    assert "learnt by 20 hands; won" in capsys.readouterr().out


def loaded(path: Path) -> Loaded:
    spec = spec_from_file_location(f"learner_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    found = module_from_spec(spec)
    spec.loader.exec_module(found)
    return found
