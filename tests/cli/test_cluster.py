"""The commands of a cluster say what is wrong before they connect to anything."""

import sys

import pytest

from tests.cli.bots import said


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
