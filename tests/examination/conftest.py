"""Faults of tiny bots, as they come out of real sessions without a sandbox."""

import asyncio
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from referee.arena.duel import Duel, DuelResult
from referee.arena.fault import Fault, StartFailure
from referee.arena.limits import Terms, TimeLimits
from referee.bots.digest import bundle_digest
from referee.bots.manifest import read_manifest
from referee.bots.seating import SeatedBot
from referee.engine.record import SeededDeal
from referee.engine.registry import preset
from referee.examination.fault_bundle import bundle_of, write_bundle
from referee.rpc.sessions import play_session
from referee.sandbox.mounts import Runtime
from tests.examination.plain import PlainLauncher

if TYPE_CHECKING:
    from referee.arena.session import Outcome

TINY = str(Path(__file__).with_name("tiny_bots.py"))
SEED = bytes(range(32))
TERMS = Terms(preset("euchre").game(), TimeLimits(decision=3.0, ready=60.0), tables=1)
MANIFEST = """
name = "tiny"
version = "1.2"
author = "Nobody"
language = "python"
run = ["python", "tiny_bots.py"]
games = ["euchre"]
"""


class CausedFault(NamedTuple):
    """A fault, and who made it."""

    misbehaviour: str
    terms: Terms
    fault: Fault | StartFailure


@cache
def fault_of(misbehaviour: str, terms: Terms = TERMS) -> CausedFault:
    """Return the fault of a bot that misbehaves in a session."""
    outcomes: list[Outcome] = []
    launcher = PlainLauncher(TINY, misbehaviour, other=(TINY, "nothing"))
    duels = [Duel(n, SeededDeal(SEED, f"fault {n}"), n % 4) for n in range(1)]
    asyncio.run(play_session(terms, duels, launcher, outcomes.append))
    (outcome,) = outcomes
    if isinstance(outcome, StartFailure):
        return CausedFault(misbehaviour, terms, outcome)
    assert isinstance(outcome, DuelResult)
    return CausedFault(misbehaviour, terms, min(outcome.faults, key=lambda fault: fault.room))


@pytest.fixture
def entrant(tmp_path: Path) -> SeatedBot:
    return seated_bot(tmp_path / "tiny")


def seated_bot(directory: Path) -> SeatedBot:
    directory.mkdir()
    (directory / "bot.toml").write_text(MANIFEST)
    runtime = Runtime("python", (), (), {}, (), "")
    return SeatedBot(read_manifest(directory), directory, runtime)


def written(made: CausedFault, entrant: SeatedBot, directory: Path) -> Path:
    digest = bundle_digest(entrant.bundle)
    return write_bundle(directory, bundle_of(made.fault, entrant, made.terms, digest))
