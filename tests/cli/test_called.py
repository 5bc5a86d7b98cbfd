"""Advice names commands as this one was called."""

import pytest

from referee.cli.called import as_called, command
from tests.cli.conftest import Upcard


@pytest.fixture
def _clone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UPCARD_COMMAND", "./upcard")


def test_a_command_is_quoted_for_a_shell() -> None:
    assert command("check", "my bot") == "upcard check 'my bot'"


@pytest.mark.usefixtures("_clone")
def test_only_commands_are_rewritten() -> None:
    message = "of an older upcard; run 'upcard bots add X', or ../upcard bots"
    assert as_called(message, ["bots"]) == (
        "of an older upcard; run './upcard bots add X', or ../upcard bots"
    )


@pytest.mark.usefixtures("_clone")
def test_an_error_advises_the_command_as_it_was_called(
    upcard: Upcard, monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    monkeypatch.setenv("UPCARD_DB", f"{tmp_path}/none.db")
    said = upcard("ratings")
    assert (said.code, "make one: ./upcard bots add BOT" in said.err) == (2, True)
