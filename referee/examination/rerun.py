"""Sends a bot the messages that led to a fault again, and compares what it does."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from referee.arena.clock import Bank
from referee.arena.fault import Violation
from referee.engine.cards import Action
from referee.examination.examined_bot import (
    AskedDecision,
    ExaminedBot,
    FrameAnswer,
    examined_bot,
)
from referee.examination.fault_bundle import FaultBundle, SentMessage
from referee.rpc import codec
from referee.rpc.decoding import AskedTurn, kind_of, open_tables, read_faces, read_frame
from referee.rpc.launcher import Launcher
from referee.rpc.transcript import FROM_BOT, TO_BOT, Message, TranscriptEvidence

_AFTERWARDS: Final = 1.0
"""Seconds for which the bot is watched after its last answer."""


class RerunStep(NamedTuple):
    """What the bot was sent at one moment, and what it answered to that."""

    sent: bytes
    turns: Mapping[int, AskedTurn]
    answers: Mapping[int, int]
    """The first time; without what was never answered."""


class ComparedStep(NamedTuple):
    """How the answers to one frame compare with those of the first time."""

    answered: int
    others: Sequence[tuple[AskedTurn, str, str]]
    """Where it chose otherwise: what it was asked, its choice then and its choice now."""


class Rerun(NamedTuple):
    """What came of it."""

    violation: Violation | None
    evidence: TranscriptEvidence

    def is_the_same(self, bundle: FaultBundle) -> bool:
        """Return whether the fault came back."""
        return self.violation is not None and self.violation.kind == bundle.kind


def steps_of(messages: Sequence[SentMessage | Message]) -> list[RerunStep]:
    """Put what was said in order: each message to the bot, with the answers that followed."""
    steps: list[tuple[bytes, dict[int, AskedTurn], dict[int, int]]] = []
    open_turns: dict[int, dict[int, int]] = {}
    faces: tuple[str, ...] = ()
    for said in messages:
        if said.way == TO_BOT:
            faces = faces or read_faces(said.data)
            frame = read_frame(said.data, faces)
            turns = {asked.turn: asked for asked in frame.turns} if frame else {}
            answers: dict[int, int] = {}
            open_turns |= dict.fromkeys(turns, answers)
            steps.append((said.data, turns, answers))
        elif kind_of(FROM_BOT, said.data) == "answers":
            request = codec.decode_request(said.data)
            if isinstance(request, codec.Answers):
                for turn, choice in zip(request.turn_ids, request.choices, strict=True):
                    open_turns.get(turn, {}).setdefault(turn, choice)
    return [RerunStep(*step) for step in steps]


def illegal_answers(steps: Sequence[RerunStep]) -> Iterator[tuple[AskedTurn, int]]:
    """Yield the turns that were answered with a choice there is not, the last ones first."""
    for step in reversed(steps):
        for turn, choice in step.answers.items():
            if choice >= len(step.turns[turn].legal):
                yield step.turns[turn], choice


def unanswered(messages: Sequence[SentMessage]) -> list[AskedTurn]:
    """Return the turns that were open in the end."""
    steps = [step for step in steps_of(messages) if step.turns]
    if not steps:
        return []
    return [asked for turn, asked in steps[-1].turns.items() if turn not in steps[-1].answers]


async def rerun(
    bundle: FaultBundle,
    launcher: Launcher,
    compared: Callable[[ComparedStep], None],
    *,
    timed: bool = True,
) -> Rerun:
    """Start the bot and send it the same messages; each answer is compared with that of before.

    Args:
        bundle: what it was sent.
        launcher: starts it.
        compared: takes how each answer compares.
        timed: whether its time counts.

    Raises:
        VoidError: the bot cannot be judged, through no fault of its own.
    """
    async with examined_bot(launcher, bundle.limits, bundle.seat, timed=timed) as bot:
        violation = await bot.ready() or await _send_again(bot, bundle, compared)
        return Rerun(violation, bot.link.evidence())


async def _send_again(
    bot: ExaminedBot, bundle: FaultBundle, compared: Callable[[ComparedStep], None]
) -> Violation | None:
    steps = steps_of(bundle.messages)
    last = max((n for n, step in enumerate(steps) if step.turns), default=-1)
    banks: dict[int, Bank] = defaultdict(lambda: Bank(bundle.limits))
    opened: set[int] = set()
    for number, step in enumerate(steps):
        if not step.turns:
            bot.link.send(step.sent)
            continue
        turns = {
            turn: AskedDecision(len(asked.legal), banks[asked.table])
            for turn, asked in step.turns.items()
        }
        needed = step.turns if number == last else step.answers
        answer = await bot.ask(_with_tables(step, opened), turns, needed.keys())
        if isinstance(answer, Violation):
            return answer
        compared(_compare(step, answer))
    rested = await bot.rest(_AFTERWARDS)
    return rested if isinstance(rested, Violation) else None


def _with_tables(step: RerunStep, opened: set[int]) -> bytes:
    """Return a frame; it opens the tables of its turns, though a bundle may lack the beginning."""
    frame = read_frame(step.sent)
    opened.update(frame.opened if frame else ())
    missing = {asked.table for asked in step.turns.values()} - opened
    opened.update(missing)
    return open_tables(step.sent, sorted(missing)) if missing else step.sent


def _compare(step: RerunStep, answer: FrameAnswer) -> ComparedStep:
    others = []
    for turn, choice in answer.choices.items():
        before = step.answers.get(turn)
        if choice != before:
            asked = step.turns[turn]
            others.append((asked, chosen(asked, before), chosen(asked, choice)))
    return ComparedStep(len(answer.choices), others)


def chosen(asked: AskedTurn, choice: int | None) -> str | Action:
    """Name the action that was chosen at a turn."""
    if choice is None:
        return "no answer"
    return asked.legal[choice] if choice < len(asked.legal) else f"number {choice}"
