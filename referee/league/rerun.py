"""Sends a bot once more what it was sent before a fault, and sees what it does this time."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from referee.arena import fault
from referee.engine.cards import Action
from referee.league.fault_bundle import Bundle, Said
from referee.rpc import codec
from referee.rpc.conversation import Answered, Conversation, conversation
from referee.rpc.judging import Misdeed, received
from referee.rpc.launcher import Launcher
from referee.rpc.reading import Asked, kind_of, read_frame
from referee.rpc.transcript import FROM_BOT, TO_BOT, Evidence, Message

_AFTERWARDS: Final = 1.0
"""Seconds for which the bot is watched after its last answer."""


class Step(NamedTuple):
    """What the bot was sent at one moment, and what it answered to that."""

    sent: bytes
    turns: Mapping[int, Asked]
    answers: Mapping[int, int]
    """The first time; without what was never answered."""


class Compared(NamedTuple):
    """How the answers to one frame compare with those of the first time."""

    answered: int
    others: Sequence[tuple[Asked, str, str]]
    """Where it chose otherwise: what it was asked, its choice then and its choice now."""


class Rerun(NamedTuple):
    """What came of it."""

    misdeed: Misdeed | None
    evidence: Evidence

    def is_the_same(self, bundle: Bundle) -> bool:
        """Say whether the fault came back."""
        return self.misdeed is not None and self.misdeed.kind == bundle.kind


def steps_of(messages: Sequence[Said | Message]) -> list[Step]:
    """Put what was said in order: each message to the bot, with the answers that followed."""
    steps: list[tuple[bytes, dict[int, Asked], dict[int, int]]] = []
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
    return [Step(*step) for step in steps]


def illegal_answers(steps: Sequence[Step]) -> Iterator[tuple[Asked, int]]:
    """Give the turns that were answered with a choice there is not, the last ones first."""
    for step in reversed(steps):
        for turn, choice in step.answers.items():
            if choice >= len(step.turns[turn].legal):
                yield step.turns[turn], choice


def unanswered(messages: Sequence[Said]) -> list[Asked]:
    """Give the turns that were open in the end."""
    steps = [step for step in steps_of(messages) if step.turns]
    if not steps:
        return []
    return [asked for turn, asked in steps[-1].turns.items() if turn not in steps[-1].answers]


async def rerun(bundle: Bundle, launcher: Launcher, compared: Callable[[Compared], None]) -> Rerun:
    """Start the bot and say it all again, in the same words; each answer is handed on."""
    async with conversation(launcher, bundle.limits, bundle.seat) as talk:
        misdeed = await _greeted(talk) or await _told_again(talk, bundle, compared)
        return Rerun(misdeed, talk.evidence())


async def _told_again(
    talk: Conversation, bundle: Bundle, compared: Callable[[Compared], None]
) -> Misdeed | None:
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
        if isinstance(answered, Misdeed):
            return answered
        compared(_compared(step, answered))
        if misdeed := _charged(bundle, step, answered, banks):
            return misdeed
    rested = await talk.rest(_AFTERWARDS)
    return rested if isinstance(rested, Misdeed) else None


async def _greeted(talk: Conversation) -> Misdeed | None:
    hello = await talk.hello()
    if isinstance(hello, Misdeed):
        return hello
    judged = received(hello, talk.token)
    return judged if isinstance(judged, Misdeed) else None


def _charged(
    bundle: Bundle, step: Step, answered: Answered, banks: dict[int, float]
) -> Misdeed | None:
    """Charge each decision to the bank of its match, if there is one."""
    limits = bundle.limits
    if not limits.bank:
        return None
    for turn, seconds in answered.seconds.items():
        table = step.turns[turn].table
        banks[table] = banks.get(table, limits.bank) + limits.increment - seconds
        if banks[table] < 0:
            return Misdeed(fault.BANK_EMPTY, "used up its time for the match")
    return None


def _compared(step: Step, answered: Answered) -> Compared:
    others = []
    for turn, choice in answered.choices.items():
        before = step.answers.get(turn)
        if choice != before:
            asked = step.turns[turn]
            others.append((asked, chosen(asked, before), chosen(asked, choice)))
    return Compared(len(answered.choices), others)


def chosen(asked: Asked, choice: int | None) -> str | Action:
    """Name the action that was chosen at a turn."""
    if choice is None:
        return "no answer"
    return asked.legal[choice] if choice < len(asked.legal) else f"number {choice}"
