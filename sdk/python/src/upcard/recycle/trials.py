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


class Trial(State):
    """A copy of a state on which one way to carry out an entry is tried, and logged."""

    __slots__ = (
        "_answers",
        "_before",
        "_chosen",
        "counted",
        "given",
        "is_hidden",
        "is_sure",
        "log",
    )

    def __init__(self, state: State, answers: Sequence[int]) -> None:
        """Copy a state; the answers say which item each ``any`` takes, if not the first."""
        state.copy_to(self)
        self._before: Final = state
        self._answers: Final = answers
        self._chosen: Final[set[int]] = set()
        self.given: Final[list[int]] = []
        """Which item each ``any`` took."""
        self.counted: Final[list[int]] = []
        """Of how many."""
        self.log: Final[list[Act]] = []
        self.is_sure = True
        """Whether nothing was drawn at random so far."""
        self.is_hidden = False
        """Whether what is done now happens only because of what was drawn."""

    def act(self, function: Callable[..., None], arguments: tuple[Any, ...], known: object) -> None:
        """Carry out a primitive action and log it."""
        self.log.append((function, arguments, None if self.is_hidden else known))
        function(self, *arguments)

    def choose(self, items: Sequence[Any]) -> Any:  # noqa: ANN401 (one of the items)
        """Return the item that is taken; None if there is none."""
        if not items:
            return None
        number = len(self.given)
        answer = self._answers[number] if number < len(self._answers) else 0
        self.given.append(answer)
        self.counted.append(len(items))
        return items[answer]

    def choose_card(self, cards: Sequence[int]) -> int | None:
        """Return the card that is taken."""
        card: int | None = self.choose(cards)
        if card is not None:
            self._chosen.add(card)
        return card

    def choose_cards(self, sets: Sequence[Sequence[int]]) -> Sequence[int] | None:
        """Return the cards that are taken."""
        cards: Sequence[int] | None = self.choose(sets)
        self._chosen.update(cards or ())
        return cards

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
    answers: list[int] | None = []
    cost = _WORK + len(state.where) // 8
    while answers is not None:
        if len(options) > bounds.OPTIONS:
            count_options(state, at, options, 1)
        state.spend(at, cost)
        trial = Trial(state, answers)
        carry_out(trial)
        state.work = trial.work
        if trial.has_own_slots:
            state.take_slots(trial)
        if trial.log:
            options.append((entry, *trial.log, *_draws(state, trial)))
        answers = _next(trial.given, trial.counted)


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


def _next(given: list[int], counted: list[int]) -> list[int] | None:
    """Return the answers that come next; None after the last."""
    for number in reversed(range(len(given))):
        if given[number] + 1 < counted[number]:
            return [*given[:number], given[number] + 1]
    return None
