"""What a bot is examined for at its hello."""

from collections.abc import Iterator
from typing import Final

from referee.arena.limits import MOST_TABLES
from referee.examination.report_card import FAIL, PASS, Check, Examiner
from referee.rpc import codec
from referee.rpc.conversation import Conversation
from referee.rpc.decoding import DecodedHello, read_hello
from referee.rpc.judging import NO_HELLO, Violation

_SEAT: Final = 2

_Line = tuple[str, bool, str]
"""What of the hello, whether it is as it should be, and what there is to say."""


async def hello_lines(desk: Examiner) -> list[Check]:
    """Look at how it presents itself, and learn at how many tables it can sit."""
    name = "says hello in time"
    async with desk.seated(_SEAT) as talk:
        hello = await talk.hello()
        if isinstance(hello, Violation):
            return [desk.mark(name, hello, talk)]
        taken = talk.evidence().messages[0].seconds
        in_time = Check(name, PASS, f"after {taken:.2f} s of {desk.limits.ready:g} s")
        said = read_hello(hello)
        if said is None:
            return [in_time, desk.mark("hello: message", NO_HELLO, talk)]
        marks = [in_time, *_marks(desk, said, talk)]
        desk.tables = min(desk.tables, said.tables or 1)
        return marks


def _marks(desk: Examiner, said: DecodedHello, talk: Conversation) -> Iterator[Check]:
    for what, passes, says in _lines(desk, said, talk):
        name = f"hello: {what}"
        yield Check(name, PASS, says) if passes else Check(name, FAIL, says, talk.evidence())


def _lines(desk: Examiner, said: DecodedHello, talk: Conversation) -> Iterator[_Line]:
    is_its_own = said.token == talk.token
    yield "token", is_its_own, "its own" if is_its_own else "is not the value of UPCARD_TOKEN"
    revision, least = said.protocol_revision, codec.PROTOCOL_REVISION
    old = f"is {revision}; the referee speaks {least} and newer"
    yield "protocol revision", revision >= least, old if revision < least else str(revision)
    long = len(said.sdk.encode()) > codec.MOST_TEXT
    yield "SDK", not long, f"is longer than {codec.MOST_TEXT} bytes" if long else said.sdk or "none"
    many = said.tables > MOST_TABLES
    sits_at = f"{said.tables or 1}, and bot.toml has {desk.tables}"
    yield "tables", not many, f"is {said.tables}; must be 1 to {MOST_TABLES}" if many else sits_at
