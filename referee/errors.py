"""Every error Upcard raises on purpose.

    UpcardError
    ├── ConfigError     what was asked for cannot be done as asked (exit code 2)
    │   └── NotFoundError   a page or an answer that does not exist (HTTP 404)
    ├── IllegalAction   an action the rules do not allow at that moment
    ├── GameError       rules that cannot go on; no seat is to blame
    ├── RecordError     a record that is malformed, or cannot have happened
    ├── FileError       a file that cannot be read or written
    └── VoidError       a bot that cannot be judged, through no fault of its own

Each message is one line that says what is wrong and, where that helps, what is allowed. None
names a card that a seat holds; one about an action names that action.
"""


class UpcardError(Exception):
    """Base class of every error Upcard raises on purpose."""


class ConfigError(UpcardError):
    """What was asked for cannot be done as asked."""


class NotFoundError(ConfigError):
    """A page or an answer that does not exist, or not yet."""


class IllegalAction(UpcardError):
    """An action that the rules do not allow at that moment."""


class GameError(UpcardError):
    """Rules that cannot go on, as those of a game from a program may not; no seat is to blame."""


class RecordError(UpcardError):
    """A record that is malformed or cannot have happened."""

    def __init__(self, field: str, reason: str) -> None:
        """Name the field as a path into the record (``hands[2].actions[4]``), and the reason."""
        super().__init__(f"{field}: {reason}" if field else reason)
        self.field = field
        self.reason = reason


class FileError(UpcardError):
    """A file that cannot be read or written."""


class VoidError(UpcardError):
    """A bot that cannot be judged, through no fault of its own."""
