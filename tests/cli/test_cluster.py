"""The commands of a cluster say what is wrong before they connect to anything."""

import sys

import pytest

from tests.cli.bots import said
from tests.cli.conftest import Upcard


@pytest.mark.parametrize("words", [("scheduler",), ("worker", "tls://192.0.2.1")])
def test_without_certificates_it_is_said_where_they_go(words: tuple[str, ...]) -> None:
    refused = said(*words)
    assert refused.code == 2
    assert "needs certificates: name their directory by --tls or in UPCARD_TLS" in refused.err


def test_without_dask_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "referee.cluster.settings", raising=False)
    monkeypatch.setitem(sys.modules, "distributed", None)
    refused = said("worker", "tls://192.0.2.1")
    assert (refused.code, refused.err) == (
        2,
        "upcard: a cluster needs the package distributed; install upcard-referee[dask]\n",
    )


@pytest.mark.usefixtures("place")
def test_how_many_play_at_a_time_is_not_for_the_coordinator_to_say(upcard: Upcard) -> None:
    upcard("league", "create", "spring", "--bot", "one", "--bot", "two")
    refused = upcard("league", "run", "--cluster", "tcp://127.0.0.1", "--jobs", 2)
    assert refused.code == 2
    assert "--jobs is for this machine; each 'upcard worker' has its own" in refused.err
