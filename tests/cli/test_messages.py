"""Messages as JSON, one object a line, on request."""

import json
import logging
import sys
import warnings
from io import StringIO
from threading import Thread
from typing import Any

import pytest

from referee.cli.messages import FORMAT, use_format, write_error
from referee.errors import ConfigError


def ask(monkeypatch: pytest.MonkeyPatch) -> StringIO:
    """Ask for JSON, and return where it comes."""
    stream = StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    # As in a process of its own, where nobody else has set up a log.
    root = logging.getLogger()
    monkeypatch.setattr(root, "handlers", [])
    monkeypatch.setattr(root, "level", root.level)
    monkeypatch.setattr(warnings, "showwarning", warnings.showwarning)
    monkeypatch.setattr(logging, "_warnings_showwarning", None)
    monkeypatch.setenv(FORMAT, "json")
    use_format()
    return stream


def messages(written: StringIO) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in written.getvalue().splitlines()]
    assert all(each.pop("at").endswith("+00:00") for each in found)
    return found


def test_each_line_that_is_printed_is_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    written = ask(monkeypatch)
    print("one\ntwo", file=sys.stderr)
    assert messages(written) == [
        {"level": "info", "message": "one"},
        {"level": "info", "message": "two"},
    ]


def test_a_line_that_is_not_at_its_end_is_no_message_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    written = ask(monkeypatch)
    print("half", end="", file=sys.stderr)
    assert messages(written) == []


def test_threads_do_not_mix_their_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    written = ask(monkeypatch)
    print("one, ", end="", file=sys.stderr)
    other = Thread(target=lambda: print("two", file=sys.stderr))
    other.start()
    other.join()
    print("three", file=sys.stderr)
    assert [each["message"] for each in messages(written)] == ["two", "one, three"]


def test_what_a_library_logs_has_its_level_and_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    written = ask(monkeypatch)
    logging.getLogger("uvicorn.error").warning("the store %s", "is gone")
    logged = {"level": "warning", "message": "the store is gone", "logger": "uvicorn.error"}
    assert messages(written) == [logged]


def test_a_warning_is_one_message(monkeypatch: pytest.MonkeyPatch) -> None:
    written = ask(monkeypatch)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.warn("odd", stacklevel=1)
    (logged,) = messages(written)
    assert (logged["level"], logged["logger"]) == ("warning", "py.warnings")


def test_a_traceback_that_is_logged_is_part_of_its_message(monkeypatch: pytest.MonkeyPatch) -> None:
    written = ask(monkeypatch)
    error = ValueError("x")
    logging.getLogger("uvicorn.error").error("a defect", exc_info=error)
    (logged,) = messages(written)
    assert logged["traceback"] == "ValueError: x"


def test_a_defect_is_one_message(monkeypatch: pytest.MonkeyPatch) -> None:
    written = ask(monkeypatch)
    error = ValueError("x\ny")
    sys.excepthook(ValueError, error, None)
    assert messages(written) == [
        {"level": "critical", "message": "ValueError: x\ny", "traceback": "ValueError: x\ny\n"}
    ]


def test_why_a_command_failed_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    written = ask(monkeypatch)
    write_error("upcard: no")
    assert messages(written) == [{"level": "error", "message": "upcard: no"}]


def test_a_format_that_there_is_not_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FORMAT, "xml")
    with pytest.raises(ConfigError, match="UPCARD_LOG_FORMAT is 'xml'"):
        use_format()


@pytest.mark.parametrize("text", ["", "text"])
def test_without_a_request_nothing_changes(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    before = sys.stderr
    monkeypatch.setenv(FORMAT, text)
    use_format()
    assert sys.stderr is before
