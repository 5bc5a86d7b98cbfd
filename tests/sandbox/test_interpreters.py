"""Interpreters are found where machines keep them, and run in the sandbox as a bot's program."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from referee.sandbox import interpreters
from referee.sandbox.interpreters import find_interpreters
from referee.sandbox.runtimes import HOW_TO_GET, find_runtimes
from tests.sandbox.accounts import Account, played

NATIVE = find_runtimes()["native"]
HELLO = {
    "node": "console.log('hello')",
    "ruby": "puts 'hello'",
    "java": 'class Hello { public static void main(String[] a) { System.out.println("hello"); } }',
}


def found(monkeypatch: pytest.MonkeyPatch, **programs: Path) -> dict[str, str]:
    """Return the version of each interpreter on a machine with these programs."""
    names = {name: str(path) for name, path in programs.items()}
    monkeypatch.setattr(shutil, "which", names.get)
    return {runtime.name: runtime.version for runtime in find_interpreters(NATIVE)}


def program(place: Path, script: str) -> Path:
    """Write a program in the shell's words."""
    made = place / "program"
    made.write_text(f"#!/bin/sh\n{script}\n")
    made.chmod(0o755)
    return made


def test_a_machine_without_any_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert found(monkeypatch) == {}


def test_how_to_get_each_is_known() -> None:
    assert HOW_TO_GET.keys() == interpreters.FOUND.keys()


def test_java_tells_its_version_by_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "release").write_text('IMPLEMENTOR="A"\nJAVA_VERSION="21.0.1"\n')
    assert found(monkeypatch, java=tmp_path / "bin" / "java") == {"java": "21.0.1"}


def test_what_only_stands_in_for_java_is_not_taken(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "keys").touch()
    assert found(monkeypatch, java=tmp_path / "bin" / "java") == {}


@pytest.mark.parametrize(("says", "runtimes"), [("v22.3.0", {"node": "22.3.0"}), ("mise", {})])
def test_only_node_itself_is_taken(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, says: str, runtimes: dict[str, str]
) -> None:
    assert found(monkeypatch, node=program(tmp_path, f"echo {says}")) == runtimes


def test_an_interpreter_is_not_asked_where_a_bot_could_answer(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    node = program(tmp_path, "[ -e bot.toml ] && echo v6.6.6 || echo v22.3.0")
    (tmp_path / "bot.toml").touch()
    monkeypatch.chdir(tmp_path)
    assert found(monkeypatch, node=node) == {"node": "22.3.0"}


def test_a_ruby_of_ones_own_is_not_taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert found(monkeypatch, ruby=tmp_path / "ruby") == {}


@pytest.mark.parametrize("name", HELLO)
@pytest.mark.parametrize("mode", ["root", "userns", "root-shared"])
def test_it_runs_in_the_sandbox(accounts: Callable[[str], Account], mode: str, name: str) -> None:
    assert played(accounts(mode), mode, "interpreted", name, HELLO[name])["output"] == "hello\n"
