"""The options of a game: what can be chosen, and a refusal that says so."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from referee.errors import ConfigError

Value = bool | int | str
_LONGEST_SHOWN: Final = 40


class Switch(NamedTuple):
    """An option that is on or off."""

    name: str
    default: bool
    meaning: str

    @property
    def allowed(self) -> str:
        """The values allowed, in words."""
        return "on or off"

    def read(self, given: object) -> bool | None:
        """Return the value, or None if it is not one."""
        if isinstance(given, bool):
            return given
        return {"on": True, "off": False}.get(given) if isinstance(given, str) else None


class Number(NamedTuple):
    """An option that is a whole number within bounds."""

    name: str
    default: int
    least: int
    most: int
    meaning: str

    @property
    def allowed(self) -> str:
        """The values allowed, in words."""
        return f"a whole number from {self.least} to {self.most}"

    def read(self, given: object) -> int | None:
        """Return the value, or None if it is not one."""
        if isinstance(given, str):
            return next((n for n in range(self.least, self.most + 1) if str(n) == given), None)
        if isinstance(given, int) and not isinstance(given, bool):
            return given if self.least <= given <= self.most else None
        return None


class Text(NamedTuple):
    """An option that is text."""

    name: str
    default: str
    most: int
    """Bytes, in UTF-8."""
    meaning: str

    @property
    def allowed(self) -> str:
        """The values allowed, in words."""
        return f"text of at most {self.most} bytes"

    def read(self, given: object) -> str | None:
        """Return the value, or None if it is not one."""
        if not isinstance(given, str):
            return None
        try:
            return given if len(given.encode()) <= self.most else None
        except UnicodeEncodeError:
            return None


Option = Switch | Number | Text


def choose(game: str, options: Sequence[Option], chosen: Mapping[str, object]) -> dict[str, Any]:
    """Return the value of every option by name: the chosen one, else its default.

    A chosen value may be a bool or an int, or its text (``on``, ``10``), or any text where the
    option is one.
    """
    by_name = {option.name: option for option in options}
    values: dict[str, Any] = {option.name: option.default for option in options}
    for name, given in chosen.items():
        option = by_name.get(name)
        if option is None:
            message = f"{game} has no rule {name[:80]!r}; its rules are {', '.join(by_name)}"
            raise ConfigError(message)
        value = option.read(given)
        if value is None:
            message = f"{game} rule {name} must be {option.allowed}, not {str(given)[:80]!r}"
            raise ConfigError(message)
        values[name] = value
    return values


def text(value: Value) -> str:
    """Return the text of a value on the command line; of a long text, how long it is."""
    if isinstance(value, str) and not (value.isprintable() and len(value) <= _LONGEST_SHOWN):
        return f"{len(value)} characters"
    return str(value) if not isinstance(value, bool) else "on" if value else "off"
