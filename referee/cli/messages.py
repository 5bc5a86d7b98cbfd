"""What commands write to stderr: lines of text, or one JSON object a line if that is asked for.

In one place for all that is written there: what commands print, what libraries log, and the
traceback of a defect. Results go to stdout and are no messages.
"""

import json
import logging
import os
import sys
from datetime import UTC, datetime
from io import TextIOBase
from threading import local
from traceback import format_exception
from types import TracebackType
from typing import Final, Literal, TextIO

from referee.errors import ConfigError

FORMAT: Final = "UPCARD_LOG_FORMAT"
"""The environment variable that asks for a format."""
Level = Literal["debug", "info", "warning", "error", "critical"]


def use_format() -> None:
    """Write messages from here on as the environment asks.

    Raises:
        ConfigError: it asks for a format that there is not.
    """
    wanted = os.environ.get(FORMAT) or "text"
    if wanted not in ("text", "json"):
        raise ConfigError(f"{FORMAT} is {wanted[:80]!r}; set it to text or json")
    if wanted == "json":
        lines = JsonLines(sys.stderr)
        sys.stderr = lines
        logging.basicConfig(handlers=[_Handler(lines)], level=logging.WARNING)
        logging.captureWarnings(True)
        sys.excepthook = lines.write_defect


def write_error(message: str) -> None:
    """Write why a command failed, in one line."""
    if isinstance(sys.stderr, JsonLines):
        sys.stderr.write_message("error", message)
    else:
        print(message, file=sys.stderr)


class JsonLines(TextIOBase):
    """Writes each line as a JSON object."""

    def __init__(self, stream: TextIO) -> None:
        """Write to a stream."""
        self._stream = stream
        self._begun = local()
        """What each thread has written of a line that is not at its end yet."""

    def write(self, text: str) -> int:
        """Write each line of a text as a message of its own, once it is at its end."""
        *lines, rest = (getattr(self._begun, "line", "") + text).split("\n")
        self._begun.line = rest
        for line in filter(None, lines):
            self.write_message("info", line)
        return len(text)

    def write_message(self, level: Level, message: str, **more: str) -> None:
        """Write a message, which may have several lines."""
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        form = {"at": at, "level": level, "message": message, **more}
        self._stream.write(f"{json.dumps(form)}\n")
        self._stream.flush()

    def write_defect(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        """Write an exception that nobody expected."""
        traceback = "".join(format_exception(kind, error, trace))
        self.write_message("critical", f"{kind.__name__}: {error}", traceback=traceback)

    def writable(self) -> bool:
        """Return that one can write here."""
        return True

    def fileno(self) -> int:
        """Return the file of the stream, for processes that inherit it."""
        return self._stream.fileno()


class _Handler(logging.Handler):
    """Writes what libraries log."""

    def __init__(self, lines: JsonLines) -> None:
        super().__init__()
        self._lines = lines

    def emit(self, record: logging.LogRecord) -> None:
        more = {"logger": record.name}
        if record.exc_info:
            more["traceback"] = logging.Formatter().formatException(record.exc_info)
        level: Level = record.levelname.lower()  # type: ignore[assignment] # those of the standard
        self._lines.write_message(level, record.getMessage(), **more)
