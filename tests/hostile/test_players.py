"""Bots that misbehave at the table: each is held, blamed for what it did, and harms nobody else."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from referee.arena.duel import DuelResult, Voided
from referee.arena.fault import Fault, StartFailure
from referee.arena.limits import Policy, Terms, TimeLimits
from referee.bots.manifest import Manifest
from referee.bots.seating import BotLauncher, SeatedBot
from referee.engine.record import replay
from referee.sandbox import cgroups
from referee.sandbox.cgroups import Cgroups
from referee.sandbox.launcher import Files, Sandboxes
from referee.sandbox.private_files import PrivateFiles
from referee.sandbox.runtimes import find_runtimes
from referee.sandbox.sandbox import Sandbox
from tests.duels import numbered_duels, play_until_sound
from tests.processes import runs
from tests.table import euchre

if TYPE_CHECKING:
    from referee.arena.session import Outcome

PLAYERS = Path(__file__).parent / "players"
Meet = Callable[..., "Played"]
"""As `play`."""
DUELS = 2
LIMITS = TimeLimits(decision=3.0, ready=60.0)
"""So much that on no machine a sound bot overruns it, and that the referee is hardly ever late."""

BLAMED = {
    "silent": "decision_timeout",
    "mute": "never_ready",
    "absent": "never_ready",
    "slow": "decision_timeout",
    "late": "decision_timeout",
    "illegal": "illegal_action",
    "garbage": "malformed_message",
    "noise": "never_ready",
    "giant": "malformed_message",
    "flooding": "protocol_error",
    "twice": "protocol_error",
    "elsewhere": "protocol_error",
    "uneven": "malformed_message",
    "impostor": "protocol_error",
    "rehello": "protocol_error",
    "forward": "protocol_error",
    "crash_at_once": "crashed",
    "crash_after_hello": "crashed",
    "crash_bidding": "crashed",
    "crash_playing": "crashed",
    "crash_off_turn": "crashed",
    "exit_zero": "disconnected",
    "hang_up": "disconnected",
    "hog_memory": "memory_limit",
    "fork_bomb": "process_limit",
}
"""What each is blamed for."""


class Played(NamedTuple):
    """What came of a session."""

    results: list[DuelResult]
    """Of what was void, through a machine that was late, that of the time it was played again."""
    output: dict[tuple[int, int], bytes]
    never_started: list[StartFailure]

    @property
    def faults(self) -> list[Fault | StartFailure]:
        """All that went wrong through a bot's fault."""
        return [*(fault for result in self.results for fault in result.faults), *self.never_started]

    def blamed(self, entrant: int) -> set[str]:
        """The kinds of fault an entrant is blamed for."""
        return {fault.kind for fault in self.faults if fault.entrant == entrant}


def player(name: str, limits: TimeLimits) -> SeatedBot:
    """Return a bot of this folder: what it does in `player.py`, or in a program named before it."""
    program, _, act = name.rpartition(":")
    manifest = Manifest(
        name=act,
        version="1",
        author="hostile",
        language="python",
        runtime="python",
        run=("python", f"{program or 'player'}.py", act, str(limits.decision)),
        build=(),
        result=(),
        games=("euchre",),
        tables=256,
        demo=False,
        memory_mib=128,
    )
    return SeatedBot(manifest, PLAYERS, find_runtimes()["python"])


def play(
    entrants: Sequence[str],
    limits: TimeLimits = LIMITS,
    duels: int = DUELS,
    forfeit_at: int = 1,
    launcher: Callable[..., BotLauncher] = BotLauncher,
    files: Files | PrivateFiles = "private",
    target: int = 10,
) -> Played:
    """Play two bots in the real sandbox, again if the machine was too busy to judge them."""
    terms = Terms(euchre(target=target), limits, Policy(forfeit_at))
    while True:
        played = _play_once(entrants, terms, duels, launcher, files)
        if played.never_started or len(played.results) == duels:
            return played


def _play_once(
    entrants: Sequence[str],
    terms: Terms,
    duels: int,
    launcher: Callable[..., BotLauncher],
    files: Files | PrivateFiles,
) -> Played:
    outcomes: list[Outcome] = []

    async def session() -> dict[tuple[int, int], bytes]:
        async with Sandboxes.open(files=files) as sandboxes:
            first, second = (player(name, terms.limits) for name in entrants)
            output: dict[tuple[int, int], bytes] = {}

            def copied(entrant: int, seat: int) -> Callable[[bytes], None]:
                def add(piece: bytes) -> None:
                    output[entrant, seat] = output.get((entrant, seat), b"") + piece

                return add

            seating = launcher(sandboxes, (first, second), output=copied)
            meeting = numbered_duels(bytes(32), "hostile", duels)
            await play_until_sound(terms, meeting, seating, outcomes.append)
        return output

    output = asyncio.run(session())
    voids = [outcome.reason for outcome in outcomes if isinstance(outcome, Voided)]
    assert [why for why in voids if not why.startswith("the referee was ")] == []
    return Played(
        [outcome for outcome in outcomes if isinstance(outcome, DuelResult)],
        output,
        [outcome for outcome in outcomes if isinstance(outcome, StartFailure)],
    )


@pytest.mark.parametrize("name", BLAMED)
def test_it_is_blamed_for_what_it_did_and_nobody_else_is(name: str, meet: Meet) -> None:
    # Who does nothing is waited for.
    waits = BLAMED[name] == "never_ready"
    played = meet((name, "sound"), LIMITS._replace(ready=10.0) if waits else LIMITS, duels=1)
    assert (played.blamed(0), played.blamed(1)) == ({BLAMED[name]}, set())
    assert all(list(replay(record)) is not None for r in played.results for record in r.rooms)


@pytest.mark.parametrize("opponent", ["sound", "unhurried"])
def test_a_thread_that_spins_is_found_however_fast_the_opponent_is(
    opponent: str, meet: Meet
) -> None:
    played = meet(("spinner", opponent))
    assert (played.blamed(0), played.blamed(1)) == ({"cpu_limit"}, set())


@pytest.mark.parametrize("opponent", ["sound", "unhurried"])
def test_who_computes_off_turn_is_blamed_for_that_or_for_being_late_through_it(
    opponent: str, meet: Meet
) -> None:
    played = meet(("busy_off_turn", opponent))
    assert played.blamed(1) == set()
    assert played.blamed(0)
    assert played.blamed(0) <= {"cpu_limit", "decision_timeout"}


def test_who_computes_in_processes_nobody_waits_for_is_blamed_without_a_control_group(
    monkeypatch: pytest.MonkeyPatch, meet: Meet
) -> None:
    monkeypatch.setattr(cgroups, "find", lambda: Cgroups("none", "there is none", {}))
    played = meet(("unawaited", "unhurried"))
    assert played.blamed(1) == set()
    assert played.blamed(0)
    assert played.blamed(0) <= {"cpu_limit", "decision_timeout"}


def test_who_makes_its_memory_slow_to_count_is_blamed_without_a_control_group(
    monkeypatch: pytest.MonkeyPatch, meet: Meet
) -> None:
    monkeypatch.setattr(cgroups, "find", lambda: Cgroups("none", "there is none", {}))
    played = meet(("sharing", "sound"))
    assert (played.blamed(0), played.blamed(1)) == ({"memory_limit"}, set())


def test_who_sends_too_much_at_once_is_blamed_for_that_or_for_leaving_when_grpc_hangs_up(
    meet: Meet,
) -> None:
    played = meet(("colossal", "sound"))
    assert played.blamed(1) == set()
    assert played.blamed(0)
    assert played.blamed(0) <= {"crashed", "disconnected", "protocol_error"}


def test_two_sound_bots_are_blamed_for_nothing(meet: Meet) -> None:
    played = meet(("sound", "sound"))
    assert (played.blamed(0), played.blamed(1)) == (set(), set())


class WatchedLauncher(BotLauncher):
    """Remembers which processes of the first room were left at each start in the second."""

    def __init__(self, *given: Any, **named: Any) -> None:  # noqa: ANN401 (as of the other)
        super().__init__(*given, **named)
        self.started: list[Sandbox] = []
        self.left: list[list[int]] = []

    async def start(self, entrant: int, seat: int, socket: Path, token: str) -> Sandbox:
        first = self.started[:4]
        if len(first) == 4:
            self.left.append([each.pid for each in first if each.pid and runs(each.pid)])
        sandbox = await super().start(entrant, seat, socket, token)
        self.started.append(sandbox)
        return sandbox


def test_no_process_of_the_second_room_is_started_before_all_of_the_first_have_ended(
    meet: Meet,
) -> None:
    launchers: list[WatchedLauncher] = []

    def watched(*given: Any, **named: Any) -> WatchedLauncher:  # noqa: ANN401 (as of the launcher)
        launchers.append(WatchedLauncher(*given, **named))
        return launchers[-1]

    played = meet(("stays", "stays"), launcher=watched)
    assert (played.blamed(0), played.blamed(1)) == (set(), set())
    assert [launcher.left[:4] for launcher in launchers] == [[[]] * 4] * len(launchers)


def test_a_second_stream_is_refused_and_costs_nothing(meet: Meet) -> None:
    played = meet(("second_stream", "sound"))
    assert played.blamed(0) == set()
    assert {*played.output[0, 0].splitlines()} == {b"refused"}


def test_a_crash_leaves_its_last_words(meet: Meet) -> None:
    played = meet(("crash_at_once", "sound"))
    assert b"RuntimeError: before the hello" in played.faults[0].evidence.output  # type: ignore[attr-defined]


def test_who_thinks_within_its_limit_is_safe_beside_fifty_busy_processes(meet: Meet) -> None:
    played = meet(("busy_off_turn", "thinker"), LIMITS._replace(decision=1.0), duels=1)
    assert played.blamed(1) == set()
