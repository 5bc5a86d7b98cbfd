"""The one error of a program, with its place in the text."""

from upcard.errors import UpcardError


class ProgramError(UpcardError):
    """A program cannot be read, or cannot be played on.

    Attributes:
        message: what is wrong, naming the construct.
        line: where in the text that was given, from 1.
        column: likewise.
    """

    def __init__(self, message: str, line: int, column: int) -> None:
        """Say what is wrong, and where."""
        super().__init__(message, line, column)
        self.message = message
        self.line = line
        self.column = column

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.message}"
