import signal
import subprocess
import sys
from pathlib import Path

import pytest

from referee.errors import ConfigError
from referee.sandbox import slots
from referee.sandbox.slots import SLOTS, Slots, free_base, subordinate_ids

ALL = [range(1 << 32)]


@pytest.fixture
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slots, "SLOTS", 3)


@pytest.mark.usefixtures("_few")
def test_slots_of_one_referee_differ(tmp_path: Path) -> None:
    mine = Slots(1000, tmp_path / "slots")
    assert {mine.acquire() for _ in range(3)} == {(0, 1000), (1, 1001), (2, 1002)}


@pytest.mark.usefixtures("_few")
def test_slots_of_two_referees_differ(tmp_path: Path) -> None:
    one, other = (Slots(1000, tmp_path / "slots") for _ in range(2))
    assert {one.acquire().number, other.acquire().number, one.acquire().number} == {0, 1, 2}


def test_order_of_slots_is_random(tmp_path: Path) -> None:
    one, other = (Slots(1000, tmp_path / name) for name in ("one", "other"))
    assert [one.acquire() for _ in range(8)] != [other.acquire() for _ in range(8)]


@pytest.mark.usefixtures("_few")
def test_slot_that_was_released_is_free(tmp_path: Path) -> None:
    one, other = (Slots(1000, tmp_path / "slots") for _ in range(2))
    for slot in [one.acquire() for _ in range(3)]:
        one.release(slot)
    assert len({other.acquire() for _ in range(3)}) == 3


@pytest.mark.usefixtures("_few")
def test_slots_of_a_closed_referee_are_free(tmp_path: Path) -> None:
    one, other = (Slots(1000, tmp_path / "slots") for _ in range(2))
    one.acquire()
    one.close()
    assert len({other.acquire() for _ in range(3)}) == 3


def test_slots_of_a_killed_referee_are_free(tmp_path: Path) -> None:
    code = f"""
from referee.sandbox.slots import Slots
from pathlib import Path
slots = Slots(1000, Path({str(tmp_path / "slots")!r}))
for _ in range({SLOTS}): slots.acquire()
print(flush=True)
input()
"""
    command = [sys.executable, "-c", code]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, **pipes) as other:  # type: ignore[call-overload]
        assert other.stdout.readline() == b"\n"
        own = Slots(1000, tmp_path / "slots")
        with pytest.raises(ConfigError, match=f"{SLOTS} bots run"):
            own.acquire()
        other.send_signal(signal.SIGKILL)
    assert own.acquire().uid >= 1000


@pytest.mark.usefixtures("_few")
def test_last_slot_is_followed_by_none(tmp_path: Path) -> None:
    few = Slots(1000, tmp_path / "slots")
    few.acquire(), few.acquire(), few.acquire()
    with pytest.raises(ConfigError, match="3 bots run"):
        few.acquire()


def test_directory_that_others_can_write_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "upcard").mkdir()
    (tmp_path / "upcard").chmod(0o777)
    monkeypatch.setattr(slots, "_RUN", tmp_path)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    with pytest.raises(ConfigError, match="is not a private directory"):
        Slots(1000)


def test_uids_keep_clear_of_known_ones() -> None:
    first = free_base([], ALL, ALL)
    assert free_base([range(first + 5, first + 6)], ALL, ALL) == first + SLOTS


def test_uids_keep_clear_of_subordinate_ones() -> None:
    taken = [*subordinate_ids(["one:100000:65536", "two:165536:65536"])]
    base = free_base(taken, ALL, ALL)
    assert all(base + SLOTS <= other.start or other.stop <= base for other in taken)


def test_uids_are_mapped_in_our_namespace() -> None:
    base = free_base([], [range(65536)], [range(65536)])
    assert base + SLOTS <= 65536


def test_gids_must_be_mapped_as_well() -> None:
    assert free_base([], ALL, [range(65536)]) + SLOTS <= 65536


def test_full_machine_is_refused() -> None:
    with pytest.raises(ConfigError, match="uids in a row"):
        free_base(ALL, ALL, ALL)


def test_broken_line_of_subordinate_ids_is_no_range() -> None:
    assert [*subordinate_ids(["", "one:two:three", "one:1"])] == []
