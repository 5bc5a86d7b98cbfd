"""Euchre in lock step with OpenSpiel, whose engine is an independent reading of the rules.

Both engines get the same deal and the same random decisions. At every decision they must agree on
who acts and on what is legal, and at the end on the contract, every trick and the points.

OpenSpiel 2.0 differs from us in these ways, and `Peer` makes up for each:

- *Deal.* It draws the dealer, then deals card by card, the dealer's first; we deal five at a time,
  eldest's first. It never deals the three cards under the upcard.
- *Calls.* Ordering up is naming the suit of the upcard.
- *Alone.* Whether the maker goes alone is asked after the call and the dealer's discard; with us
  it is part of the call. It cannot forbid going alone: where we do, its makers never do.
- *Discard.* It does not offer the upcard, which our dealer may lay away like any other card. It
  does lay it away when told to, so only the offer is made up for.
- *Points.* A player wins what her side scores and loses what the other side does; at a misdeal
  nobody wins anything.

The rest is the same in both: who leads when eldest sits out, that a dealer who is going to sit out
still discards, the bowers, what a dealer who is stuck may name, and every score.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from importlib import import_module
from random import Random
from typing import Any

import pytest

from referee.engine.cards import SUITS, Action, Card, Seat, Suit, next_seat, suit
from referee.engine.dealing import decks
from referee.engine.euchre import Euchre, EuchreView
from referee.engine.euchre.bowers import left_bower
from referee.engine.game import State, Trick
from upcard.openspiel import Hand

pytestmark = pytest.mark.openspiel

HANDS = 2_000
"""For each choice of options."""

OpenSpiel = Any
"""It comes without types."""


@pytest.fixture(scope="module")
def pyspiel() -> OpenSpiel:
    # Not imported at the top: these tests are collected, if only to be left out, without it too.
    return import_module("pyspiel")


class Peer:
    """OpenSpiel's side of a hand, told in our words."""

    def __init__(
        self, pyspiel: OpenSpiel, game: Euchre, deck: Sequence[Card], dealer: Seat
    ) -> None:
        self._words = pyspiel.euchre
        self._upcard = deck[20]
        self._may_go_alone = game.rules.alone
        hands = {(dealer + 1 + turn) % 4: deck[5 * turn : 5 * turn + 5] for turn in range(4)}
        dealt = Hand(dealer, hands, self._upcard, stick_dealer=game.rules.stick_dealer)
        self._hand = dealt.state
        self._cards = [Card(card) for card in dealt.cards]
        self.apply = dealt.apply

    def __str__(self) -> str:
        return f"OpenSpiel's account of the hand:\n{self._hand}"

    @property
    def actor(self) -> Seat | None:
        return None if self._hand.is_terminal() else int(self._hand.current_player())

    def legal(self) -> set[str]:
        offered = {action for code in self._hand.legal_actions() for action in self._actions(code)}
        if self._phase == "discard":
            offered.add(f"discard:{self._upcard}")
        return offered

    @property
    def _phase(self) -> str:
        return str(self._hand.current_phase().name.lower())

    def _actions(self, code: int) -> Iterator[str]:
        if self._phase != "bidding":
            yield f"{self._phase}:{self._cards[code]}"
        elif code == self._words.PASS_ACTION:
            yield "pass"
        else:
            yield from self._calls(SUITS[code - self._words.CLUBS_TRUMP_ACTION])

    def _calls(self, trump: Suit) -> Iterator[str]:
        first_round = self._hand.num_passes() < 4
        assert first_round == (trump == suit(self._upcard))
        for call in ("order_up", "order_up_alone") if first_round else ("name", "name_alone"):
            if self._may_go_alone or not call.endswith("_alone"):
                yield call if first_round else f"{call}:{trump}"

    def contract(self) -> tuple[Suit | None, Seat | None, Seat | None, Card | None]:
        """Return trump, the maker, who sits out, and the discard."""
        hand = self._hand
        trump, maker, discard = int(hand.trump_suit()), int(hand.declarer()), int(hand.discard())
        return (
            SUITS[trump] if trump >= 0 else None,
            maker if maker >= 0 else None,
            int(hand.declarer_partner()) if hand.declarer_go_alone() else None,
            self._cards[discard] if discard >= 0 else None,
        )

    def tricks(self) -> tuple[Trick, ...]:
        return tuple(
            Trick(
                trick.leader(), tuple(self._cards[code] for code in trick.cards()), trick.winner()
            )
            for trick in self._hand.tricks()
            if trick.leader() >= 0
        )

    def won(self) -> list[float]:
        """Return what each player won."""
        return list(self._hand.returns())


def play_in_lock_step(state: State, peer: Peer, rng: Random) -> State:
    while state.actor is not None:
        assert peer.actor == state.actor, str(peer)
        assert sorted(peer.legal()) == sorted(state.legal), str(peer)
        action = choose(state.legal, rng)
        peer.apply(action)
        state = state.play(action)
    assert peer.actor is None, str(peer)
    return state


def choose(legal: Sequence[Action], rng: Random) -> Action:
    """Choose at random, but pass most of the time, or few hands would reach the second round."""
    passed = [action for action in legal if action == "pass" and rng.random() < 0.8]
    return rng.choice(passed or legal)


def assert_same_end(peer: Peer, seen: EuchreView) -> None:
    assert seen.result is not None
    assert peer.contract() == (seen.trump, seen.maker, seen.sits_out, seen.discard), str(peer)
    assert peer.tricks() == seen.tricks, str(peer)
    north_south, east_west = seen.result.points
    net = north_south - east_west
    assert peer.won() == [net, -net, net, -net], str(peer)


def cases(seen: EuchreView) -> Iterator[str]:
    """Name what was special about a hand."""
    assert seen.result is not None
    yield f"dealt by {seen.dealer}"
    yield from seen.result.notes
    if seen.discard == seen.turned:
        yield "upcard discarded"
    if seen.sits_out == next_seat(seen.dealer):
        yield "eldest sits out"
    if seen.discard and seen.sits_out == seen.dealer:
        yield "dealer discards and sits out"
    if seen.trump and any(trick.cards[0] == left_bower(seen.trump) for trick in seen.tricks):
        yield "left bower led"


def cases_there_are(game: Euchre) -> set[str]:
    there_are = {"ordered_up", "named", "march", "euchred", "upcard discarded", "left bower led"}
    there_are |= {f"dealt by {dealer}" for dealer in range(4)}
    there_are.add("stuck" if game.rules.stick_dealer else "misdeal")
    if game.rules.alone:
        there_are |= {"alone", "eldest sits out", "dealer discards and sits out"}
    return there_are


@pytest.mark.parametrize("alone", [True, False], ids=["alone", "never alone"])
@pytest.mark.parametrize("stick_dealer", [True, False], ids=["stuck", "not stuck"])
def test_every_hand_goes_as_in_openspiel(
    pyspiel: OpenSpiel, *, stick_dealer: bool, alone: bool
) -> None:
    game = Euchre.with_rules({"alone": alone, "stick_dealer": stick_dealer})
    deck_of = decks(game.pack, bytes(32), str(game.rules))
    rng = Random(0)
    met: Counter[str] = Counter()
    for hand in range(HANDS):
        deck, dealer = deck_of(hand), hand % 4
        peer = Peer(pyspiel, game, deck, dealer)
        seen = play_in_lock_step(game.start(deck, dealer), peer, rng).view(dealer)
        assert isinstance(seen, EuchreView)
        assert_same_end(peer, seen)
        met.update(cases(seen))
    assert met.keys() == cases_there_are(game), met
