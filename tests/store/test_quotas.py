"""Quotas hold for requests at the same time: what there is is counted where one more is added."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from referee.errors import ConfigError
from referee.store.accounts import add_token, tokens
from referee.store.challenges import add_challenge, challenges
from referee.store.database import Store
from referee.store.hosting_models import Account, Ladder, NewChallenge, NewToken
from tests.store.hosting_scenes import LATER, NOW, account, ladder

AT_ONCE = 6
Add = Callable[[Store, Account, Ladder, int], object]


def refuse_a_second(count: int) -> None:
    if count:
        raise ConfigError("one is enough")


def token(store: Store, ada: Account, _: Ladder, number: int) -> object:
    return add_token(
        store, ada, NewToken("t", f"{number:064x}", ("read",), LATER), NOW, refuse_a_second
    )


def challenge(store: Store, ada: Account, spring: Ladder, _: int) -> object:
    return add_challenge(store, NewChallenge(ada.id, spring.id, 1, 2, 20), NOW, refuse_a_second)


@pytest.mark.parametrize("add", [token, challenge], ids=["token", "challenge"])
def test_of_several_at_the_same_time_one_is_added(store: Store, add: Add) -> None:
    ada, spring, begin = account(store), ladder(store), Barrier(AT_ONCE)

    def ask(number: int) -> bool:
        begin.wait()
        try:
            add(store, ada, spring, number)
        except ConfigError:
            return False
        return True

    with ThreadPoolExecutor(AT_ONCE) as threads:
        assert sum(threads.map(ask, range(AT_ONCE))) == 1
    assert len(tokens(store, ada)) + len(challenges(store, ada.id)) == 1
