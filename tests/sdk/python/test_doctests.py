"""The examples in the SDK's docstrings are true of one view: third hand, hearts for trump."""

import doctest
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

import pytest

import upcard
from tests.sdk.python.turns import calls, card, cards, seat, suit
from upcard.cards import Rules
from upcard.euchre import EuchreView, legal_actions
from upcard.lazy import lazy
from upcard.v1.euchre_pb2 import EUCHRE_PHASE_PLAYING
from upcard.v1.euchre_pb2 import EuchreView as Message
from upcard.v1.referee_pb2 import Turn

MODULES = sorted(module.name for module in iter_modules(upcard.__path__) if not module.ispkg)


def example() -> EuchreView:
    message = Message(
        phase=EUCHRE_PHASE_PLAYING,
        seat=seat(2),
        dealer=seat(3),
        upcard=card("QS"),
        calls=calls("pass pass pass pass name:H"),
        trump=suit("H"),
        maker=seat(0),
        hand=cards("JD AD QD"),
        played=cards("9C TC AC KC  TS 9H KS JS  9S AS"),
        leaders=[seat(1), seat(3), seat(0)],
        legal_cards=cards("JD AD QD"),
    )
    return EuchreView(Turn(euchre=message), message, legal_actions(message), Rules(10))


def lazy_docs(module: ModuleType) -> dict[str, str]:
    """Return the docstrings that doctest does not find by itself."""
    kinds = [kind for kind in vars(module).values() if isinstance(kind, type)]
    own = [kind for kind in kinds if kind.__module__ == module.__name__]
    return {
        f"{kind.__name__}.{name}": worked_out.__doc__ or ""
        for kind in own
        for name, worked_out in vars(kind).items()
        if isinstance(worked_out, lazy)
    }


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_are_true(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module = import_module(f"upcard.{name}")
    monkeypatch.setattr(module, "__test__", lazy_docs(module), raising=False)
    results = doctest.testmod(module, extraglobs={"upcard": upcard, "view": example()})
    assert results.failed == 0
