"""Without OpenSpiel, a bot of it says what to install."""

import sys

import pytest

from upcard import Rules, UpcardError
from upcard.bot import create_bot
from upcard.openspiel import openspiel_bot


def test_without_openspiel_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(UpcardError, match=r"pip install 'upcard\[openspiel\]'"):
        create_bot(openspiel_bot(lambda game, seat, seed: None), 0, Rules(10), seed=1)  # noqa: ARG005
