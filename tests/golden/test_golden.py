"""Matches as they were once played: decks, choices and scores must come out the same for ever.

A change here means that an old record or a published seed no longer gives what it gave. The hands
of `tests/engine/euchre/test_score.py`, worked by hand, say why the scores are right.
"""

from pathlib import Path
from typing import Any

import pytest

from referee.engine.record import SeededDeal, replay, to_json
from referee.engine.registry import preset
from referee.record_file import read_records
from referee.simulation import Summary, simulate

GOLDEN = Path(__file__).parent
SEED = bytes(range(32))
HOUSE: dict[str, Any] = {"stick_dealer": False, "partner_must_go_alone": True, "target": 5}
PLAYED = [
    ("euchre", "euchre", {}, 3),
    ("euchre-280", "euchre-280", {}, 0),
    ("whist", "whist", {}, 3),
    ("euchre-house-rules", "euchre", HOUSE, 1),
]


@pytest.mark.parametrize(("file", "name", "rules", "first_dealer"), PLAYED)
def test_the_same_seed_gives_the_same_matches(
    file: str, name: str, rules: dict[str, object], first_dealer: int
) -> None:
    summary = Summary(preset(name).game(rules), first_dealer, SEED)
    written = "".join(f"{to_json(record)}\n" for record in simulate(summary, 2))
    assert written == (GOLDEN / f"{file}.jsonl").read_text()


@pytest.mark.parametrize("file", [file for file, *_ in PLAYED])
def test_an_old_record_still_follows_from_the_rules(file: str) -> None:
    for record in read_records(GOLDEN / f"{file}.jsonl"):
        assert [hand.last.result for hand in replay(record)] == [
            hand.result for hand in record.hands
        ]


@pytest.mark.parametrize("file", [file for file, *_ in PLAYED])
def test_an_old_record_tells_its_seed(file: str) -> None:
    for record in read_records(GOLDEN / f"{file}.jsonl"):
        assert isinstance(record.dealt, SeededDeal)
        assert record.dealt.seed == SEED
