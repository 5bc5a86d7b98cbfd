"""No export of a stranger does harm, whatever is in it."""

import csv
import json
import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.errors import UpcardError
from tests.publication.exports import (
    FAULTY,
    checked,
    forged_league,
    league,
    sealed,
    written,
    wrong,
)

DEEP = "[" * 200_000
LONG = "9" * 100_000


@pytest.mark.parametrize("file", ["league.json", "duels.jsonl"])
@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[]",
        "{}",
        "{",
        DEEP,
        '{"schema":' * 50_000,
        f'{{"schema":{LONG}}}',
        f'{{"schema":1,"name":{DEEP}{"]" * 200_000}}}',
        '{"schema":1,"schema":1}',
        '{"schema":NaN}',
        '{"schema":1e999}',
        '{"schema":true}',
        '{"schema":2}',
        '{"schema":-1}',
        "\ufeff{}",
        "\0" * 1000,
        '"\\ud800"',
        '{"\\ud800":1}',
    ],
)
def test_no_text_of_a_stranger_does_harm(out: Path, file: str, text: str) -> None:
    (out / file).write_text(text + "\n")
    assert wrong(sealed(out)).startswith((file, "league.json: sandboxes"))


@pytest.mark.parametrize("file", ["league.json", "duels.jsonl", "ratings.csv", "voids.csv"])
@pytest.mark.parametrize("data", [b"\xff\xfe", b"\x80" * 99, b'"' * 99, b"\0", b"a,b\r"])
def test_no_bytes_of_a_stranger_do_harm(out: Path, file: str, data: bytes) -> None:
    (out / file).write_bytes(data)
    assert wrong(sealed(out)).startswith(file)


def test_a_line_without_end_is_read_in_part_only(
    out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.record_file.LONGEST_LINE", 1000)
    assert wrong(out).startswith("duels.jsonl, line 1: this is longer than any match or duel")


def test_a_table_without_end_is_not_read(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.publication.verification_files.LARGEST", 300)
    with pytest.raises(UpcardError, match="larger than any league makes it"):
        checked(out)


def _plan_too_much(document: Any) -> None:  # noqa: ANN401 # JSON
    document["duels"] = document["block"] = 1_000_000
    document["until"] = {"confidence": 0.9, "by": "rating"}
    late = {**document["entrants"][0], "epoch": 1}
    document["entrants"] += [
        {**late, "number": number, "digest": f"{number:064}"} for number in range(4, 501)
    ]


def test_a_plan_of_more_duels_than_fit_in_memory_does_no_harm(out: Path) -> None:
    assert checked(forged_league(out, _plan_too_much)).outcome == "failed"


# What may change without anything being wrong: it rests on the referee's word.
ON_TRUST = {
    "league.json": r"upcard|limits\..*|policy\.forfeit_at|tables|at_least|beat|block|created"
    r"|entrants\.\d+\.(author|digest)|epochs\.\d+\.(given|opened)|state"
    r"|sandboxes\.\d+\.(sandboxed|strict|guarantees.*)",
    "duels.jsonl": r"\d+\.(faults\.\d+\.(kind|explanation)|slowest.*)",
}


def leaves(value: object, path: str = "") -> Iterator[str]:
    """Name everything there is in a piece of JSON."""
    inside = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for name, each in inside:
        here = f"{path}.{name}".lstrip(".")
        yield here
        yield from leaves(each, here)


def changed_at(value: Any, path: str, random: Random) -> None:  # noqa: ANN401 # JSON
    """Change one thing in a piece of JSON."""
    *way, last = path.split(".")
    for step in way:
        value = value[int(step) if isinstance(value, list) else step]
    place: Any = int(last) if isinstance(value, list) else last
    if random.random() < 0.2:
        del value[place]
    elif random.random() < 0.2 and isinstance(value, list):
        value.append(value[place])
    else:
        value[place] = other(value[place], random)


def other(value: object, random: Random) -> object:
    wild: list[object] = [
        None,
        True,
        -1,
        0,
        1,
        2,
        10**30,
        0.5,
        1e308,
        "",
        "N",
        "é\ud800",
        [],
        {},
        [[]],
    ]
    if isinstance(value, bool):
        return not value
    if isinstance(value, int) and random.random() < 0.7:
        return value + random.choice([-1, 1])
    if isinstance(value, str) and value and random.random() < 0.7:
        return value[:-1] + random.choice("0123456789abcdefJQKACDHS")
    return random.choice([each for each in wild if each != value or type(each) is not type(value)])


@pytest.mark.parametrize("file", ON_TRUST)
@pytest.mark.parametrize("game", ["euchre", "whist"])
def test_whatever_field_is_forged_is_found_or_rests_on_trust(
    tmp_path: Path, file: str, game: str
) -> None:
    out = written(tmp_path / "out", league(game=game, target=1), [FAULTY])
    path, random = out / file, Random(file + game)
    text = path.read_text()
    lines = file.endswith("l")
    document = [json.loads(line) for line in text.splitlines()] if lines else json.loads(text)
    places = list(leaves(document))
    for place in random.sample(places, min(60, len(places))):
        forged = json.loads(json.dumps(document))
        changed_at(forged, place, random)
        if forged == document:
            continue
        dumped = [json.dumps(line) for line in forged] if lines else [json.dumps(forged)]
        path.write_text("".join(f"{line}\n" for line in dumped))
        outcome = checked(sealed(out)).outcome
        assert outcome == "failed" or re.fullmatch(ON_TRUST[file], place), place
    path.write_text(text)
    assert checked(sealed(out)).outcome == "consistent"


def meaning(file: str, data: bytes) -> object:
    """Return what a reader takes from a table: numbers may differ in their last digit."""
    if not file.endswith(".csv"):
        return data
    rows = csv.reader(StringIO(data.decode(errors="replace"), newline=""))
    if file == "voids.csv":
        return [row[:3] for row in rows]
    return [[re.sub(r"(\.\d{5})\d$", r"\1", cell) for cell in row] for row in rows]


@pytest.mark.parametrize(
    "file", ["ratings.csv", "crosstable.csv", "voids.csv", "matches.egn.jsonl", "SHA256SUMS"]
)
def test_whatever_byte_is_forged_is_found_or_means_nothing(tmp_path: Path, file: str) -> None:
    out = written(tmp_path / "out", league(target=1), lacking=[FAULTY])
    path, random = out / file, Random(file)
    data = path.read_bytes()
    for _ in range(40):
        forged = bytearray(data)
        forged[random.randrange(len(forged))] ^= 1 << random.randrange(8)
        path.write_bytes(forged)
        report = checked(out if file == "SHA256SUMS" else sealed(out))
        if report.outcome != "failed":
            assert meaning(file, bytes(forged)) == meaning(file, data)
