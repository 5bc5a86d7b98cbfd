"""What two bots of one entrant can tell each other: nothing but by the channels listed here."""

from collections.abc import Callable, Collection, Iterator
from typing import Any

import pytest

from referee.sandbox.channels.primitives import CACHES, CORE, PRIMITIVES
from tests.hostile.conftest import Referee

BITS = 32
"""Enough to tell a channel from chance."""
MEASURED = [name for name, each in PRIMITIVES.items() if each.needs not in {CORE, CACHES}]
"""What a busy machine does not hide; `upcard doctor --channels` measures the others, too."""

ONE_UID = {("userns", "plain"), ("userns", "strict")}
KNOWN = {"descriptors in flight": ONE_UID}
"""Where bits may get through; nowhere by any other primitive."""
UNPROTECTED = {
    *("page mapping", "page counts", "futex", "file lock", "record lock", "lease"),
    *("time of reading", "notice of reading", "time of a device", "files", "abstract socket"),
    *("shared memory", "semaphore", "queue", "keyring", "event numbers"),
    *("descriptors in flight", "room for pipes", "terminals"),
}
"""What gets through where there is no sandbox, in one of several tries on any machine."""
TRIES = 8

Rates = dict[str, dict[str, Any]]


@pytest.fixture
def new_strict_referee(
    new_referee: Callable[..., Referee],
) -> Iterator[Callable[[str], Referee]]:
    made: list[Referee] = []

    def new(mode: str) -> Referee:
        made.append(new_referee(mode, "strict"))
        return made[-1]

    yield new
    for referee in made:
        referee.close()


def got_through(rates: Rates) -> set[str]:
    return {name for name, rate in rates.items() if rate["bits_per_second"] > 0}


def measured(
    referee: Referee,
    record: Callable[[str, object], None],
    names: Collection[str] = MEASURED,
) -> set[str]:
    rates = referee.ask(channels=[*names], bits=BITS)
    for name, rate in rates.items():
        record(name, f"{rate['errors']} of {rate['bits']} bits wrong, {rate['detail']}")
    assert set(rates) == set(names)
    return got_through(rates)


def known(mode: str, play: str) -> set[str]:
    return {name for name, where in KNOWN.items() if (mode, play) in where}


def test_only_known_channels_are_open(
    referee: Referee, record_property: Callable[[str, object], None]
) -> None:
    found = measured(referee, record_property)
    assert found - known(referee.mode, "plain") == set()


def test_only_known_channels_are_open_in_strict_play(
    mode: str,
    new_strict_referee: Callable[[str], Referee],
    record_property: Callable[[str, object], None],
) -> None:
    found = measured(new_strict_referee(mode), record_property)
    assert found - known(mode, "strict") == set()


# What cannot be seen to get through proves nothing above.
def test_channels_are_open_without_a_sandbox(
    referees: dict[str, Referee], record_property: Callable[[str, object], None]
) -> None:
    missing = {*UNPROTECTED}
    # What other processes of the machine do meanwhile may drown a channel out, once.
    for _ in range(TRIES):
        missing -= measured(referees["unsafe"], record_property, missing)
        if not missing:
            return
    pytest.fail(f"not seen to be open: {', '.join(sorted(missing))}")
