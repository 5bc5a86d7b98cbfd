"""Files of strangers: a few of the million that `./upcard soak --fuzz` makes."""

import signal
import sys
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path

import pytest

from referee.errors import FileError
from tests.publication.exports import checked
from tests.soak import fuzz, handed_in
from tests.soak.changes import Change

SIZE = 420
Command = Callable[[Path], None]
Failure = Callable[[Command], str]


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> fuzz.FuzzOutcome:
    """Return what came of some inputs in a process of its own, where no other test took memory."""
    with get_context("spawn").Pool(1) as pool:
        return pool.apply(fuzz.run, [tmp_path_factory.mktemp("fuzz"), fuzz.Batch(0, SIZE)])


def test_every_command_gets_as_many_inputs_and_of_two_exports_each_half(
    outcome: fuzz.FuzzOutcome,
) -> None:
    assert {name: counted.total() for name, counted in outcome.ended.items()} == {
        "replay --check": SIZE // 7,
        "convert": SIZE // 7,
        "fault show": SIZE // 7,
        "games check": SIZE // 7,
        "verify (complete)": SIZE // 14,
        "verify (open)": SIZE // 14,
        "submit (archive)": SIZE // 7,
        "submit (form)": SIZE // 7,
    }


def test_the_commands_that_can_be_asked_for_are_those_there_are() -> None:
    assert tuple(fuzz.targets()) == fuzz.TARGETS


def test_one_command_alone_may_get_all_inputs() -> None:
    assert {fuzz.input_of(number, "games check").target for number in range(20)} == {"games check"}


def test_a_changed_file_gives_a_result_or_an_error_of_one_line(outcome: fuzz.FuzzOutcome) -> None:
    assert outcome.failures == {}


@pytest.mark.parametrize("file", ["bot.tar", "bot.tar.gz", "bot.zip"])
def test_an_archive_is_a_bot_before_it_is_changed(file: str, tmp_path: Path) -> None:
    (tmp_path / file).write_bytes(handed_in.archives()[file])
    handed_in.unpack_archive(tmp_path / file)


def test_a_form_is_received_before_it_is_changed(tmp_path: Path) -> None:
    (tmp_path / "form").write_bytes(handed_in.form())
    handed_in.receive(tmp_path / "form")


@pytest.mark.parametrize("name", ["verify (complete)", "verify (open)"])
def test_an_export_is_sound_before_it_is_changed(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.beacon.can_check", lambda: False)
    for file, data in fuzz.targets()[name].files.items():
        (tmp_path / file).write_bytes(data)
    assert checked(tmp_path).failures == []


@pytest.fixture
def plant(monkeypatch: pytest.MonkeyPatch) -> Callable[[Command], None]:
    """Return what replaces all commands by one, which reads a file of a few letters."""
    # The process may have taken more for the tests before.
    monkeypatch.setattr(fuzz, "MEMORY", sys.maxsize)

    def use(command: Command) -> None:
        targets = {"broken": fuzz.Target({"file": b"abcdefgh"}, command)}
        monkeypatch.setattr(fuzz, "targets", lambda: targets)

    return use


@pytest.fixture
def failure(plant: Callable[[Command], None], tmp_path: Path) -> Failure:
    """Return what runs a command on some inputs, and returns the one failure that is found."""

    def run(command: Command) -> str:
        plant(command)
        (words,) = fuzz.run(tmp_path, fuzz.Batch(0, 20)).failures.values()
        return words

    return run


def test_a_command_that_fails_is_found(failure: Failure) -> None:
    def fail(_: Path) -> None:
        raise KeyError("points")

    assert "KeyError: 'points'" in failure(fail)


def test_an_error_that_nobody_would_read_to_its_end_is_found(failure: Failure) -> None:
    def complain(_: Path) -> None:
        raise FileError("x" * 5000)

    assert "an error is a line that somebody reads" in failure(complain)


def test_a_command_that_does_not_end_is_found(
    failure: Failure, monkeypatch: pytest.MonkeyPatch
) -> None:
    def compute(_: Path) -> None:
        while True:
            pass

    monkeypatch.setattr(fuzz, "TIMERS", [(signal.SIGPROF, signal.ITIMER_PROF, 0.001)])
    assert "TimeoutError" in failure(compute)


def test_a_process_that_takes_too_much_memory_is_found(
    failure: Failure, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fuzz, "MEMORY", 0)
    assert "a process had taken" in failure(lambda _: None)


def test_the_number_of_an_input_is_all_that_it_takes_to_make_it_again(
    plant: Callable[[Command], None], tmp_path: Path
) -> None:
    seen: list[bytes] = []
    plant(lambda path: seen.append(path.read_bytes()))
    fuzz.run(tmp_path, fuzz.Batch(3, 2))
    fuzz.run(tmp_path, fuzz.Batch(4, 1))
    assert seen[1] == seen[2]


def test_of_an_input_that_fails_only_the_changes_that_matter_are_shown(
    plant: Callable[[Command], None], tmp_path: Path
) -> None:
    def fail(path: Path) -> None:
        if b"!" in path.read_bytes():
            raise KeyError

    plant(fail)
    changes = [Change(False, "replace", 0, 0, None, token) for token in (b"?", b"!", b".")]
    found = fuzz.simplest(fuzz.Input("broken", "file", changes, forged=False), tmp_path)
    assert found.changes == changes[1:2]
