"""Rounds of public beacons: when they are due, and signatures that came out of real ones.

The signatures are those of rounds long past, as the documentation and the tests of drand's clients
have them; none can be made up, since each is checked against the key of the network.
"""

import json
import sys
from datetime import UTC, datetime, timedelta
from inspect import unwrap
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import beacon
from referee.beacon import (
    MOST_ROUNDS,
    NETWORKS,
    Round,
    Signed,
    can_check,
    check_signed,
    choose_round,
    read_signed,
)
from referee.errors import ConfigError, RecordError

PAGE = (Path(__file__).parents[1] / "docs" / "deals.md").read_text(encoding="utf-8")
(ROUNDS,) = (
    json.loads(block.split("```")[0])
    for block in PAGE.split("```json\n")[1:]
    if block.startswith('[\n {"network"')
)
NOW = datetime(2025, 3, 1, 12, tzinfo=UTC)
QUICKNET, DEFAULT = ROUNDS[0], ROUNDS[-1]
# Of the network `fastnet`, which signed the same message by another rule.
FOREIGN = (
    "b09eacd45767c4d58306b98901ad0d6086e2663766f3a4ec"
    "71d00cf26f0f49eaf248abc7151c60cf419c4e8b37e80412"
)


def signed(vector: dict[str, Any]) -> Signed:
    return read_signed(json.dumps(vector), round_of(vector))


def round_of(vector: dict[str, Any]) -> Round:
    return Round(vector["network"], vector["round"])


each_round = pytest.mark.parametrize(
    "vector", ROUNDS, ids=lambda vector: f"{vector['network']}-{vector['round']}"
)


@each_round
def test_the_signature_of_a_real_round_is_genuine(vector: dict[str, Any]) -> None:
    assert check_signed(round_of(vector), signed(vector))


@each_round
def test_the_randomness_of_a_real_round_is_as_the_network_had_it(vector: dict[str, Any]) -> None:
    assert signed(vector).randomness.hex() == vector["randomness"]


def test_checking_leaves_deep_json_as_harmless_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library raises the limit of recursion, so far that such JSON would end the process."""
    monkeypatch.setattr(beacon, "is_signature", unwrap(beacon.is_signature))
    for name in [name for name in sys.modules if name.partition(".")[0] == "py_ecc"]:
        monkeypatch.delitem(sys.modules, name)
    before = sys.getrecursionlimit()
    check_signed(round_of(QUICKNET), signed(QUICKNET))
    assert sys.getrecursionlimit() == before


def test_there_are_real_rounds_of_every_network() -> None:
    assert {vector["network"] for vector in ROUNDS} == {*NETWORKS}


@pytest.mark.parametrize("vector", [QUICKNET, DEFAULT], ids=["quicknet", "default"])
def test_a_signature_is_not_that_of_the_next_round(vector: dict[str, Any]) -> None:
    other = round_of(vector)._replace(number=vector["round"] + 1)
    with pytest.raises(RecordError, match=r"^signature: is not that of \w+ round \d+$"):
        check_signed(other, signed(vector))


def test_a_chained_signature_is_of_no_other_round_before_it() -> None:
    real = signed(DEFAULT)
    with pytest.raises(RecordError, match=r"^signature: is not that of default round "):
        check_signed(round_of(DEFAULT), real._replace(previous=real.signature))


def test_a_signature_of_another_network_is_refused() -> None:
    with pytest.raises(RecordError, match=r"^signature: is not that of quicknet round 1000$"):
        check_signed(Round("quicknet", 1000), Signed(bytes.fromhex(FOREIGN)))


@pytest.mark.parametrize("vector", [QUICKNET, DEFAULT], ids=["quicknet", "default"])
def test_the_point_at_infinity_is_no_signature(vector: dict[str, Any]) -> None:
    nothing = b"\xc0" + bytes(len(signed(vector).signature) - 1)
    with pytest.raises(RecordError, match=r"^signature: is not that of "):
        check_signed(round_of(vector), signed(vector)._replace(signature=nothing))


@pytest.mark.parametrize("place", [0, 47])
def test_a_signature_with_a_bit_changed_is_refused(place: int) -> None:
    changed = bytearray(signed(QUICKNET).signature)
    changed[place] ^= 1
    with pytest.raises(RecordError, match=r"^signature: is not that of quicknet round "):
        check_signed(round_of(QUICKNET), Signed(bytes(changed)))


def test_a_signature_of_another_length_is_refused() -> None:
    with pytest.raises(RecordError, match=r"^signature: has 96 bytes, not the 48 of quicknet$"):
        check_signed(Round("quicknet", 1), Signed(bytes(96)))


def test_a_chained_round_needs_the_signature_before_it() -> None:
    only = signed(DEFAULT)._replace(previous=b"")
    with pytest.raises(RecordError, match=r"^previous_signature: is missing, and default signs it"):
        check_signed(round_of(DEFAULT), only)


def test_an_unchained_round_has_no_signature_before_it() -> None:
    more = signed(QUICKNET)._replace(previous=b"x")
    with pytest.raises(RecordError, match=r"^previous_signature: is nothing that quicknet signs$"):
        check_signed(round_of(QUICKNET), more)


def test_where_nothing_can_check_a_signature_that_is_not_claimed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "py_ecc", None)
    assert not check_signed(round_of(QUICKNET), signed(QUICKNET))


def test_signatures_can_be_checked_here() -> None:
    assert can_check()


@pytest.mark.parametrize("network", NETWORKS)
@given(number=st.integers(1, MOST_ROUNDS))
def test_a_round_is_the_first_one_that_is_not_due_before_it(network: str, number: int) -> None:
    found = NETWORKS[network]
    assert found.first_round(found.due(number)) == number


@pytest.mark.parametrize("network", NETWORKS)
@given(moment=st.datetimes(datetime(2024, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC)))  # noqa: DTZ001 (the strategy adds the zone)
def test_the_first_round_after_a_moment_is_due_less_than_a_period_later(
    network: str, moment: datetime
) -> None:
    found = NETWORKS[network]
    late = found.due(found.first_round(moment)) - moment
    assert timedelta(0) <= late < timedelta(seconds=found.period)


def test_before_its_genesis_a_network_has_no_round() -> None:
    assert NETWORKS["quicknet"].first_round(datetime(2020, 1, 1, tzinfo=UTC)) == 1


def test_a_round_is_chosen_by_its_number() -> None:
    assert choose_round("quicknet:990000000", NOW) == Round("quicknet", 990_000_000)


@pytest.mark.parametrize(("text", "hours"), [("in=90m", 1.5), ("in=2h", 2), ("in=3d", 72)])
def test_a_round_is_chosen_by_the_time_until_then(text: str, hours: float) -> None:
    chosen = choose_round(f"default:{text}", NOW)
    late = chosen.due - NOW - timedelta(hours=hours)
    assert timedelta(0) <= late < timedelta(seconds=30)


def test_a_round_that_was_due_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"^quicknet round 1000 was out at 2023-08-23 15:59:24 "):
        choose_round("quicknet:1000", NOW)


def test_a_round_that_is_due_at_this_moment_is_refused() -> None:
    due = Round("quicknet", 990_000_000).due
    with pytest.raises(ConfigError, match=r"^quicknet round 990000000 was out at "):
        choose_round("quicknet:990000000", due)


@pytest.mark.parametrize(
    "text",
    [
        *("", "quicknet", "quicknet:", "quicknet:0", "quicknet:-1", "quicknet:in=2", "nist:5"),
        *("quicknet:in=0h", "quicknet:1e9", "quicknet:\u0661", "quicknet:1000000000"),
    ],
)
def test_what_is_no_round_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match=r"^a round of a beacon is NETWORK:ROUND or "):
        choose_round(text, NOW)


def test_a_bare_signature_is_read() -> None:
    text = f"  {QUICKNET['signature']}\n"
    assert read_signed(text, round_of(QUICKNET)) == signed(QUICKNET)


def test_an_empty_previous_signature_is_none() -> None:
    vector = {**QUICKNET, "previous_signature": ""}
    assert signed(vector) == signed(QUICKNET)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("", "signature: must be hexadecimal digits", id="nothing"),
        pytest.param("0" * 400, "signature: must be hexadecimal digits", id="too long"),
        pytest.param("abc", "signature: must be hexadecimal digits", id="half a byte"),
        pytest.param("{", "this is not JSON", id="no JSON"),
        pytest.param('{"signature": "aa"}', "round: is null, but should be 7", id="no round"),
        pytest.param(
            '{"round": 8, "signature": "aa"}', "round: is 8, but should be 7", id="other round"
        ),
        pytest.param('{"round": 7}', "signature: must be hexadecimal", id="no signature"),
        pytest.param(
            '{"round": 7, "signature": "aa", "randomness": "bb"}',
            'randomness: is "bb", but should be ',
            id="other randomness",
        ),
        pytest.param(
            '{"round": 7, "signature": "aa", "previous_signature": 5}',
            "previous_signature: must be hexadecimal",
            id="a number",
        ),
    ],
)
def test_what_is_no_signature_is_refused(text: str, message: str) -> None:
    with pytest.raises(RecordError) as refused:
        read_signed(text, Round("quicknet", 7))
    assert str(refused.value).startswith(message)


def test_what_is_no_text_is_no_signature() -> None:
    with pytest.raises(RecordError, match=r"must be hexadecimal digits, or JSON in ASCII"):
        read_signed("{\udcff", Round("quicknet", 1000))
