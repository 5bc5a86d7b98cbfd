"""What becomes of a file that is changed at random."""

from random import Random

import pytest

from tests.soak.changes import Change, changed, drawn

LINES = b'{"a": [1, "x"]}\n{"b": "aGVsbG8="}\n'
"""Its six values by their places: two lines, the list, the base64, the two items of the list."""


@pytest.mark.parametrize(
    ("kind", "place", "expected"),
    [
        ("replace", 1, b'{"a": [1, "x"]}\nnull\n'),
        ("replace", 2, b'{"a": null}\n{"b": "aGVsbG8="}\n'),
        ("remove", 2, b'{}\n{"b": "aGVsbG8="}\n'),
        ("remove", 4, b'{"a": ["x"]}\n{"b": "aGVsbG8="}\n'),
        ("repeat", 2, b'{"a": [1, "x"], "a2": [1, "x"]}\n{"b": "aGVsbG8="}\n'),
        ("repeat", 4, b'{"a": [1, "x", 1]}\n{"b": "aGVsbG8="}\n'),
        ("swap", 4, b'{"a": ["x", "x"]}\n{"b": "aGVsbG8="}\n'),
        ("inside", (3 << 16) + 3, b'{"a": [1, "x"]}\n{"b": "aGVsbG9U"}\n'),
        ("inside", 1 << 16, b'{"a": [0, "x"]}\n{"b": "aGVsbG8="}\n'),
    ],
)
def test_one_value_is_changed_in_json(kind: str, place: int, expected: bytes) -> None:
    assert changed(LINES, [Change(True, kind, place, 5, None, b"T")]) == expected


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("replace", b"aTf"), ("remove", b"af"), ("repeat", b"abcdebcdef"), ("swap", b"arcdef")],
)
def test_bytes_are_changed_where_there_is_no_json(kind: str, expected: bytes) -> None:
    assert changed(b"abcdef", [Change(True, kind, 1, 4, None, b"T")]) == expected


def test_what_is_drawn_follows_from_the_seed() -> None:
    assert drawn(Random(1)) == drawn(Random(1)) != drawn(Random(2))


PROGRAM = b";; (a) title\n(a (b 1) (c 2))"


@pytest.mark.parametrize(
    ("kind", "place", "other", "expected"),
    [
        ("replace", 1, 2, b";; (a) title\n(a (c 2) (c 2))"),
        ("remove", 1, 0, b";; (a) title\n(a  (c 2))"),
        ("repeat", 2, 0, b";; (a) title\n(a (b 1) (c 2) (c 2))"),
        ("swap", 1, 2, b";; (a) title\n(a (c 2) (b 1))"),
        ("inside", 6, 3, b";; (a) title\n(a (b 1) (a 2))"),
    ],
)
def test_one_expression_or_word_of_a_program_is_changed(
    kind: str, place: int, other: int, expected: bytes
) -> None:
    assert changed(PROGRAM, [Change(True, kind, place, other, None, b"T")]) == expected


def test_a_program_without_an_expression_is_changed_by_its_words() -> None:
    assert changed(b"( a b", [Change(True, "replace", 0, 1, None, b"T")]) == b"( b b"
