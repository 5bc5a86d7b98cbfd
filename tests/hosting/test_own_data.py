"""An account that is deleted: nothing that was going on brings any of it back."""

from pathlib import Path

from referee.hosting.own_data import delete_account
from referee.store import lifecycle
from referee.store.database import Store
from referee.store.hosting_models import By
from referee.store.jobs import queue
from referee.store.ladders import ladder_entrants
from referee.store.submissions import file_names, submission
from tests.store.hosting_scenes import NOW, account, bot, examined, hand_in, ladder


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
