"""Bots of OpenSpiel play euchre as bots of Upcard, in hands that may be those in play."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from random import Random
from typing import Any

import pytest

from referee.engine.record import SeededDeal
from referee.engine.registry import preset
from referee.gym.table import Table
from referee.rpc.seat_views import SeatViews
from tests.examples_bots.duels import bot
from upcard import Action, Bot, EuchreView, UpcardError
from upcard.openspiel import Hand, OpenSpiel, imagined, openspiel_bot

pytestmark = pytest.mark.openspiel

HANDS = 60
RULES = {
    "plain": {},
    "not stuck": {"stick_dealer": False},
    "never alone": {"alone": False},
    "partner alone": {"partner_must_go_alone": True},
}


@pytest.fixture(scope="module")
def pyspiel() -> OpenSpiel:
    return import_module("pyspiel")


class Imagining(Bot):
    """Plays at random, and notes what it saw and what it imagines then."""

    met: list[tuple[EuchreView, Hand]]

    def choose(self, view: EuchreView, legal: tuple[Action, ...]) -> Action:  # type: ignore[override]  # it plays nothing else
        self.met.append((view, imagined(view, self.random)))
        return self.random.choice(legal)


def played(rules: Mapping[str, object], kind: type[Bot], hands: int = HANDS) -> Table:
    views = SeatViews(preset("euchre").game({"target": 100, **rules}))
    return Table(views, 0, SeededDeal(bytes(32), "openspiel"), dict.fromkeys(range(4), kind), hands)


def imagined_hands(rules: Mapping[str, object]) -> Iterator[tuple[EuchreView, Hand]]:
    class Noting(Imagining):
        met: list[tuple[EuchreView, Hand]] = []  # noqa: RUF012 (all seats share it)

    played(rules, Noting)
    assert len(Noting.met) > 5 * HANDS
    yield from Noting.met


@pytest.mark.parametrize("name", RULES)
def test_a_seat_is_offered_the_same_in_the_hand_that_it_imagines(name: str) -> None:
    for view, hand in imagined_hands(RULES[name]):
        assert int(hand.state.current_player()) == view.seat
        offered = {hand.action(code) for code in hand.state.legal_actions()}
        legal = {action.replace("_alone", "") for action in view.legal}
        # OpenSpiel's dealer cannot lay the upcard away.
        assert offered == legal - {f"discard:{view.upcard}"}, str(hand.state)


def test_what_a_seat_does_not_see_is_imagined_in_many_ways() -> None:
    (view, _), *_ = imagined_hands({})
    rng = Random(0)
    assert len({str(imagined(view, rng).state) for _ in range(10)}) == 10


@pytest.mark.parametrize("name", RULES)
def test_a_bot_of_openspiel_plays_by_the_rules(pyspiel: OpenSpiel, name: str) -> None:
    kind = openspiel_bot(lambda _, seat, seed: pyspiel.make_uniform_random_bot(seat, seed))
    first, second = (played(RULES[name], kind).score for _ in range(2))
    assert first == second
    assert max(first) > 10


def test_another_game_is_refused(pyspiel: OpenSpiel) -> None:
    kind = openspiel_bot(lambda _, seat, seed: pyspiel.make_uniform_random_bot(seat, seed))
    dealt = SeededDeal(bytes(32), "whist")
    with pytest.raises(UpcardError, match="bots of OpenSpiel play euchre here, not whist"):
        Table(SeatViews(preset("whist").game()), 0, dealt, dict.fromkeys(range(4), kind))


def test_a_search_of_openspiel_beats_random(pyspiel: OpenSpiel) -> None:
    def search(_: OpenSpiel, __: int, seed: int) -> Any:  # noqa: ANN401 (OpenSpiel has no types)
        rollouts = pyspiel.RandomRolloutEvaluator(1, seed)
        policy = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
        return pyspiel.ISMCTSBot(seed, rollouts, 4.0, 200, -1, policy, False, True)

    kinds = openspiel_bot(search), bot("random", "Random")
    views = SeatViews(preset("euchre").game())
    for number in range(3):
        seats = {seat: kinds[seat % 2] for seat in range(4)}
        ours, theirs = Table(views, 0, SeededDeal(bytes(32), f"{number}"), seats).score
        assert ours > theirs
