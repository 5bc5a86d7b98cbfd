"""What a program does in random play, and what of it its author hardly meant."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, NamedTuple

from referee.engine.dealing import hand_seeds
from referee.engine.recycle.draws import Draws
from referee.engine.recycle.game import LONGEST_PROGRAM
from referee.simulation import dealt_as, random_draw
from referee.spread import Spread
from referee.text import counted
from upcard.recycle import Program, ProgramError

MOST_FAILED: Final = 10
"""After so many rollouts that failed no more are played: some take long to fail."""


class Level(StrEnum):
    """How grave a finding is."""

    ERROR = "error"
    """The game cannot be played."""
    WARNING = "warning"
    """It can, but hardly as its author meant it."""
    NOTE = "note"
    """It may well be meant so."""


class Finding(NamedTuple):
    """Something about a program that its author may want to know."""

    level: Level
    line: int
    """Where in the text, from 1; 0 where it is about the whole program."""
    column: int
    message: str


class RolloutFailure(NamedTuple):
    """A place of the program at which rollouts failed."""

    error: ProgramError
    """The first one there."""
    number: int
    """Of the rollout in which it came."""
    times: int


@dataclass
class Rollouts:
    """What rollouts of a program came to, so far."""

    program: Program
    seed: bytes
    played: int = 0
    decisions: Spread = field(default_factory=Spread)
    """In a rollout; those that failed are left out here and in all that follows."""
    steps: Spread = field(default_factory=Spread)
    """Stages, blocks and choices that a rollout ran through."""
    scores: list[Spread] = field(init=False)
    """As the program has them, by player."""
    all_equal: int = 0
    """How many ended with the same score for all."""
    ties: int = 0
    """How many ties of `max` or `min` were drawn."""
    tied: int = 0
    """In how many rollouts."""
    asked: list[Spread] = field(init=False)
    """How many options each choice of the program had; failed rollouts count here."""
    offered: list[list[int]] = field(init=False)
    """How many options came from each of its entries."""
    reached: set[int] = field(default_factory=set)
    """Which parts of the program were run."""
    failures: dict[tuple[int, int], RolloutFailure] = field(default_factory=dict)
    """By line and column."""

    def __post_init__(self) -> None:
        """Begin with nothing counted."""
        self.scores = [Spread() for _ in range(self.program.players)]
        self.asked = [Spread() for _ in self.program.choices]
        self.offered = [[0] * len(choice.entries) for choice in self.program.choices]

    @property
    def failed(self) -> int:
        """How many rollouts did not come to their end."""
        return sum(failure.times for failure in self.failures.values())

    def as_json(self) -> dict[str, object]:
        """Return everything as JSON has it."""
        return {
            "seed": self.seed.hex(),
            "rollouts": self.played,
            "failed": self.failed,
            "decisions": self.decisions.summary,
            "steps": self.steps.summary,
            "scores": [spread.summary for spread in self.scores],
            "all_equal": self.all_equal,
            "ties": self.ties,
            "findings": [{**each._asdict(), "level": each.level.value} for each in findings(self)],
        }

    def play(self, number: int) -> None:
        """Play one rollout: the first hand of the match of that number that `simulate` plays."""
        self.played += 1
        try:
            self._play(number)
        except ProgramError as error:
            at = (error.line, error.column)
            first = self.failures.get(at, RolloutFailure(error, number, 0))
            self.failures[at] = first._replace(times=first.times + 1)

    def _play(self, number: int) -> None:
        draws = Draws(hand_seeds(self.seed, dealt_as(number))(0))
        draw = random_draw(self.seed, number)
        position = self.program.start(draws)
        decisions = 0
        try:
            while position.actor is not None:
                entries = position.entries
                self._count(position.choice, entries)
                position.play(draw(len(entries)))
                decisions += 1
        finally:
            self.reached |= position.reached
        scores = position.scores
        assert scores is not None
        self.decisions.add(decisions)
        self.steps.add(position.steps)
        self.all_equal += len(set(scores)) == 1
        self.ties += position.ties
        self.tied += position.ties > 0
        for spread, score in zip(self.scores, scores, strict=True):
            spread.add(score)

    def _count(self, choice: int, entries: tuple[int, ...]) -> None:
        self.asked[choice].add(len(entries))
        offered = self.offered[choice]
        for entry in entries:
            offered[entry] += 1


def play_rollouts(rollouts: Rollouts, count: int, first: int = 1) -> Iterator[int]:
    """Play so many, from a number on, and yield each; stop when many have failed."""
    for number in range(first, first + count):
        rollouts.play(number)
        yield number
        if rollouts.failed >= MOST_FAILED:
            return


def findings(rollouts: Rollouts) -> list[Finding]:
    """Return what is to be said of a program: errors first, then from its beginning to its end.

    If no rollout came to its end, nothing is said of what was not reached.
    """
    order = list(Level)
    found = [*_failures(rollouts), *_warnings(rollouts.program)]
    if rollouts.decisions.count:
        found += [*_unreached(rollouts), *_choices(rollouts), *_results(rollouts)]
    return sorted(found, key=lambda each: (order.index(each.level), each.line, each.column))


def _failures(rollouts: Rollouts) -> Iterator[Finding]:
    for error, number, times in rollouts.failures.values():
        message = (
            f"{error.message} ({times} of {counted(rollouts.played, 'rollout')}, first {number})"
        )
        yield Finding(Level.ERROR, error.line, error.column, message)


def _warnings(program: Program) -> Iterator[Finding]:
    if len(program.text.encode()) > LONGEST_PROGRAM:
        message = f"the program is longer than {LONGEST_PROGRAM} bytes, too long to be played"
        yield Finding(Level.ERROR, 0, 0, message)
    for warning in program.warnings:
        yield Finding(Level.WARNING, *warning)
    for warning in program.unread:
        yield Finding(Level.NOTE, *warning)


def _unreached(rollouts: Rollouts) -> Iterator[Finding]:
    """Yield the parts that were never run; a choice among them says so itself."""
    for number, part in enumerate(rollouts.program.parts):
        if number not in rollouts.reached and part.construct != "choice":
            message = f"this {part.construct} was never run"
            yield Finding(Level.WARNING, part.line, part.column, message)


def _choices(rollouts: Rollouts) -> Iterator[Finding]:
    for choice, asked, offered in zip(
        rollouts.program.choices, rollouts.asked, rollouts.offered, strict=True
    ):
        if not asked.count:
            message = "this choice never came up"
            yield Finding(Level.WARNING, choice.line, choice.column, message)
            continue
        if asked.most == 1:
            message = f"this choice had one option, each of {counted(asked.count, 'time')}"
            yield Finding(Level.WARNING, choice.line, choice.column, message)
        for entry, options in zip(choice.entries, offered, strict=True):
            if not options:
                times = counted(asked.count, "time")
                message = f"this entry of a choice was never legal, {times} that it was asked"
                yield Finding(Level.WARNING, entry.line, entry.column, message)


def _results(rollouts: Rollouts) -> Iterator[Finding]:
    ended = rollouts.decisions.count
    undecided = rollouts.decisions.times[0]
    if undecided == ended:
        yield Finding(Level.ERROR, 0, 0, "nobody ever has a decision")
    elif undecided:
        message = f"{counted(undecided, 'rollout')} of {ended} had no decision"
        yield Finding(Level.NOTE, 0, 0, message)
    if rollouts.all_equal == ended:
        yield Finding(Level.WARNING, 0, 0, "all players always have equal scores")
    if rollouts.ties:
        message = (
            f"{counted(rollouts.ties, 'tie')} of max or min, in {counted(rollouts.tied, 'rollout')}"
            f" of {ended}: one of the equal cards was drawn"
        )
        yield Finding(Level.NOTE, 0, 0, message)
