"""Checks how a bot says hello."""

from collections.abc import Iterator
from typing import Final

from referee.arena.fault import Violation
from referee.arena.limits import MOST_TABLES
from referee.examination.examined_bot import ExaminedBot
from referee.examination.report_card import FAIL, PASS, Check, Examiner
from referee.rpc import codec
from referee.rpc.decoding import DecodedHello, read_hello
from referee.rpc.judging import NO_HELLO

_SEAT: Final = 2

_Line = tuple[str, bool, str]
"""The part of the hello, whether it is as it should be, and what the card says."""


async def hello_checks(examiner: Examiner) -> list[Check]:
    """Look at how a bot presents itself, and learn how many matches it can play at once."""
    name = "says hello in time"
    async with examiner.start(_SEAT) as bot:
        hello = await bot.hello()
        if isinstance(hello, Violation):
            return [examiner.record(name, hello, bot)]
        taken = bot.link.hello_seconds
        in_time = Check(name, PASS, f"after {taken:.2f} s of {examiner.limits.ready:g} s")
        said = read_hello(hello)
        if said is None:
            return [in_time, examiner.record("hello: message", NO_HELLO, bot)]
        checks = [in_time, *_checks(examiner, said, bot)]
        examiner.tables = min(examiner.tables, said.tables or 1)
        return checks


def _checks(examiner: Examiner, said: DecodedHello, bot: ExaminedBot) -> Iterator[Check]:
    for what, passes, says in _lines(examiner, said, bot):
        name = f"hello: {what}"
        yield Check(name, PASS, says) if passes else Check(name, FAIL, says, bot.link.evidence())


def _lines(examiner: Examiner, said: DecodedHello, bot: ExaminedBot) -> Iterator[_Line]:
    is_its_own = said.token == bot.link.token
    yield "token", is_its_own, "its own" if is_its_own else "is not the value of UPCARD_TOKEN"
    revision, least = said.protocol_revision, codec.PROTOCOL_REVISION
    old = f"is {revision}; the referee speaks {least} and newer"
    yield "protocol revision", revision >= least, old if revision < least else str(revision)
    long = len(said.sdk.encode()) > codec.MOST_TEXT
    yield "SDK", not long, f"is longer than {codec.MOST_TEXT} bytes" if long else said.sdk or "none"
    many = said.tables > MOST_TABLES
    tables = f"{said.tables or 1}, and bot.toml has {examiner.tables}"
    yield "tables", not many, f"is {said.tables}; must be 1 to {MOST_TABLES}" if many else tables
