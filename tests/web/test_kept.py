"""What takes long to make: made once for all who ask, and dropped when it is too much."""

from threading import Event

import pytest

from referee.web.kept import Kept
from tests.web.scenes import in_threads


def test_it_is_made_once_for_all_who_ask_meanwhile() -> None:
    kept, arrived, makings = Kept[int](), list[int](), list[int]()

    def make() -> int:
        makings.append(1)
        while len(arrived) < 8:
            Event().wait(0.001)
        return len(makings)

    def ask() -> int:
        arrived.append(1)
        return kept.get("page", make)

    assert in_threads(ask) == [1] * 8
    assert len(makings) == 1


def test_nothing_waits_for_another_thing() -> None:
    kept = Kept[str]()
    assert kept.get("outer", lambda: kept.get("inner", lambda: "inner")) == "inner"


def test_what_failed_is_made_again() -> None:
    kept = Kept[int]()
    with pytest.raises(ZeroDivisionError):
        kept.get("page", lambda: 1 // 0)
    assert kept.get("page", lambda: 1) == 1


def kept_after(*texts: str) -> list[str]:
    """Return which of some texts are kept after they were read, if six letters are."""
    kept, found = Kept[str](len, 6), list[str]()
    for text in texts:
        kept.get(text, lambda text=text: text)  # type: ignore[misc]
    for text in dict.fromkeys(texts):
        if kept.get(text, lambda: "") == text:
            found.append(text)
    return found


def test_what_was_not_read_for_longest_is_dropped() -> None:
    assert kept_after("ab", "cd", "ef", "ab", "gh") == ["ab", "ef", "gh"]


def test_what_is_too_heavy_is_not_kept_and_drops_nothing() -> None:
    assert kept_after("ab", "cd", "too heavy") == ["ab", "cd"]
