"""Plays real duels in which partners whisper to each other by every channel that is known.

One entrant's North sets a random bit at each of its turns, and its South reads a number at each of
its own. Both write down what they did and when; from that the bits that arrived are counted, as
`upcard doctor --channels` counts them. It fails for a channel that is not listed in
`tests/hostile/test_channels.py`, and for a duel that could not be played.
"""

import asyncio
import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final, NamedTuple

from referee.arena.duel import DuelResult
from referee.arena.limits import Terms, TimeLimits
from referee.bots.manifest import Manifest
from referee.bots.seating import BotLauncher, SeatedBot
from referee.cli.output import print_table
from referee.engine.cards import Seat
from referee.engine.registry import PRESETS
from referee.sandbox.channels.primitives import CACHES, CORE, PRIMITIVES
from referee.sandbox.launcher import Sandboxes
from referee.sandbox.measurement import (
    BEAT_SECONDS,
    KNOWN_BITS,
    channel_capacity,
    write_bundle,
    wrong_predictions,
)
from referee.sandbox.runtimes import find_runtimes
from tests.duels import numbered_duels, play_until_sound
from tests.hostile.test_channels import KNOWN

if TYPE_CHECKING:
    from referee.arena.session import Outcome

PLAYERS: Final = Path(__file__).parents[1] / "hostile" / "players"
ENOUGH: Final = 2
"""Duels for each channel, in which partners have a hundred turns."""
LIMITS: Final = TimeLimits(decision=30.0, ready=120.0)
_NORTH, _SOUTH = (0, 0), (0, 2)
"""Entrant and seat of who sends and of who receives."""


class Whispered(NamedTuple):
    """What came of a channel in real duels."""

    name: str
    play: str
    bits: int
    errors: int
    bits_a_turn: float
    duels: int
    is_known: bool

    @property
    def is_failure(self) -> bool:
        """Whether bits got through that should not, or nothing was played."""
        return not self.duels or (self.bits_a_turn > 0 and not self.is_known)


def soak(names: Sequence[str], duels: int, *, as_json: bool) -> int:
    """Play with each channel, plainly and strictly, and return the exit code."""
    found = [
        each for play in ("plain", "strict") for each in asyncio.run(_played(names, play, duels))
    ]
    if as_json:
        print(json.dumps([each._asdict() for each in found], indent=2))
    else:
        columns = ("channel", "play", "bits", "wrong", "bits a turn", "")
        print_table("whispers", columns, map(_row, found))
    return any(each.is_failure for each in found)


def _row(each: Whispered) -> tuple[str, ...]:
    verdict = "FAILED" if each.is_failure else ("known" if each.bits_a_turn else "")
    wrong = str(each.errors) if each.bits else "refused"
    return each.name, each.play, str(each.bits), wrong, f"{each.bits_a_turn:.2f}", verdict


async def _played(names: Sequence[str], play: str, duels: int) -> list[Whispered]:
    with TemporaryDirectory(prefix="upcard-whispers-") as place:
        bundle = write_bundle(Path(place))
        for name in ("wire.py", "whispering.py"):
            shutil.copy2(PLAYERS / name, bundle)
            (bundle / name).chmod(0o644)
        async with Sandboxes.open() as sandboxes:
            return [await _whispered(sandboxes, bundle, name, play, duels) for name in names]


async def _whispered(
    sandboxes: Sandboxes, bundle: Path, name: str, play: str, duels: int
) -> Whispered:
    output: dict[tuple[int, int], bytes] = {}
    outcomes: list[Outcome] = []

    def copied(entrant: int, seat: Seat) -> Callable[[bytes], None]:
        def add(piece: bytes) -> None:
            output[entrant, seat] = output.get((entrant, seat), b"") + piece

        return add

    players = (_bot(bundle, name), _bot(bundle, "nothing"))
    launcher = BotLauncher(sandboxes, players, output=copied)
    terms = Terms(PRESETS["euchre"].game(), LIMITS, tables=1)
    if play == "strict":
        terms = terms._replace(beat=BEAT_SECONDS)
    await play_until_sound(
        terms, numbered_duels(bytes(32), "whispers", duels), launcher, outcomes.append
    )
    sound = sum(isinstance(outcome, DuelResult) for outcome in outcomes)
    bits, numbers = pairs(output.get(_NORTH, b""), output.get(_SOUTH, b""))
    mode = sandboxes.mode
    known = PRIMITIVES[name].needs in {CORE, CACHES} or (mode, play) in KNOWN.get(name, ())
    count = len(bits) - KNOWN_BITS
    if count <= 0 or len(set(bits[:KNOWN_BITS])) == 1:
        return Whispered(name, play, 0, 0, 0.0, sound, known)
    errors = wrong_predictions(bits, numbers)
    return Whispered(name, play, count, errors, channel_capacity(errors, count), sound, known)


def _bot(bundle: Path, channel: str) -> SeatedBot:
    manifest = Manifest(
        name="whispering",
        version="1",
        author="hostile",
        language="python",
        runtime="python",
        run=("python", "whispering.py", channel),
        build=(),
        result=(),
        games=("euchre",),
        tables=1,
        demo=False,
        memory_mib=256,
    )
    return SeatedBot(manifest, bundle, find_runtimes()["python"])


def pairs(sent: bytes, received: bytes) -> tuple[list[int], list[float]]:
    """Return the bits that were set all the time while a number was received, and these numbers."""
    bits, numbers = [], []
    entries = sorted([*_entries(sent, "bit"), *_entries(received, "number")])
    for index in range(1, len(entries)):
        before, entry = entries[index - 1 : index + 1]
        after = entries[index + 1] if index + 1 < len(entries) else None
        is_first = (before.kind, entry.kind) == ("bit", "number") and before.end < entry.begin
        if is_first and not (after and after.begin < entry.end):
            bits.append(int(before.value))
            numbers.append(entry.value)
    return bits, numbers


class _Entry(NamedTuple):
    begin: int
    end: int
    kind: str
    value: float


def _entries(output: bytes, kind: str) -> Iterator[_Entry]:
    for line in output.decode().splitlines():
        words = line.split()
        if len(words) == 3 and words[0].isdigit():
            yield _Entry(int(words[0]), int(words[2]), kind, float(words[1]))
