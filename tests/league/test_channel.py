"""What referees tell is heard whole, by whoever listens, even when they are killed."""

import os
import signal
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from select import select

from referee.league.channel import ResultChannel, connect
from referee.scheduling.keys import DuelKey
from referee.store.models import StoredVoid

NOW = datetime(2026, 1, 2, tzinfo=UTC)
CALLER = """
import sys, time
from datetime import UTC, datetime
from referee.league.channel import calling
from referee.scheduling.keys import DuelKey
from referee.store.models import KeptVoid
with calling(sys.argv[1]) as (tell, ear):
    for number in range(3):
        tell(KeptVoid(DuelKey(1, 2, number), "x" * 1000, datetime(2026, 1, 2, tzinfo=UTC)))
    print("told", flush=True)
    sys.stdin.read()
"""


def void(number: int) -> StoredVoid:
    return StoredVoid(DuelKey(1, 2, number), "why", NOW)


def test_what_is_told_is_heard(tmp_path: Path) -> None:
    with ResultChannel(tmp_path) as sink, connect(sink.address) as (tell, _):
        tell(void(7))
        assert list(sink.hear_all()) == [void(7)]


def test_what_was_told_by_one_that_was_killed_is_heard(tmp_path: Path) -> None:
    with (
        ResultChannel(tmp_path) as sink,
        subprocess.Popen(
            [sys.executable, "-c", CALLER, sink.address],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as caller,
    ):
        assert caller.stdout
        assert caller.stdout.readline() == "told\n"
        caller.send_signal(signal.SIGKILL)
        caller.wait()
        assert [each.key.number for each in sink.hear_all()] == [0, 1, 2]


def test_half_a_message_is_told_by_nobody(tmp_path: Path) -> None:
    with ResultChannel(tmp_path) as sink:
        with connect(sink.address) as (tell, ear):
            tell(void(1))
            # The length of the next message, and then nothing.
            subprocess.run(
                [sys.executable, "-c", f"import os; os.write({ear}, bytes([0, 0, 9]))"],
                pass_fds=(ear,),
                check=True,
            )
        assert list(sink.hear_all()) == [void(1)]


def test_who_calls_is_told_to_wind_up(tmp_path: Path) -> None:
    with ResultChannel(tmp_path) as sink, connect(sink.address) as (tell, ear):
        tell(void(1))
        list(sink.hear_all())
        sink.wind_up()
        assert readable(ear)


def test_who_calls_is_told_to_wind_up_once(tmp_path: Path) -> None:
    with ResultChannel(tmp_path) as sink, connect(sink.address) as (tell, ear):
        tell(void(1))
        list(sink.hear_all())
        sink.wind_up()
        assert os.read(ear, 4096)
        sink.wind_up()
        assert not readable(ear)


def test_who_calls_later_is_told_to_wind_up_too(tmp_path: Path) -> None:
    with ResultChannel(tmp_path) as sink:
        sink.wind_up()
        with connect(sink.address) as (tell, ear):
            tell(void(1))
            list(sink.hear_all())
            assert readable(ear)


def readable(descriptor: int) -> bool:
    return bool(select([descriptor], [], [], 0)[0])


def test_who_listens_is_woken_by_a_ring(tmp_path: Path) -> None:
    with ResultChannel(tmp_path) as sink:
        sink.ring()
        assert [*sink.hear(600)] == []


def test_a_ring_when_nobody_listens_any_more_is_no_error(tmp_path: Path) -> None:
    with ResultChannel(tmp_path) as sink:
        pass
    sink.ring()


def test_what_comes_in_together_is_heard_together(tmp_path: Path) -> None:
    told = [StoredVoid(DuelKey(1, 2, number), "late", NOW) for number in range(3)]
    with ResultChannel(tmp_path) as sink, connect(sink.address) as (tell, _):
        for each in told:
            tell(each)
        called = [*sink.hear(600)]
        assert [*called, *sink.hear(600)] == told
