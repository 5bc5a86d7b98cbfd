"""Sandboxes are opened for bots only where they hold what they should."""

import asyncio
import errno
from collections.abc import Sequence
from tempfile import gettempdir

import pytest

from referee.errors import ConfigError, FileError
from referee.examination import guarantees
from referee.examination.guarantees import guaranteed_sandboxes
from referee.sandbox.doctor import Guarantee

NETWORK = Guarantee("network", "missing", "", "no namespace", "install bubblewrap")
FILES = Guarantee("private-files", "enforced", "copies", "", "")


def opened(*accepted: str, sandboxed: bool = True) -> Sequence[Guarantee]:
    """Open sandboxes, and return what they guarantee."""

    async def opening() -> Sequence[Guarantee]:
        async with guaranteed_sandboxes(accepted, sandboxed=sandboxed) as (_, found):
            return found

    return asyncio.run(opening())


@pytest.fixture
def _leaky(monkeypatch: pytest.MonkeyPatch) -> None:
    async def examine(_: object) -> list[Guarantee]:
        return [NETWORK, FILES]

    monkeypatch.setattr(guarantees, "examine", examine)


@pytest.mark.usefixtures("_leaky")
def test_a_missing_guarantee_is_refused_with_what_to_do() -> None:
    with pytest.raises(ConfigError, match=r"no namespace \(install bubblewrap\); or play all the"):
        opened()


@pytest.mark.usefixtures("_leaky")
def test_a_missing_guarantee_may_be_accepted() -> None:
    assert opened("network") == [NETWORK, FILES]


@pytest.mark.usefixtures("_leaky")
def test_without_a_sandbox_nothing_is_examined() -> None:
    assert opened(sandboxed=False) == []


@pytest.mark.usefixtures("_leaky")
@pytest.mark.parametrize("accepted", [(), ("private-files",)])
def test_files_are_shared_if_that_is_accepted(accepted: tuple[str, ...]) -> None:
    async def shared_because() -> str:
        async with guaranteed_sandboxes((*accepted, "network")) as (sandboxes, _):
            return sandboxes.shared_because

    assert bool(asyncio.run(shared_because())) == bool(accepted)


def test_where_the_trial_fails_for_want_of_room_the_place_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def examine(_: object) -> list[Guarantee]:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(guarantees, "examine", examine)
    with pytest.raises(FileError, match=f"cannot be tried in {gettempdir()}: No space left"):
        opened()
