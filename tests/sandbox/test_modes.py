from collections.abc import Callable
from pathlib import Path

import pytest

from referee.errors import ConfigError
from referee.sandbox import modes
from referee.sandbox.modes import ModeTrial, choose, inner_command, modes_to_try, remedy, try_mode


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> None:
    """An ordinary user's machine on which no mode works."""
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    monkeypatch.setattr(
        modes, "try_mode", lambda mode: ModeTrial(mode, f"no {mode}", f"repair {mode}")
    )


def test_root_has_one_mode() -> None:
    assert modes_to_try(0) == ("root",)


def test_user_prefers_uids_apart() -> None:
    assert modes_to_try(1000) == ("subuid", "userns")


def test_missing_bubblewrap_is_told_with_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(modes, "bubblewrap", lambda: None)
    trial = try_mode("userns")
    assert trial.reason == "there is no program bwrap"
    assert "apt install bubblewrap" in trial.remedy


def test_trial_that_fails_tells_the_last_words(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program = tmp_path / "bwrap"
    program.write_text("#!/bin/sh\necho first >&2; echo bwrap: no namespace >&2; exit 1\n")
    program.chmod(0o700)
    monkeypatch.setattr(modes, "bubblewrap", lambda: str(program))
    assert try_mode("root").reason == "bwrap: no namespace"


@pytest.fixture
def often_killed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[int], Path]:
    """Somebody kills bubblewrap so many times; the file has a line for each time it ran."""

    def make(times: int) -> Path:
        runs, program = tmp_path / "runs", tmp_path / "bwrap"
        program.write_text(
            f"#!/bin/sh\necho >>{runs}\n[ $(wc -l <{runs}) -gt {times} ] || kill -9 $$\n"
        )
        program.chmod(0o700)
        monkeypatch.setattr(modes, "bubblewrap", lambda: str(program))
        monkeypatch.setattr("os.geteuid", lambda: 0)
        return runs

    return make


def test_trial_that_somebody_kills_is_run_again(often_killed: Callable[[int], Path]) -> None:
    often_killed(2)
    assert choose() == "root"


def test_trial_that_is_always_killed_is_given_up(often_killed: Callable[[int], Path]) -> None:
    runs = often_killed(99)
    with pytest.raises(ConfigError, match="root: "):
        choose()
    assert runs.read_text().count("\n") == 3


def test_choice_takes_the_first_mode_that_works(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    trials = {
        "subuid": ModeTrial("subuid", "no subordinate ids"),
        "userns": ModeTrial("userns", ""),
    }
    monkeypatch.setattr(modes, "try_mode", trials.__getitem__)
    assert choose() == "userns"


@pytest.mark.usefixtures("failing")
def test_mode_that_was_asked_for_is_not_replaced() -> None:
    with pytest.raises(ConfigError, match=r"\(subuid: no subuid\); repair subuid"):
        choose("subuid")


@pytest.mark.usefixtures("failing")
def test_refusal_names_every_mode_and_the_way_out() -> None:
    with pytest.raises(
        ConfigError, match=r"subuid: no subuid; userns: no userns\); .*--unsafe-no-sandbox"
    ):
        choose()


@pytest.mark.usefixtures("failing")
def test_mode_of_another_user_is_refused() -> None:
    with pytest.raises(ConfigError, match="choose subuid or userns"):
        choose("root")


@pytest.mark.parametrize(
    ("said", "cure"),
    [
        ("bwrap: setting up uid map: Permission denied", "bwrap-userns-restrict"),
        ("bwrap: Can't mount proc on /newroot/proc: Operation not permitted", "unmasked"),
        ("unshare: no line matching user 'x' in /etc/subuid", "usermod --add-subuids"),
        ("bwrap: No permissions to create new namespace", "kernel.unprivileged_userns_clone"),
        ("setpriv: setresuid failed: Invalid argument", "usermod --add-subuids"),
        ("something new", "bwrap --ro-bind / / true"),
    ],
)
def test_remedy_fits_the_reason(said: str, cure: str) -> None:
    assert cure in remedy(said)


def test_what_is_left_is_given_up_inside() -> None:
    words = inner_command("root", 4711, 5)
    assert words[:3] == ("setpriv", "--reuid=4711", "--regid=4711")
    assert "--bounding-set=-all" in words


def test_bot_of_our_own_uid_has_nothing_to_give_up() -> None:
    assert inner_command("userns", 4711, 5)[0] == "prlimit"
