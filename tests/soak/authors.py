"""Authors who hand bots in to a host, one version after the other, whatever is killed meanwhile."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from io import BytesIO
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Final

from referee.bots.archives import ArchiveLimits
from referee.bots.packing import pack
from referee.errors import ConfigError, FileError
from referee.hosting.client import HostClient, Login
from referee.hosting.credentials import TOKEN, new_credential
from referee.store.accounts import add_account, add_token
from referee.store.challenges import add_challenge
from referee.store.database import Store
from referee.store.hosting_models import Account, By, Ladder, NewAccount, NewChallenge, NewToken
from referee.store.ladders import ladder_entrants
from referee.store.lifecycle import examine_once_more
from referee.store.submissions import IN_FLIGHT, submission
from tests.cli.bots import write_bot
from tests.waiting import PATIENCE

_LOOK: Final = 0.3
"""Seconds between looks."""
_CHALLENGED: Final = 2
"""Duels of a challenge."""


class Lost(Exception):
    """What an author waited for did not come about."""


@dataclass
class Author:
    """An author, who hands a version in as soon as the one before is examined."""

    store: Store
    ladder: Ladder
    account: Account
    client: HostClient
    place: Path
    """Where the bots are written."""
    choose: str
    """How they play."""
    enough: Callable[[], bool]
    handed_in: list[int] = field(default_factory=list)
    """The ids of the submissions, as the host told them."""
    again: int = 0
    """How often one was given up by the host's own fault, and examined again."""
    wrong: list[str] = field(default_factory=list)

    def work(self) -> None:
        """Hand versions in, until there were enough kills."""
        try:
            while not self.enough():
                self._hand_in(len(self.handed_in) + 1)
        except (ConfigError, Lost) as error:
            self.wrong.append(f"{self.account.login}: {error}")

    def _hand_in(self, version: int) -> None:
        archive = self._archive(version)
        found = self._insist(partial(self.client.submit, archive, self.ladder.name))
        self.handed_in.append(found["id"])
        state = self._decided(found["id"])
        if state != "active":
            raise Lost(f"submission {found['id']} is {state}")
        self._challenge()

    def _archive(self, version: int) -> bytes:
        login, out = self.account.login, BytesIO()
        choose = f"{self.choose}  # {login} {version}"
        directory = write_bot(self.place / f"{login}-{version}", choose, name=f"bot-{login}")
        pack(directory, out, ArchiveLimits())
        return out.getvalue()

    def _insist(self, ask: Callable[[], dict[str, Any]]) -> Mapping[str, Any]:
        """Ask the host until it answers."""
        deadline = monotonic() + PATIENCE
        while monotonic() < deadline:
            try:
                return ask()
            except FileError:
                sleep(_LOOK)
        raise Lost("the host does not answer")

    def _decided(self, number: int) -> str:
        """Wait until a submission is examined; one that was given up is examined again."""
        deadline = monotonic() + PATIENCE
        while monotonic() < deadline:
            state = str(self._insist(partial(self.client.submission, number))["state"])
            if state == "failed":
                self.again += 1
                examine_once_more(self.store, submission(self.store, number), _by())
            elif state not in IN_FLIGHT:
                return state
            sleep(_LOOK)
        raise Lost(f"submission {number} is not examined")

    def _challenge(self) -> None:
        """Challenge the first of the ladder with the bot that plays now."""
        entrants = ladder_entrants(self.store, self.ladder)
        own = max(each.number for each in entrants if each.account == self.account.id)
        asked = NewChallenge(self.account.id, self.ladder.id, own, 1, _CHALLENGED)
        add_challenge(self.store, asked, _by().at)


def _by() -> By:
    return By(None, datetime.now(UTC))


def sign_up(store: Store, login: str, url: str) -> tuple[Account, HostClient]:
    """Make an account, and what speaks with the host for it."""
    account, drawn, now = (
        add_account(store, NewAccount(login, login.title()), _by()),
        new_credential(TOKEN),
        _by().at,
    )
    add_token(
        store,
        account,
        NewToken("soak", drawn.digest, ("read", "submit"), now + timedelta(days=1)),
        now,
    )
    return account, HostClient(Login(url, drawn.secret))
