"""The page on research says what the encodings are, and its examples do what it says."""

import doctest
from pathlib import Path

import pytest

from referee.datasets.decisions import MEANINGS, columns_of
from upcard.encoding import ENCODINGS, Encoding

PAGE = Path(__file__).parents[2] / "docs" / "research.md"


def table(encoding: Encoding) -> str:
    rows = [
        f"| `{field.name}` | {encoding.where[field.name].start} | "
        f"{' by '.join(map(str, field.shape))} | {field.meaning} |"
        for field in encoding.fields
    ]
    head = ["| field | from byte | shape | meaning |", "| --- | --- | --- | --- |"]
    return "\n".join([*head, *rows])


@pytest.mark.parametrize("game", ENCODINGS)
def test_it_lists_each_field_of_an_observation(game: str) -> None:
    assert table(ENCODINGS[game]) in PAGE.read_text()


def test_it_lists_each_column_of_a_dataset() -> None:
    for name, meaning in MEANINGS.items():
        assert f"| `{name}` | {meaning} |" in PAGE.read_text()
    assert list(columns_of(ENCODINGS["euchre"])) == list(MEANINGS)


def test_its_examples_are_true() -> None:
    assert doctest.testfile(str(PAGE), module_relative=False).failed == 0
