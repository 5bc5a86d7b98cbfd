"""What the tests put into the store of a host."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from referee.arena.limits import Terms
from referee.store.accounts import add_account
from referee.store.bots import add_bot
from referee.store.database import Store, writing
from referee.store.hosting_models import (
    Account,
    By,
    Ladder,
    LadderPlan,
    NewAccount,
    NewSubmission,
    Submission,
    Usage,
)
from referee.store.jobs import claim
from referee.store.ladders import create_ladder, enter_ladder
from referee.store.lifecycle import Examination, accept
from referee.store.models import Bot
from referee.store.sources import put_source, receiving
from referee.store.submissions import add_submission
from tests.store import scenes
from tests.table import euchre

NOW = datetime(2026, 9, 1, 8, tzinfo=UTC)
LATER = NOW + timedelta(hours=1)
HOST = By(None, NOW)
PLAN = LadderPlan(Terms(euchre()), 4, timedelta(days=1), timedelta(minutes=10), 3)


def anything(_: Usage) -> None:
    """Refuse nothing."""


def account(store: Store, login: str = "ada") -> Account:
    return add_account(store, NewAccount(login, login.title()), HOST)


def ladder(store: Store, name: str = "spring", plan: LadderPlan = PLAN) -> Ladder:
    return create_ladder(store, name, plan, HOST)


def bot(store: Store, directory: Path, number: int, name: str = "mine", version: str = "1") -> Bot:
    """Store a bot, which is another one for each number."""
    made = scenes.bot(number, name, version)
    files = directory / f"bundle-{number}"
    add_bot(store, made, files if files.exists() else scenes.bundle(files))
    return made


def house(store: Store, on: Ladder, directory: Path, *numbers: int) -> list[Bot]:
    """Enter house bots."""
    bots = [bot(store, directory, number, f"house-{number}") for number in numbers]
    with writing(store) as connection:
        for each in bots:
            enter_ladder(connection, on, each, None, NOW)
    return bots


def hand_in(
    store: Store,
    by: Account,
    on: Ladder,
    source: int = 1,
    name: str = "mine",
    *,
    at: datetime = NOW,
    refuse: Callable[[Usage], None] = anything,
) -> Submission:
    """Hand in a bot whose content has a number."""
    new = NewSubmission(by.id, on.id, f"{source:064x}", name, str(source), "python", 1000)
    return add_submission(store, new, refuse, at)[0]


def archive(store: Store, found: Submission, content: bytes = b"PK") -> bytes:
    """Keep something as the archive of a submission."""
    with receiving(store.files) as own:
        (own / "archive").write_bytes(content)
        put_source(store.files, found.source, own / "archive")
    return content


def examined(store: Store, found: Submission, by: Account, on: Ladder) -> Examination:
    """Begin the examination of the submission that waits for longest."""
    job = claim(store, ["examine"], NOW + timedelta(days=1))
    assert job
    assert job.subject == found.id
    return Examination(job, found, by, on)


def accepted(
    store: Store, directory: Path, by: Account, on: Ladder, source: int = 1, name: str = "mine"
) -> Submission:
    """Hand in a bot and accept it; its digest has the number of its content."""
    found = hand_in(store, by, on, source, name)
    going = examined(store, found, by, on)
    accept(store, going, bot(store, directory, source, name, str(source)), {}, NOW)
    return found
