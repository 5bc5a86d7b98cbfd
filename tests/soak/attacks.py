"""Plays real duels with each known attack, in each mode of the sandbox, plainly and strictly.

The attacker is a bot that runs a program of `tests/hostile/attacks` before its hello, or at its
first turn if that ends it; its opponent is sound. An attack is held if it got nothing and harmed
nobody, if what exceeds a limit is blamed for it, and if the opponent is blamed for nothing.
"""

import json
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from referee.cli.output import print_table
from tests.hostile.test_attacks import BOUNDED, HELD, MEMORY
from tests.sandbox.accounts import Account, ordinary, root

PLAYS: Final = ("plain", "strict")
_TESTS: Final = Path(__file__).parents[1]
_EARLY: Final = {name: ("early", name) for name in (*HELD, *BOUNDED)}
_MEMORY: Final = {f"memory {kind}": ("late", "memory", kind) for kind in MEMORY}
_BLAMED: Final = {
    **{f"bomb {kind}": ("late", "bomb", kind) for kind in ("processes", "threads", "chain")},
    **{f"spin {kind}": ("late", "spin", kind) for kind in ("one", "many", "unawaited")},
    "flood": ("late", "flood"),
}
_LEFT: Final = {f"outlive {kind}": ("late", "outlive", kind) for kind in ("leave", "stay")}
ATTACKS: Final[Mapping[str, tuple[str, ...]]] = {**_EARLY, **_MEMORY, **_BLAMED, **_LEFT}


class Attacked(NamedTuple):
    """What came of an attack in a real duel."""

    name: str
    mode: str
    play: str
    came: Sequence[str]
    """What got through."""
    faults: Sequence[tuple[int, str]]
    """Of the attacker, which is entrant 0, and of its opponent."""
    wrong: str
    """Why it is not held; empty if it is."""


def soak(
    names: Sequence[str], modes: Sequence[str], plays: Sequence[str], *, as_json: bool
) -> bool:
    """Play a duel with each attack, and return whether one was not held."""
    found = list(_played(names, modes, plays))
    if as_json:
        print(json.dumps([each._asdict() for each in found], indent=2))
    else:
        columns = ("attack", "mode", "play", "faults", "")
        print_table("attacks", columns, map(_row, found))
        held = sum(not each.wrong for each in found)
        print(f"{held} of {len(found)} attacks held")
    return any(each.wrong for each in found)


def _row(each: Attacked) -> tuple[str, ...]:
    kinds = sorted({kind for _, kind in each.faults})
    return each.name, each.mode, each.play, ", ".join(kinds), each.wrong


def _played(names: Sequence[str], modes: Sequence[str], plays: Sequence[str]) -> Iterator[Attacked]:
    with TemporaryDirectory(prefix="upcard-attacked-") as place:
        tree = Path(place, "project")
        tree.mkdir()
        Path(place).chmod(0o755)
        known: dict[bool, Account] = {}
        for mode in modes:
            as_root = mode == "root"
            if as_root not in known:
                known[as_root] = root() if as_root else _ordinary(tree)
            for play in plays:
                yield from _session(known[as_root], names, mode, play)


def _ordinary(tree: Path) -> Account:
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(_TESTS / "hostile", tree / "tests" / "hostile", ignore=ignored)
    shutil.copy2(_TESTS / "duels.py", tree / "tests")
    return ordinary(tree)


def _session(account: Account, names: Sequence[str], mode: str, play: str) -> Iterator[Attacked]:
    attacks = json.dumps([ATTACKS[name] for name in names])
    command = account.command("-m", "tests.hostile.attacked_duels", mode, play, attacks)
    with subprocess.Popen(command, cwd="/", stdout=subprocess.PIPE, text=True) as playing:
        assert playing.stdout
        for name in names:
            line = playing.stdout.readline()
            found = json.loads(line) if line else {"came": [], "faults": []}
            why = wrong(name, found) if line else "the referee ended"
            yield Attacked(name, mode, play, found["came"], found["faults"], why)


def wrong(name: str, found: Mapping[str, Any]) -> str:
    """Return why an attack is not held; nothing if it is."""
    is_blamed = any(entrant == 0 for entrant, _ in found["faults"])
    came = [] if name in _MEMORY and is_blamed else found["came"]
    reasons = {
        ", ".join(("no duel was played", *found["voids"])): not found["duels"],
        ", ".join(found["harm"]): found["harm"],
        f"{found['left']} processes outlived the duel": found["left"],
        "its opponent was blamed": any(entrant != 0 for entrant, _ in found["faults"]),
        f"got through: {', '.join(came)}": came,
        "it was not tried": name in _EARLY and not found["verdicts"],
        "it was not blamed": name in _BLAMED and not is_blamed,
    }
    return "; ".join(reason for reason, holds in reasons.items() if holds)
