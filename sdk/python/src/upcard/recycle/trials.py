"""Lists the options of an entry of a choice by trying each way to carry it out on a copy."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from upcard.recycle import bounds
from upcard.recycle.state import State

Act = tuple[Callable[..., None], tuple[Any, ...], Any]
"""A primitive action that was worked out: its function, the arguments after the state, and what the
actor knows of it (`Primitive.known`), or None where it is not to be shown."""
Acts = tuple[Any, ...]
"""An option: the number of its entry, then its primitive actions."""

_WORK: Final = 50
"""What an option counts as, in items that are looked at."""
_NOTHING: Final = (None,)
"""What an ``any`` of no item is: it adds nothing, and what comes after it is done."""


class Way:
    """The items that were taken of each ``any`` so far, and that will be taken in the next trial.

    Until a trial takes another item than the last one it finds the same items to choose from, for
    nothing in it is new: so they are worked out once.
    """

    __slots__ = ("items", "taken")

    def __init__(self) -> None:
        """Begin where nothing is chosen."""
        self.items: Final[list[Sequence[Any]]] = []
        """What there was to choose from."""
        self.taken: Final[list[int]] = []
        """Which of them is taken."""

    def go_on(self) -> bool:
        """Take the next item of the last ``any`` that has one; return whether there was any."""
        while self.taken:
            self.taken[-1] += 1
            if self.taken[-1] < len(self.items[-1]):
                return True
            self.items.pop()
            self.taken.pop()
        return False


class Trial(State):
    """A copy of a state on which one way to carry out an entry is tried, and logged."""

    __slots__ = (
        "_before",
        "_chosen",
        "_number",
        "_way",
        "is_given",
        "is_hidden",
        "is_sure",
        "log",
    )

    def __init__(self, state: State, way: Way) -> None:
        """Copy a state, to go that way on it."""
        state.copy_to(self)
        self._before: Final = state
        self._chosen: Final[set[int]] = set()
        self._way: Final = way
        self._number = 0
        self.is_given = bool(way.taken)
        """Whether it is known already what the next ``any`` takes."""
        self.log: Final[list[Act]] = []
        self.is_sure = True
        """Whether nothing was drawn at random so far."""
        self.is_hidden = False
        """Whether what is done now happens only because of what was drawn."""

    def act(self, function: Callable[..., None], arguments: tuple[Any, ...], known: object) -> None:
        """Carry out a primitive action and log it."""
        self.log.append((function, arguments, None if self.is_hidden else known))
        function(self, *arguments)

    def given(self) -> Any:  # noqa: ANN401 (one of any items)
        """Return what the next ``any`` takes, which is known."""
        number = self._number
        self._number += 1
        self.is_given = self._number < len(self._way.taken)
        return self._way.items[number][self._way.taken[number]]

    def choose(self, items: Sequence[Any]) -> Any:  # noqa: ANN401 (one of any items)
        """Return what the next ``any`` takes, the first item; None if there is none."""
        # What lies in a place will be moved; a range may be long, and does not change.
        self._way.items.append((items if isinstance(items, range) else list(items)) or _NOTHING)
        self._way.taken.append(0)
        return self.given()

    def note_card(self, card: int | None) -> int | None:
        """Remember that a card was chosen, and not drawn at random."""
        if card is not None:
            self._chosen.add(card)
        return card

    def note_cards(self, cards: Sequence[int] | None) -> list[int] | None:
        """Remember that cards were chosen; return them as a list that may change."""
        self._chosen.update(cards or ())
        return None if cards is None else list(cards)

    def see(self, card: int) -> int:
        """Return the place of a card; its complement where the actor does not see the card.

        That is where it lay before the option. Nor is a card shown that was drawn at random.
        """
        place = self.where[card]
        is_seen = self._before.see(card) >= 0 and (self.is_sure or card in self._chosen)
        return place if is_seen else ~place

    def hide(self) -> bool:
        """Hide what is done from now on if it may show what was drawn; return what held before."""
        before = self.is_hidden
        self.is_hidden = before or not self.is_sure
        return before

    def shuffled(self, size: int) -> Sequence[int]:
        """Return the next shuffle."""
        self.is_sure = False
        return super().shuffled(size)

    def below(self, size: int) -> int:
        """Return the next other draw."""
        self.is_sure = False
        return super().below(size)


def try_out(
    state: State, at: int, options: list[Acts], entry: int, carry_out: Callable[[Trial], None]
) -> None:
    """Add the options of an entry, in the order of the items of its first ``any``, and so on."""
    way = Way()
    cost = _cost(state)
    is_new = True
    while is_new:
        if len(options) > bounds.OPTIONS:
            count_options(state, at, options, 1)
        state.spend(at, cost)
        trial = Trial(state, way)
        carry_out(trial)
        state.work = trial.work
        if trial.has_own_slots:
            state.take_slots(trial)
        if trial.log:
            state.spend(at, len(trial.log))
            options.append((entry, *trial.log, *_draws(state, trial)))
        is_new = way.go_on()


def _cost(state: State) -> int:
    """Return the work of a trial, most of which is to copy the state."""
    stored = len(state.counts) + len(state.words) + len(state.charts)
    piled = sum(map(len, state.piles))
    return _WORK + len(state.where) // 8 + len(state.piles) // 4 + (stored + piled) // 32


def count_options(state: State, at: int, options: list[Acts], more: int) -> None:
    """Count the work of listing more options, of which there are not to be too many."""
    if max(more, len(options)) > bounds.OPTIONS:
        state.fail(at, f"there are more than {bounds.OPTIONS} options")
    state.spend(at, more * _WORK)


def _draws(state: State, trial: Trial) -> list[Act]:
    """Return the act that goes on with the draws behind those that the option has had."""
    if (state.draws, state.ties) == (trial.draws, trial.ties):
        return []
    return [(_draw_from, (trial.draws, trial.ties), None)]


def _draw_from(state: State, draws: int, ties: int) -> None:
    """Go on with that draw."""
    state.draws = draws
    state.ties = ties
