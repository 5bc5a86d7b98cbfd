"""Bots of OpenSpiel as bots of Upcard: they play euchre, knowing only what their seat sees.

A bot of OpenSpiel is shown a whole state, other hands included. So at each decision the cards that
the seat does not see are dealt at random, in a way that agrees with all it has seen, and the hand
is played up to that point with them.

It needs OpenSpiel: ``pip install 'upcard[openspiel]'``.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from itertools import repeat
from random import Random
from typing import Any, Final

from upcard.bot import Bot
from upcard.cards import SUITS, Action, Card, Seat, Suit
from upcard.errors import UpcardError
from upcard.euchre import EUCHRE, EuchreView

OpenSpiel = Any
"""It comes without types."""
Make = Callable[[OpenSpiel, Seat, int], OpenSpiel]
"""Makes a bot for a game of OpenSpiel, a seat, and a seed."""
Place = int
"""A seat, the discard or the kitty."""
Fits = Callable[[Card], bool]

_ALONE: Final = "_alone"
_DISCARD, _KITTY = 4, 5


def openspiel_bot(make: Make) -> type[Bot]:
    """Return the class of a bot that asks one of OpenSpiel.

    It is only ever asked by `step`, so a bot that has to be informed of each action does not do.

    >>> def random(game, seat, seed):
    ...     return pyspiel.make_uniform_random_bot(seat, seed)
    >>> RandomBot = openspiel_bot(random)  # doctest: +SKIP
    """

    class OpenSpielBot(Bot):
        """Play what a bot of OpenSpiel plays."""

        def __init__(self) -> None:
            """Make the bot."""
            game = Hand.game(stick_dealer=self.rules.stick_dealer)
            self._player = make(game, self.seat, self.random.getrandbits(31))

        def choose(self, view: EuchreView, legal: tuple[Action, ...]) -> Action:  # type: ignore[override]  # it plays nothing else
            """Ask it, in a hand that may be the one in play."""
            hand = imagined(view, self.random)
            wanted = [hand.action(self._player.step(hand.state))]
            if view.phase == "bidding" and wanted != ["pass"]:
                wanted = self._alone_or_not(hand, wanted[0])
            return next(action for action in wanted if action in legal)

        def _alone_or_not(self, hand: "Hand", call: Action) -> list[Action]:
            """Return a call both ways, the one it prefers first."""
            verb, colon, suit = call.partition(":")
            both = [call, f"{verb}{_ALONE}{colon}{suit}"]
            return both[::-1] if hand.goes_alone(call, self._player) else both

    return OpenSpielBot


class Hand:
    """A hand of euchre in OpenSpiel, in the words of Upcard."""

    def __init__(
        self,
        dealer: Seat,
        hands: Mapping[Seat, Sequence[Card]],
        upcard: Card,
        *,
        stick_dealer: bool,
    ) -> None:
        """Deal five cards to each seat."""
        self._words = _pyspiel().euchre
        self.cards: Final = [
            Card(self._words.card_string(code)[::-1]) for code in range(len(EUCHRE.pack))
        ]
        """Every card, by its code."""
        self._upcard = upcard
        self._goes_alone = False
        self.state: OpenSpiel = self.game(stick_dealer=stick_dealer).new_initial_state()
        """OpenSpiel's state."""
        # It draws the dealer, then deals card by card, the dealer's first.
        self.state.apply_action(dealer)
        for dealt in range(20):
            card = hands[(dealer + dealt) % 4][dealt // 4]
            self.state.apply_action(self.cards.index(card))
        self.state.apply_action(self.cards.index(upcard))

    @staticmethod
    def game(*, stick_dealer: bool) -> OpenSpiel:
        """Return OpenSpiel's game."""
        return _pyspiel().load_game("euchre", {"stick_the_dealer": stick_dealer})

    @property
    def phase(self) -> str:
        """What is due: ``bidding``, ``discard``, ``go_alone`` or ``play``."""
        return str(self.state.current_phase().name.lower())

    def action(self, code: int) -> Action:
        """Return an action of OpenSpiel's; whether a maker goes alone, it asks later."""
        if self.phase != "bidding":
            return f"{self.phase}:{self.cards[code]}"
        if code == self._words.PASS_ACTION:
            return "pass"
        trump = SUITS[code - self._words.CLUBS_TRUMP_ACTION]
        return "order_up" if self.state.num_passes() < 4 else f"name:{trump}"

    def apply(self, action: Action) -> None:
        """Play an action, and answer whether the maker goes alone where that is asked."""
        call, _, what = action.partition(":")
        self.state.apply_action(self._code(call, what))
        self._goes_alone = self._goes_alone or call.endswith(_ALONE)
        if self.phase == "go_alone":
            answers = self._words.PLAY_WITH_PARTNER_ACTION, self._words.GO_ALONE_ACTION
            self.state.apply_action(answers[self._goes_alone])

    def goes_alone(self, call: Action, player: OpenSpiel) -> bool:
        """Return whether a bot goes alone after its call, which is asked after the discard."""
        after = self.state.clone()
        call, _, what = call.partition(":")
        maker = after.current_player()
        after.apply_action(self._code(call, what))
        if after.current_phase().name == "DISCARD":
            is_own = after.current_player() == maker
            after.apply_action(player.step(after) if is_own else after.legal_actions()[0])
        return bool(player.step(after) == self._words.GO_ALONE_ACTION)

    def _code(self, call: str, what: str) -> int:
        if call == "pass":
            return int(self._words.PASS_ACTION)
        if call in ("discard", "play"):
            return self.cards.index(what)
        trump: Suit = what or self._upcard[1]
        return int(self._words.CLUBS_TRUMP_ACTION) + SUITS.index(trump)


def imagined(view: EuchreView, random: Random) -> Hand:
    """Return a hand in OpenSpiel that may be the one which a seat sees a part of.

    Raises:
        UpcardError: it is a hand of another game.
    """
    if view.game != EUCHRE.name:
        raise UpcardError(f"bots of OpenSpiel play {EUCHRE.name} here, not {view.game}")
    hidden = _dealt_at_random(view, random)
    discards = [view.discard] if view.discard else hidden[_DISCARD]
    held = {seat: [*hidden[seat]] for seat in range(4)}
    held[view.seat] += view.hand
    for play in view.plays:
        held[play.seat].append(play.card)
    if view.picked_up:
        held[view.dealer] += discards
        held[view.dealer].remove(view.upcard)
    hand = Hand(view.dealer, held, view.upcard, stick_dealer=view.rules.stick_dealer)
    played = (f"play:{play.card}" for play in view.plays)
    for action in (*view.calls, *(f"discard:{card}" for card in discards), *played):
        hand.apply(action)
    return hand


def _dealt_at_random(view: EuchreView, random: Random) -> dict[Place, list[Card]]:
    """Deal what a seat does not see to the places where it may be."""
    seen = {*view.hand, *(play.card for play in view.plays), view.discard}
    if not view.picked_up:
        seen.add(view.upcard)
    places = list(_places(view))
    holding = _matched([card for card in EUCHRE.pack if card not in seen], places, random)
    dealt: dict[Place, list[Card]] = {place: [] for place in (*range(4), _DISCARD, _KITTY)}
    for number, card in holding.items():
        dealt[places[number][0]].append(card)
    return dealt


def _places(view: EuchreView) -> Iterator[tuple[Place, Fits]]:
    """Yield a place for each card that a seat does not see, and which cards fit there."""
    left = Counter(play.seat for play in view.plays)
    for seat in range(4):
        if seat != view.seat:
            yield from repeat((seat, _fits_hand(view, seat)), 5 - left[seat])
    if view.picked_up and view.dealer != view.seat:
        yield _DISCARD, lambda _: True
    yield from repeat((_KITTY, lambda card: card != view.upcard), 3)


def _fits_hand(view: EuchreView, seat: Seat) -> Fits:
    voids = view.void_suits(seat)

    def fits(card: Card) -> bool:
        is_elsewhere = card == view.upcard and seat != view.dealer
        return view.effective_suit(card) not in voids and not is_elsewhere

    return fits


def _matched(
    cards: Sequence[Card], places: Sequence[tuple[Place, Fits]], random: Random
) -> dict[int, Card]:
    """Return a card for each place, by its number, that fits there."""
    held: dict[int, Card] = {}

    def put(card: Card, tried: set[int]) -> bool:
        for number in random.sample(range(len(places)), len(places)):
            if number not in tried and places[number][1](card):
                tried.add(number)
                if number not in held or put(held[number], tried):
                    held[number] = card
                    return True
        return False

    for card in cards:
        if not put(card, set()):
            raise UpcardError(f"{card} has no place; what was seen breaks the rules")
    return held


def _pyspiel() -> OpenSpiel:
    try:
        return import_module("pyspiel")
    except ImportError:
        raise UpcardError(
            "bots of OpenSpiel need OpenSpiel; install it with: pip install 'upcard[openspiel]'"
        ) from None
