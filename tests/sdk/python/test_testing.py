"""Situations for the tests of bots; `situations.jsonl` says what each comes to."""

import pytest

import upcard
from upcard.testing import ask, situation


class Drawing(upcard.Bot):
    """Leaves it to chance."""

    def choose(self, view: upcard.View, legal: tuple[str, ...]) -> str:
        assert (view.seat, view.rules) == (self.seat, self.rules)
        return self.random.choice(legal)


class Wrong(upcard.Bot):
    def choose(self, view: upcard.View, legal: tuple[str, ...]) -> str:  # noqa: ARG002 (it is)
        return "fold"


def test_cards_are_told_in_a_text_or_one_by_one() -> None:
    text, listed = situation(hand="9C JD", upcard="9H"), situation(hand=["JD", "9C"], upcard="9H")
    assert (text.hand, listed.hand) == (("9C", "JD"), ("9C", "JD"))


def test_the_view_is_that_of_the_game() -> None:
    euchre = situation(hand="9C JD", upcard="9H")
    whist = situation(game="whist", hand="9C JD", trump_card="9H")
    assert (type(euchre), type(whist)) == (upcard.EuchreView, upcard.WhistView)


def test_another_game_has_no_situations() -> None:
    with pytest.raises(upcard.ImpossibleSituation, match="poker is no game of a situation"):
        situation(game="poker", hand="9C")  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ({"seat": 4}, "there is no seat 4; they are 0 to 3 for North, East, South, West"),
        ({"trump": "X"}, "X is no suit"),
        ({"score": (-1, 0)}, "the score is not -1 to 0 in a match to 10"),
    ],
)
def test_what_other_languages_have_types_for_is_refused(told: dict[str, object], says: str) -> None:
    with pytest.raises(upcard.ImpossibleSituation, match=says):
        situation(hand="9C", upcard="9H", **told)  # type: ignore[call-overload]


def test_a_bot_is_asked_in_a_situation_always_with_the_same_chance() -> None:
    view = situation(hand="9C AC JD KS 9S", trump="H", dealer=1)
    assert {ask(Drawing, view) for _ in range(20)} == {ask(Drawing, view)}
    assert ask(Drawing, view) in view.legal


def test_what_a_bot_may_not_do_is_told() -> None:
    view = situation(hand="9C JD", upcard="9H")
    with pytest.raises(upcard.IllegalChoice, match="'fold'; legal here: pass order_up order_up_al"):
        ask(Wrong, view)
