"""A hand of a program at one moment, and how it goes on."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NoReturn, TypeVar

from upcard.recycle import bounds
from upcard.recycle.errors import ProgramError
from upcard.recycle.flow import STOP
from upcard.recycle.options import LongText
from upcard.recycle.slots import Stored
from upcard.recycle.state import NOBODY, UNUSED, State
from upcard.recycle.trials import Acts
from upcard.recycle.values import Key, Option, Place, PointsMap, Source

if TYPE_CHECKING:
    from upcard.recycle.program import Program

_Value = TypeVar("_Value")


class Position(State):
    """A hand of a program at one moment: at a decision, or over.

    Attributes:
        program: the program that is played.
        actor: who is to decide, from 0; None when the hand is over.
        choice: which of the program's `choices` is asked; -1 when the hand is over.
        ties: how often `max` or `min` was tied so far, and one of the equals was drawn.
        steps: how many stages, blocks and choices the program has run through so far.
        decisions: how many decisions there were so far.
    """

    __slots__ = (
        "_listed",
        "_options",
        "_place",
        "_reached",
        "_scores",
        "_work",
        "actor",
        "choice",
        "decisions",
        "program",
        "steps",
    )

    actor: int | None
    _listed: list[Acts]
    """The options, worked out as far as playing needs it."""
    _options: tuple[Option, ...] | None
    """The options as they are shown, once they were asked for."""

    def __init__(self, program: "Program", source: Source) -> None:
        """Lay out the cards; nothing is run yet."""
        compiled = program.compiled
        self.program = program
        self.tables = compiled.tables
        self.source = source
        self.piles = [[*pile] or UNUSED for pile in compiled.piles]
        self.where = list(compiled.where)
        self.counts, self.words, self.charts = [], [], []
        self.player_now, self.player_next = [0], [NOBODY]
        self.team_now, self.team_next = [0], [NOBODY]
        self.shuffles = self.draws = self.ties = self.steps = self.decisions = 0
        self.references = 0
        self.place_slots = compiled.tables.places
        self.count_slots = compiled.tables.counts
        self.word_slots = compiled.tables.words
        self.chart_slots = compiled.tables.charts
        self.has_own_slots = False
        self.fill_slots()
        self.work = bounds.WORK
        self._work = bounds.HAND_WORK
        self._place = 0
        self._reached = bytearray(len(compiled.functions))
        self._over(None)

    def _over(self, scores: tuple[int, ...] | None) -> None:
        """Set that nobody is to act."""
        self.actor = None
        self.to_act = self.choice = NOBODY
        self._listed = []
        self._options = None
        self._scores = scores

    @property
    def options(self) -> tuple[Option, ...]:
        """Return what the actor may do, in a fixed order; nothing when the hand is over."""
        if self._options is None:
            try:
                self._options = self.program.describer.options(self, self._listed)
            except LongText:
                self._fail_here(f"options take more than {bounds.OPTION_TEXTS} characters to tell")
        return self._options

    @property
    def entries(self) -> tuple[int, ...]:
        """Return for each option which entry of the choice it comes from, from 0."""
        return tuple(acts[0] for acts in self._listed)

    def play(self, index: int) -> None:
        """Carry out the option of that index, and go on to the next decision or the end."""
        acts = self._listed[index]
        self.decisions += 1
        if self.decisions > bounds.DECISIONS:
            self._fail_here(f"there are more than {bounds.DECISIONS} decisions in the hand")
        self._work -= bounds.WORK - self.work
        if self._work < 0:
            self._fail_here(f"more than {bounds.HAND_WORK} items are looked at in the hand")
        self.work = bounds.WORK
        for function, arguments, _ in acts[1:]:
            function(self, *arguments)
        self._place += 1
        self.run()

    def run(self) -> None:
        """Go on to the next decision or the end."""
        functions = self.program.compiled.functions
        reached = self._reached
        place = self._place
        for steps in range(self.steps + 1, self.steps + bounds.STEPS + 1):
            self._place = place
            reached[place] = 1
            place = functions[place](self)
            if place == STOP:
                self.steps = steps
                return
        self._fail_here(f"more than {bounds.STEPS} parts are run without a decision")

    def stop(self) -> None:
        """End the hand as it stands, where it cannot go on: each player has what is scored now.

        Where that cannot be worked out nobody scores.
        """
        self.work = bounds.WORK
        self._place = len(self.program.compiled.functions) - 1
        try:
            self.run()
        except ProgramError:
            self._over((0,) * self.program.players)

    def ask(self, choice: int, listed: list[Acts]) -> int:
        """Stop at a decision of the player who is to act."""
        self.actor = self.to_act
        self.choice = choice
        self._listed = listed
        self._options = None
        if len(listed) > bounds.OPTIONS:
            self._fail_here(f"there are more than {bounds.OPTIONS} options")
        if not listed:
            self._fail_here(f"player {self.to_act + 1} has no option")
        return STOP

    def end(self, score: Callable[["Position"], int]) -> int:
        """Score each player, as the current one of a cycle of its own; stop for good."""
        player_now, player_next = self.player_now, self.player_next
        scores = []
        for player in range(self.program.players):
            self.player_now, self.player_next = [player], [NOBODY]
            scores.append(score(self))
        self.player_now, self.player_next = player_now, player_next
        self._check_scores(scores)
        self._over(tuple(scores))
        return STOP

    def _check_scores(self, scores: Sequence[int]) -> None:
        """Refuse scores that are too high or too low, and those that differ between partners."""
        most = bounds.SCORE
        if max(scores) > most or min(scores) < -most:
            self._fail_here(f"a score is more than {most}, or less than -{most}")
        sides = self.program.sides
        if len(set(zip(sides, scores, strict=True))) > len(set(sides)):
            self._fail_here(
                "partners scored differently; score a team by what its team stores, "
                "as in ((team (current player)) sto SCORE)"
            )

    def _fail_here(self, message: str) -> NoReturn:
        """Raise the error of where the program stands."""
        self.fail(self.program.compiled.ats[self._place], message)

    def see(self, card: int) -> int:
        """Return the place of a card; its complement where the actor does not see it."""
        place = self.where[card]
        return place if self.place_slots.sights[place] >> self.to_act & 1 else ~place

    def copy(self) -> "Position":
        """Return the same position, sharing nothing that changes."""
        other = self.copy_to(Position.__new__(Position))
        other.program = self.program
        other.actor = self.actor
        other.choice = self.choice
        other.steps = self.steps
        other.decisions = self.decisions
        other._listed = self._listed  # noqa: SLF001 (another of this class)
        other._options = self._options  # noqa: SLF001
        other._reached = self._reached[:]  # noqa: SLF001
        other._place = self._place  # noqa: SLF001
        other._scores = self._scores  # noqa: SLF001
        other._work = self._work  # noqa: SLF001
        return other

    @property
    def scores(self) -> tuple[int, ...] | None:
        """Return what each player scored, as the program has it; None before the end."""
        return self._scores

    def places(self) -> Mapping[Place, tuple[int, ...]]:
        """Return every place that ever had a card, with its cards, bottom first."""
        used = zip(self.place_slots.keys, self.piles, strict=True)
        return {place: tuple(pile) for place, pile in sorted(used) if pile is not UNUSED}

    def cards_at(self, place: Place) -> tuple[int, ...]:
        """Return the cards of a place, bottom first."""
        slot = self.place_slots.slots.get(place)
        return () if slot is None else tuple(self.piles[slot])

    @property
    def numbers(self) -> Mapping[Key, int]:
        """Return the numbers that are stored, without those that are 0."""
        return _stored(self.count_slots, self.counts)

    @property
    def texts(self) -> Mapping[Key, str]:
        """Return the texts that are stored, without empty ones."""
        return _stored(self.word_slots, self.words)

    @property
    def maps(self) -> Mapping[Key, PointsMap]:
        """Return the points maps that are stored, without empty ones."""
        return _stored(self.chart_slots, [chart.awards for chart in self.charts])

    @property
    def flow(self) -> tuple[int, ...]:
        """Return where the program stands: with the rest, enough to go on from here."""
        players, teams = (*self.player_now, *self.player_next), (*self.team_now, *self.team_next)
        return (self._place, len(self.player_now), *players, *teams)

    def stand(self, flow: tuple[int, ...]) -> None:
        """Bring the program to where that says, at a decision or at the end of the hand.

        Raises:
            ValueError: it never stands there.
        """
        self._place, depth, *cycles = flow
        players, teams = cycles[: 2 * depth], cycles[2 * depth :]
        compiled = self.program.compiled
        if (
            self._place not in compiled.stops
            or not (0 < depth == len(players) / 2)
            or not (teams and len(teams) % 2 == 0)
            or not set(players) <= set(range(NOBODY, self.program.players))
            or not set(teams) <= set(range(NOBODY, compiled.teams))
        ):
            raise ValueError(f"the program never stands at {flow}")
        self.player_now, self.player_next = players[:depth], players[depth:]
        half = len(teams) // 2
        self.team_now, self.team_next = teams[:half], teams[half:]
        self.run()

    @property
    def reached(self) -> frozenset[int]:
        """Return which of the program's `parts` were run so far."""
        parts = self.program.compiled.parts
        return frozenset(
            part
            for part, was_run in zip(parts, self._reached, strict=True)
            if was_run and part >= 0
        )


def _stored(slots: Stored, values: list[_Value]) -> dict[Key, _Value]:
    """Return what is stored by its key, in order, without what is empty."""
    return {key: value for key, value in sorted(zip(slots.keys, values, strict=True)) if value}
