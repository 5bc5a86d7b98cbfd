"""Every error the SDK raises on purpose.

    UpcardError
    ├── IllegalChoice   a bot returned what is not among its legal actions
    └── MissingMethod   a bot has no method for a decision that is due

An `UpcardError` itself says that `run` was called wrongly, or that the referee plays a game that
this version of the SDK does not know. Like any exception of a bot they all end its process,
with a traceback and exit code 1.
"""


class UpcardError(Exception):
    """What all of the SDK's own errors are."""


class IllegalChoice(UpcardError):
    """A bot returned what is not among its legal actions."""


class MissingMethod(UpcardError):
    """A bot has no method for a decision that is due."""
