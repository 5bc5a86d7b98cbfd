"""What a worker reports is read back as it was written, and nothing else is."""

import json
from base64 import b64encode
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.arena.duel import Timing
from referee.arena.fault import FAULT_KINDS
from referee.errors import RecordError
from referee.json_forms import LEVELS, LONGEST_TEXT
from referee.league.channel import HalfPlayed, NeverStarted, News
from referee.league.outcome_forms import (
    isolation_as_json,
    isolation_from_json,
    news_as_json,
    news_from_json,
)
from referee.league.stored_duels import LARGEST_BUNDLE
from referee.scheduling.keys import DuelKey
from referee.store.models import Isolation, Side, StoredDuel, StoredFault, StoredVoid
from referee.store.play import LONGEST
from tests.store.scenes import HELD
from tests.table import euchre

GAME = euchre()
NUMBERS = st.integers(0, 1000)
WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=20)
KEYS = st.builds(DuelKey, st.integers(1, 500), st.integers(1, 500), NUMBERS)
BUNDLES = st.none() | st.binary(max_size=40)
TIMES = st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001
MARGINS = st.integers(-40, 40).map(lambda doubled: doubled / 2)
TIMINGS = st.builds(
    Timing,
    st.integers(0, 10**9).map(lambda microseconds: round(microseconds / 10**6, 6)),
    *(st.integers(0, 1), NUMBERS, st.integers(0, 3), WORDS),
)
TALLIES = st.dictionaries(
    st.from_regex("[a-z]{1,9}", fullmatch=True), st.integers(-100, 100), max_size=4
)
SIDES = st.builds(Side, TALLIES, st.none() | TIMINGS)
FAULTS = st.builds(
    StoredFault,
    *(st.sampled_from(FAULT_KINDS), st.integers(1, 500), st.integers(0, 3), st.integers(0, 1)),
    *(NUMBERS, WORDS, st.booleans(), BUNDLES),
)
DUELS = st.builds(
    StoredDuel,
    *(KEYS, st.binary(max_size=40), st.integers(0, 2), MARGINS, NUMBERS),
    *(st.tuples(SIDES, SIDES), st.lists(FAULTS, max_size=2).map(tuple), TIMES),
    *(st.binary(min_size=32, max_size=32).map(bytes.hex), NUMBERS),
)
NEWS = st.one_of(
    DUELS,
    st.builds(StoredVoid, KEYS, WORDS, TIMES),
    st.builds(HalfPlayed, KEYS),
    st.builds(NeverStarted, st.integers(1, 500), st.sampled_from(FAULT_KINDS), WORDS, BUNDLES),
)
GUARANTEES = st.fixed_dictionaries(
    {
        "name": st.from_regex("[a-z]{1,9}", fullmatch=True),
        "level": st.sampled_from(LEVELS),
        "reason": WORDS,
        "remedy": WORDS,
    }
)
AT = datetime(2026, 5, 4, 12, 30, 15, 123456, tzinfo=UTC)
FAULT = StoredFault(FAULT_KINDS[0], 2, 3, 1, 4, "chose a card it had not", True, b"evidence")
DUEL = StoredDuel(
    *(DuelKey(1, 2, 3), b"play", 1, 1.5, 17),
    *((Side({"hands": 9}, Timing(0.25, 1, 3, 2, "trick 3")), Side({}, None)), (FAULT,), AT),
    *("a" * 64, 4),
)


def sent(form: object) -> Any:  # noqa: ANN401 (as json.loads returns it)
    return json.loads(json.dumps(form))


def changed(news: News, *path: str | int, to: object) -> Any:  # noqa: ANN401 (likewise)
    form = sent(news_as_json(news, GAME))
    inside = form
    for step in path[:-1]:
        inside = inside[step]
    inside[path[-1]] = to
    return form


@settings(max_examples=25)
@given(NEWS)
def test_news_are_read_as_they_were_written(news: News) -> None:
    assert news_from_json(sent(news_as_json(news, GAME)), GAME) == news


@settings(max_examples=10)
@given(st.builds(Isolation, st.booleans(), st.booleans(), st.lists(GUARANTEES).map(tuple)))
def test_what_isolated_bots_is_read_as_it_was_written(isolation: Isolation) -> None:
    assert isolation_from_json(sent(isolation_as_json(isolation)), "isolation") == isolation


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("type",), "news"),
        (("type",), None),
        (("type",), "void"),
        (("more",), 1),
        (("key",), [1, 2]),
        (("key",), [1, 2, 3, 4]),
        (("key", 0), 0),
        (("key", 2), -1),
        (("key", 2), True),
        (("key", 2), 1.0),
        (("play",), "no base64"),
        (("play",), "cGxheQ"),
        (("play",), None),
        (("play",), b64encode(bytes(LONGEST + 1)).decode()),
        (("wins",), 3),
        (("wins",), "1"),
        (("margin",), "1.5"),
        (("margin",), 1e7),
        (("hands",), -1),
        (("identical",), None),
        (("digest",), "A" * 64),
        (("digest",), None),
        (("finished",), "yesterday"),
        (("finished",), "0001-01-01T00:00:00+14:00"),
        (("sides",), []),
        (("sides", 0), None),
        (("sides", 0, "tallies"), []),
        (("sides", 0, "tallies", "euchred"), 0.5),
        (("sides", 0, "tallies", "\n"), 1),
        (("sides", 0, "tallies"), {str(number): 1 for number in range(101)}),
        (("sides", 0, "slowest", "seat"), 2),
        (("faults",), {}),
        (("faults", 0, "kind"), "bad luck"),
        (("faults", 0, "entrant"), None),
        (("faults", 0, "more"), 1),
        (("faults", 0, "explanation"), "x" * (LONGEST_TEXT + 1)),
        (("faults", 0, "explanation"), "\ud800"),
        (("faults", 0, "bundle"), b64encode(bytes(LARGEST_BUNDLE + 1)).decode()),
    ],
)
def test_a_duel_that_no_worker_reports_is_refused(
    path: tuple[str | int, ...], value: object
) -> None:
    with pytest.raises(RecordError):
        news_from_json(changed(DUEL, *path, to=value), GAME)


@pytest.mark.parametrize("read", [None, [], "duel", 1, {}])
def test_what_is_no_news_is_refused(read: object) -> None:
    with pytest.raises(RecordError):
        news_from_json(read, GAME)


@pytest.mark.parametrize("name", StoredDuel._fields)
def test_a_duel_that_lacks_a_field_is_refused(name: str) -> None:
    form = sent(news_as_json(DUEL, GAME))
    del form[name]
    with pytest.raises(RecordError, match=f"{name}: is missing"):
        news_from_json(form, GAME)


@pytest.mark.parametrize(
    ("field", "value"),
    [("level", "good"), ("name", ""), ("reason", None), ("remedy", "x" * (LONGEST_TEXT + 1))],
)
def test_a_guarantee_that_no_sandbox_gives_is_refused(field: str, value: object) -> None:
    form = sent(isolation_as_json(HELD))
    form["guarantees"][0][field] = value
    with pytest.raises(RecordError, match=f"isolation.guarantees.0..{field}"):
        isolation_from_json(form, "isolation")


def test_of_texts_that_are_too_long_or_no_unicode_what_can_be_read_is_written() -> None:
    void = StoredVoid(DuelKey(1, 2, 3), "\ud800" + "x" * LONGEST_TEXT, AT)
    read = news_from_json(sent(news_as_json(void, GAME)), GAME)
    assert read == void._replace(reason="?" + "x" * (LONGEST_TEXT - 1))


def test_of_the_bundles_of_one_duel_no_more_are_written_than_a_line_may_have() -> None:
    padded = FAULT._replace(bundle=bytes(LARGEST_BUNDLE))
    read = news_from_json(news_as_json(DUEL._replace(faults=(padded, padded, FAULT)), GAME), GAME)
    assert isinstance(read, StoredDuel)
    assert [fault.bundle is None for fault in read.faults] == [False, False, True]
