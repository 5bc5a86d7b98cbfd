"""What a bot can do wrong, and the words for it."""

from typing import Final, NamedTuple, NewType

from referee.engine.cards import Seat
from referee.engine.game import Game
from referee.engine.seating import room_names, room_title

FaultKind = NewType("FaultKind", str)

ILLEGAL_ACTION: Final = FaultKind("illegal_action")
MALFORMED_MESSAGE: Final = FaultKind("malformed_message")
PROTOCOL_ERROR: Final = FaultKind("protocol_error")
DECISION_TIMEOUT: Final = FaultKind("decision_timeout")
BANK_EMPTY: Final = FaultKind("bank_empty")
CRASHED: Final = FaultKind("crashed")
DISCONNECTED: Final = FaultKind("disconnected")
MEMORY_LIMIT: Final = FaultKind("memory_limit")
CPU_LIMIT: Final = FaultKind("cpu_limit")
PROCESS_LIMIT: Final = FaultKind("process_limit")
OUTPUT_LIMIT: Final = FaultKind("output_limit")
NEVER_READY: Final = FaultKind("never_ready")

FAULT_KINDS: Final = (
    ILLEGAL_ACTION,
    MALFORMED_MESSAGE,
    PROTOCOL_ERROR,
    DECISION_TIMEOUT,
    BANK_EMPTY,
    CRASHED,
    DISCONNECTED,
    MEMORY_LIMIT,
    CPU_LIMIT,
    PROCESS_LIMIT,
    OUTPUT_LIMIT,
    NEVER_READY,
)
"""Every kind, in the order of the protocol's numbers from 1."""

ENTRANT_NAMES: Final = ("A", "B")


class Violation(NamedTuple):
    """A rule that a bot broke."""

    kind: FaultKind
    explanation: str
    """The rule in words, for the bot's author."""
    refusal: str = ""
    """The reason its stream is refused with, if it is."""
    seconds: float = 0.0
    """How long it took without deciding; 0 if it did not run out of time."""


class Failure(NamedTuple):
    """A violation with its evidence, before it is known which match pays for it."""

    kind: FaultKind
    explanation: str
    """The rule that was broken, in words, for the bot's author."""
    turns: tuple[int, ...]
    """The turns one of which was being decided."""
    evidence: object
    """What the player recorded of it; the arena only passes it on."""
    seconds: float = 0.0
    """As in `Violation`."""


class Fault(NamedTuple):
    """Something a bot did wrong, and the match it happened in."""

    kind: FaultKind
    entrant: int
    seat: Seat
    room: int
    duel: int
    hand: int
    """The number of the hand, from 0."""
    explanation: str
    forfeits: bool
    """Whether it cost the match; if not, and it was to act, the first legal action was played."""
    evidence: object
    turns: tuple[int, ...] = ()
    """The turns one of which was being decided, by their numbers; none if none was open."""

    @property
    def turn(self) -> int:
        """Return the turn that was being decided, 0 if that is not known."""
        return self.turns[0] if len(self.turns) == 1 else 0

    def where(self, game: Game) -> str:
        """Return where it happened, as far as that is known."""
        room, seat = room_title(room_names(game)[self.room]), game.seat_names[self.seat]
        place = f"duel {self.duel + 1}, {room}, hand {self.hand + 1}, {seat}"
        if self.turn:
            return f"{place}, turn {self.turn}"
        return f"{place}, one of {len(self.turns)} open turns" if self.turns else place


class StartFailure(NamedTuple):
    """That an entrant's process failed to start so often that its session has ended."""

    kind: FaultKind
    """How it failed the last time."""
    entrant: int
    seat: Seat
    room: int
    explanation: str
    evidence: object
    """What is known of the last process, as in `Fault`."""
    hand: int = 0
    turn: int = 0
    forfeits: bool = False

    def where(self, game: Game) -> str:
        """Return where it happened."""
        room, seat = room_title(room_names(game)[self.room]), game.seat_names[self.seat]
        return f"{room}, {seat}, before its first turn"


# The words for what is found out in more than one place

MORE_THAN_TURNS: Final = "more messages than there were turns"
COMPUTED_UNASKED: Final = "computed while nothing was asked of it"
CREATED_UNASKED: Final = "created one process after the other while nothing was asked of it"


def kept_busy(seconds: float) -> str:
    """Explain that a bot caused so much work that the referee was late for everybody."""
    return f"kept the referee busy for {seconds:.2f} s, in which it could serve nobody else"


def not_asked(turn: int) -> str:
    """Explain an answer that nobody is waiting for."""
    return f"answered turn {turn}, which it was not asked, or has answered before"


def judge_choice(choice: int, legal: int) -> Violation | None:
    """Judge a choice among so many legal actions."""
    if choice < legal:
        return None
    why = f"chose number {choice} of {legal} legal actions, counted from 0"
    return Violation(ILLEGAL_ACTION, why)


def no_hello_within(seconds: float) -> str:
    """Explain that a bot was not ready in time."""
    return f"did not say hello within {seconds:g} s"


def no_decision_within(seconds: float) -> str:
    """Explain that a bot did not decide in time."""
    return f"took longer than {seconds:g} s for a decision"
