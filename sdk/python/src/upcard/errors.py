"""Every error the SDK raises on purpose.

    UpcardError
    ├── IllegalChoice         a bot returned what is not among its legal actions
    ├── ImpossibleSituation   a test tells of a situation that cannot come about
    ├── MissingMethod         a bot has no method for a decision that is due
    └── NotKnown              the referee says what this version of the SDK does not know

An `UpcardError` itself says that `run` was called wrongly. Like any exception of a bot they all
end its process, with a traceback and exit code 1; `NotKnown`, which no bot can help, in one line.
"""


class UpcardError(Exception):
    """What all of the SDK's own errors are."""


class IllegalChoice(UpcardError):
    """A bot returned what is not among its legal actions."""


class ImpossibleSituation(UpcardError):
    """A test tells of a situation that cannot come about by the rules."""


class MissingMethod(UpcardError):
    """A bot has no method for a decision that is due."""


class NotKnown(UpcardError):
    """The referee says what this version of the SDK does not know."""

    def __init__(self, what: str) -> None:
        """Name what is not known."""
        super().__init__(f"{what} that this version of the SDK does not know")
