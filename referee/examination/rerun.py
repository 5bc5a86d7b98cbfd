"""Sends a bot once more what it was sent before a fault, and sees what it does this time."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from referee.arena import fault
from referee.engine.cards import Action
from referee.examination.fault_bundle import FaultBundle, SentMessage
from referee.rpc import codec
from referee.rpc.conversation import Answered, Conversation, conversation
from referee.rpc.decoding import AskedTurn, kind_of, read_frame
from referee.rpc.judging import Violation, received
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

    misdeed: Violation | None
    evidence: TranscriptEvidence

    def is_the_same(self, bundle: FaultBundle) -> bool:
        """Return whether the fault came back."""
        return self.misdeed is not None and self.misdeed.kind == bundle.kind


def steps_of(messages: Sequence[SentMessage | Message]) -> list[RerunStep]:
    """Put what was said in order: each message to the bot, with the answers that followed."""
    steps: list[tuple[bytes, dict[int, AskedTurn], dict[int, int]]] = []
    open_turns: dict[int, dict[int, int]] = {}
    for said in messages:
        if said.way == TO_BOT:
            frame = read_frame(said.data)
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
    bundle: FaultBundle, launcher: Launcher, compared: Callable[[ComparedStep], None]
) -> Rerun:
    """Start the bot and say it all again, in the same words; each answer is handed on."""
    async with conversation(launcher, bundle.limits, bundle.seat) as talk:
        misdeed = await _greeted(talk) or await _told_again(talk, bundle, compared)
        return Rerun(misdeed, talk.evidence())


async def _told_again(
    talk: Conversation, bundle: FaultBundle, compared: Callable[[ComparedStep], None]
) -> Violation | None:
    steps = steps_of(bundle.messages)
    last = max((n for n, step in enumerate(steps) if step.turns), default=-1)
    banks: dict[int, float] = {}
    for number, step in enumerate(steps):
        if not step.turns:
            await talk.say(step.sent)
            continue
        legal = {turn: len(asked.legal) for turn, asked in step.turns.items()}
        needed = step.turns if number == last else step.answers
        answered = await talk.ask(step.sent, legal, needed.keys())
        if isinstance(answered, Violation):
            return answered
        compared(_compared(step, answered))
        if misdeed := _charged(bundle, step, answered, banks):
            return misdeed
    rested = await talk.rest(_AFTERWARDS)
    return rested if isinstance(rested, Violation) else None


async def _greeted(talk: Conversation) -> Violation | None:
    hello = await talk.hello()
    if isinstance(hello, Violation):
        return hello
    judged = received(hello, talk.token)
    return judged if isinstance(judged, Violation) else None


def _charged(
    bundle: FaultBundle, step: RerunStep, answered: Answered, banks: dict[int, float]
) -> Violation | None:
    """Charge each decision to the bank of its match, if there is one."""
    limits = bundle.limits
    if not limits.bank:
        return None
    for turn, seconds in answered.seconds.items():
        table = step.turns[turn].table
        banks[table] = banks.get(table, limits.bank) + limits.increment - seconds
        if banks[table] < 0:
            return Violation(fault.BANK_EMPTY, "used up its time for the match")
    return None


def _compared(step: RerunStep, answered: Answered) -> ComparedStep:
    others = []
    for turn, choice in answered.choices.items():
        before = step.answers.get(turn)
        if choice != before:
            asked = step.turns[turn]
            others.append((asked, chosen(asked, before), chosen(asked, choice)))
    return ComparedStep(len(answered.choices), others)


def chosen(asked: AskedTurn, choice: int | None) -> str | Action:
    """Name the action that was chosen at a turn."""
    if choice is None:
        return "no answer"
    return asked.legal[choice] if choice < len(asked.legal) else f"number {choice}"
