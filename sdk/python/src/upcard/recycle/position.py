"""A hand of a program at one moment."""

from collections.abc import Mapping

from upcard.recycle.values import Key, Option, Place, PointsMap


class Position:
    """A hand of a program at one moment: at a decision, or over."""

    actor: int | None
    """Who is to decide, from 0; None when the hand is over."""
    choice: int
    """Which of the program's `choices` is asked; -1 when the hand is over."""
    ties: int
    """How often `max` or `min` was tied so far, and one of the equals was drawn."""
    steps: int
    """How many stages, blocks and choices the program has run through so far."""

    @property
    def options(self) -> tuple[Option, ...]:
        """Return what the actor may do, in a fixed order; nothing when the hand is over."""
        raise NotImplementedError

    @property
    def entries(self) -> tuple[int, ...]:
        """Return for each option which entry of the choice it comes from, from 0."""
        raise NotImplementedError

    def play(self, index: int) -> None:
        """Carry out the option of that index, and go on to the next decision or the end."""
        raise NotImplementedError

    def copy(self) -> "Position":
        """Return the same position, sharing nothing that changes."""
        raise NotImplementedError

    @property
    def scores(self) -> tuple[int, ...] | None:
        """Return what each player scored, as the program has it; None before the end."""
        raise NotImplementedError

    def places(self) -> Mapping[Place, tuple[int, ...]]:
        """Return every place that ever had a card, with its cards, bottom first."""
        raise NotImplementedError

    def cards_at(self, place: Place) -> tuple[int, ...]:
        """Return the cards of a place, bottom first."""
        raise NotImplementedError

    @property
    def numbers(self) -> Mapping[Key, int]:
        """Return the numbers that are stored, without those that are 0."""
        raise NotImplementedError

    @property
    def texts(self) -> Mapping[Key, str]:
        """Return the texts that are stored, without empty ones."""
        raise NotImplementedError

    @property
    def maps(self) -> Mapping[Key, PointsMap]:
        """Return the points maps that are stored, without empty ones."""
        raise NotImplementedError

    @property
    def flow(self) -> tuple[int, ...]:
        """Return where the program stands: with the rest, enough to go on from here."""
        raise NotImplementedError

    @property
    def reached(self) -> frozenset[int]:
        """Return which of the program's `parts` were run so far."""
        raise NotImplementedError
