"""Plays a duel with each attack that it is given, and prints a line of JSON for each.

It is run as the user that the mode is for, from a copy of the project.
"""

import asyncio
import json
import os
import shutil
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.arena.duel import DuelResult, Voided
from referee.arena.fault import StartFailure
from referee.arena.limits import Terms, TimeLimits
from referee.bots.manifest import Manifest
from referee.bots.seating import BotLauncher, SeatedBot
from referee.engine.registry import PRESETS
from referee.sandbox.launcher import Sandboxes
from referee.sandbox.limits import SandboxLimits
from referee.sandbox.measurement import BEAT_SECONDS
from referee.sandbox.runtimes import find_runtimes
from tests.duels import numbered_duels, play_until_sound
from tests.hostile.referee_process import CANARY, MODES, Stakes, left_of

if TYPE_CHECKING:
    from referee.arena.session import Outcome

PLAYERS = Path(__file__).parent / "players"
MEMORY_MIB = 128
LIMITS = TimeLimits(decision=10.0, ready=300.0)
"""Some attacks never end, and are ended by the first."""
TARGET = 1
"""Points of a match: an attack takes one turn of each process, and strict play 50 ms for each."""


def bot(bundle: Path, *run: str) -> SeatedBot:
    manifest = Manifest(
        name=run[0].removesuffix(".py"),
        version="1",
        author="hostile",
        language="python",
        runtime="python",
        run=("python", *run),
        build=(),
        result=(),
        games=("euchre",),
        tables=1,
        demo=False,
        memory_mib=MEMORY_MIB,
    )
    return SeatedBot(manifest, bundle, find_runtimes()["python"])


async def duel(
    sandboxes: Sandboxes, stakes: Stakes, number: int, play: str, attack: list[str]
) -> dict[str, Any]:
    """Play an attacker against a sound bot, and return what came of it."""
    bundle = stakes.bundle(SandboxLimits(memory_mib=MEMORY_MIB), number)
    for name in ("attacking.py", "player.py", "wire.py"):
        shutil.copy2(PLAYERS / name, bundle)
    outcomes: list[Outcome] = []
    output: dict[tuple[int, int], bytes] = {}

    def copied(entrant: int, seat: int) -> Callable[[bytes], None]:
        def add(piece: bytes) -> None:
            output[entrant, seat] = (output.get((entrant, seat), b"") + piece)[-1 << 16 :]

        return add

    entrants = bot(bundle, "attacking.py", *attack), bot(bundle, "player.py", "sound", "10")
    launcher = BotLauncher(sandboxes, entrants, min(os.sched_getaffinity(0)), copied)
    terms = Terms(PRESETS["euchre"].game({"target": TARGET}), LIMITS, tables=1)
    if play == "strict":
        terms = terms._replace(beat=BEAT_SECONDS)
    duels = numbered_duels(bytes(32), "attacks", 1)
    await play_until_sound(terms, duels, launcher, outcomes.append)
    results = [outcome for outcome in outcomes if isinstance(outcome, DuelResult)]
    failed = [outcome for outcome in outcomes if isinstance(outcome, StartFailure)]
    lines = [line for each in output.values() for line in each.decode(errors="replace").split("\n")]
    verdicts = [json.loads(line) for line in lines if line.startswith('{"came"')]
    return {
        "duels": len(results) + len(failed),
        "voids": [outcome.reason for outcome in outcomes if isinstance(outcome, Voided)],
        "faults": [
            *([fault.entrant, fault.kind] for each in results for fault in each.faults),
            *([failure.entrant, failure.kind] for failure in failed),
        ],
        "verdicts": len(verdicts),
        "came": sorted({name for verdict in verdicts for name in verdict["came"]}),
        "harm": [*stakes.harm(), *(["the secret was seen"] if CANARY in "".join(lines) else [])],
        "left": len(left_of(f"{stakes.name}-outlives")),
    }


async def main(mode: str, play: str, attacks: list[list[str]]) -> None:
    with ExitStack() as closing:
        stakes = Stakes(closing)
        async with Sandboxes.open(MODES[mode]) as sandboxes:
            for number, attack in enumerate(attacks):
                found = await duel(sandboxes, stakes, number, play, attack)
                print(json.dumps(found), flush=True)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], json.loads(sys.argv[3])))
