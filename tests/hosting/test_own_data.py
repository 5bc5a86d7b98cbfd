"""What is kept of an account: all of it is downloaded, and none of it comes back once deleted."""

import json
import zipfile
from pathlib import Path

import pytest
from sqlalchemy import insert

from referee.errors import ConfigError
from referee.hosting.own_data import delete_account, own_data
from referee.store import lifecycle
from referee.store.challenges import add_challenge, challenge, set_challenge_state
from referee.store.database import Store, writing
from referee.store.hosting_models import By, NewChallenge
from referee.store.hosting_rows import AUDIT
from referee.store.jobs import claim, queue
from referee.store.ladders import ladder_entrants
from referee.store.submissions import file_names, submission
from tests.store.hosting_scenes import HOST, NOW, account, bot, examined, hand_in, house, ladder


def test_what_she_did_is_there_however_much_others_have_done_since(store: Store) -> None:
    ada, bert = account(store), account(store, "bert")
    done = {"at": NOW, "action": "sign in", "details": {}}
    rows = [done | {"actor": ada.id, "subject": "hers"}]
    rows += [done | {"actor": bert.id, "subject": "his"}] * 10_001
    with writing(store) as connection:
        connection.execute(insert(AUDIT), rows + rows[:1])
    with own_data(store, ada) as data, zipfile.ZipFile(data) as archive:
        lines = archive.read("log.jsonl").splitlines()
    found = [(each["actor"], each["subject"]) for each in map(json.loads, lines)]
    assert found == [("ada", "hers")] * 2


def test_challenges_of_a_deleted_account_that_wait_are_cancelled(
    store: Store, tmp_path: Path
) -> None:
    ada, bert, spring = account(store), account(store, "bert"), ladder(store)
    house(store, spring, tmp_path, 1, 2)
    going, waiting, other = (
        add_challenge(store, NewChallenge(each.id, spring.id, 1, 2, 4), NOW)
        for each in (ada, ada, bert)
    )
    assert claim(store, ["challenge"], NOW)
    with writing(store) as connection:
        set_challenge_state(connection, going.id, "running")
    delete_account(store, ada, By(ada.id, NOW))
    assert [(job.state, job.subject) for job in queue(store)] == [
        ("running", going.id),
        ("queued", other.id),
    ]
    cancelled = challenge(store, waiting.id)
    assert (cancelled.state, cancelled.reason) == ("failed", "the account was deleted")
    assert challenge(store, going.id).state == "running"


def test_what_a_deleted_account_handed_in_is_not_examined_again(store: Store) -> None:
    spring, ada, bert = ladder(store), account(store), account(store, "bert")
    hers, his = (hand_in(store, each, spring) for each in (ada, bert))
    for found, author in ((hers, ada), (his, bert)):
        lifecycle.reject(store, examined(store, found, author, spring), "no", NOW)
    delete_account(store, ada, HOST)
    assert lifecycle.examine_latest(store, spring, HOST) == [his.id]
    with pytest.raises(ConfigError, match="submission 1 is gone: the account was deleted"):
        lifecycle.examine_once_more(store, hers, HOST)


def test_what_is_examined_meanwhile_neither_plays_nor_leaves_a_log(
    store: Store, tmp_path: Path
) -> None:
    ada, spring = account(store), ladder(store)
    begun, waiting = hand_in(store, ada, spring, 1), hand_in(store, ada, spring, 2)
    going = examined(store, begun, ada, spring)
    delete_account(store, ada, By(ada.id, NOW))
    lifecycle.accept(store, going, bot(store, tmp_path, 1), {"build.log": b"of Ada"}, NOW)
    assert [*ladder_entrants(store, spring), *file_names(store, begun.id), *queue(store)] == []
    assert submission(store, waiting.id).reason == "the account was deleted"
