"""The turns a process was asked, and whether what it answers answers one of them."""

from collections.abc import Mapping, Sequence
from typing import Final, Generic, TypeVar

from referee.arena import fault
from referee.arena.fault import Violation

_Subject = TypeVar("_Subject")

_MORE_MESSAGES: Final = 8
"""Messages a bot may send from one frame to the next beyond one a turn."""


class OpenTurns(Generic[_Subject]):
    """The turns of the last frame, each with what it is about."""

    def __init__(self) -> None:
        """Begin with none."""
        self.open: dict[int, _Subject] = {}
        """Those that are neither answered nor closed."""
        self._next = 1
        self._expected = self._messages = 0
        self._closed: set[int] = set()
        """Those that were closed while they were open, in any frame, until they are answered."""

    def ask(self, subjects: Sequence[_Subject]) -> range:
        """Open a turn for each subject of a new frame; return their numbers."""
        turns = range(self._next, self._next + len(subjects))
        self.ask_numbered(dict(zip(turns, subjects, strict=True)))
        return turns

    def ask_numbered(self, turns: Mapping[int, _Subject]) -> None:
        """Open the turns of a new frame, which have their numbers already, and close the others."""
        self._closed.update(self.open)
        self.open.clear()
        self.open.update(turns)
        self._next = max(turns) + 1
        self._expected, self._messages = len(turns) + len(self._closed), 0

    def close(self, subject: _Subject) -> None:
        """Settle the turn about a subject, if there is one; an answer to it comes too late."""
        for turn, about in self.open.items():
            if about is subject:
                del self.open[turn]
                self._closed.add(turn)
                break

    def drop(self) -> None:
        """Settle all turns: nobody is there to answer them."""
        self.open.clear()
        self._closed.clear()

    def answer(
        self, turns: Sequence[int], choices: Sequence[int]
    ) -> tuple[list[tuple[int, _Subject, int]], Violation | None]:
        """Settle the turns that a message answers.

        Returns:
            The turn, its subject and the choice of each answer, up to the first one that answers
            nothing, and what is wrong with that one. Answers that come too late are left out.
        """
        self._messages += 1
        if self._messages > self._expected + _MORE_MESSAGES:
            return [], Violation(fault.PROTOCOL_ERROR, fault.MORE_THAN_TURNS)
        answered = []
        pop = self.open.pop
        for turn, choice in zip(turns, choices, strict=True):
            subject = pop(turn, None)
            if subject is not None:
                answered.append((turn, subject, choice))
            elif turn in self._closed:
                self._closed.remove(turn)
            else:
                return answered, Violation(fault.PROTOCOL_ERROR, fault.not_asked(turn))
        return answered, None
