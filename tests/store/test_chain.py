"""The chain of a log is what `docs/store.md` says, and a digest changes with all that it covers."""

from hashlib import sha256

import pytest

from referee.arena.fault import CRASHED, ILLEGAL_ACTION
from referee.engine.record import MatchRecord, SeededDeal
from referee.json_forms import FaultForm
from referee.scheduling.keys import DuelKey
from referee.store.chain import START, canonical_json, chained, duel_digest
from tests.store import scenes
from tests.table import euchre

KEY = DuelKey(1, 2, 0)
FAULT = FaultForm(CRASHED, 2, 3, 1, 4, True, "it ended by signal 11")


@pytest.fixture(scope="module")
def rooms() -> tuple[MatchRecord, MatchRecord]:
    return scenes.played(euchre(), SeededDeal(scenes.SEED, "any"))


def test_canonical_json_has_sorted_names_no_spaces_and_no_escapes() -> None:
    assert canonical_json({"b": [1, None], "a": "Zoë"}) == '{"a":"Zoë","b":[1,null]}'.encode()


def test_a_head_is_the_hash_of_a_label_the_head_before_and_the_entry() -> None:
    entry = {"number": 1, "at": "2026-05-04T12:30:15+00:00", "kind": "closed"}
    written = b'{"at":"2026-05-04T12:30:15+00:00","kind":"closed","number":1}'
    assert chained(START, entry) == sha256(b"upcard-log-v1" + bytes(32) + written).hexdigest()


def test_a_head_of_the_documentation_is_what_comes_out() -> None:
    entry = {"number": 1, "at": "2026-05-04T12:30:15+00:00", "kind": "closed"}
    assert chained(START, entry) == (
        "4de4df22d89289d0f18b81a8ab37d049621f06e7b2ad817527d066ce42285f53"
    )


def test_a_head_changes_with_the_one_before_it() -> None:
    entry = {"number": 2, "kind": "closed"}
    assert chained(START, entry) != chained("01" * 32, entry)


def test_a_duel_has_one_digest_whatever_its_decks_were_read_from(
    rooms: tuple[MatchRecord, MatchRecord],
) -> None:
    first, second = (record._replace(dealt=(record.deck(0),)) for record in rooms)
    assert duel_digest(KEY, (first, second), [FAULT]) == duel_digest(KEY, rooms, [FAULT])


def test_a_digest_changes_with_the_duel(rooms: tuple[MatchRecord, MatchRecord]) -> None:
    assert duel_digest(KEY._replace(number=1), rooms, []) != duel_digest(KEY, rooms, [])


def test_a_digest_changes_with_an_action(rooms: tuple[MatchRecord, MatchRecord]) -> None:
    hand = rooms[0].hands[0]
    shorter = hand._replace(actions=hand.actions[:-1])
    other = rooms[0]._replace(hands=(shorter, *rooms[0].hands[1:]))
    assert duel_digest(KEY, (other, rooms[1]), []) != duel_digest(KEY, rooms, [])


@pytest.mark.parametrize(
    "faults", [[], [FAULT, FAULT], [FAULT._replace(kind=ILLEGAL_ACTION)], [FAULT._replace(hand=5)]]
)
def test_a_digest_changes_with_the_faults(
    rooms: tuple[MatchRecord, MatchRecord], faults: list[FaultForm]
) -> None:
    assert duel_digest(KEY, rooms, faults) != duel_digest(KEY, rooms, [FAULT])
