"""The state of a hand, as flat lists that the compiled program works on."""

from collections.abc import Callable, Sequence
from typing import Final, NoReturn, TypeVar, cast

from upcard.recycle import bounds
from upcard.recycle.charts import Chart, Charts
from upcard.recycle.errors import ProgramError
from upcard.recycle.slots import FullTable, Places, Stored
from upcard.recycle.values import Owner, Source

UNUSED: Final = cast("list[int]", ())
"""What lies in a place that never had a card. A copy of a tuple is the tuple, so that it is known
again, and nothing is ever put into it: a place is given a list of its own first."""
NO_CARD: Final = -1
"""The top of an empty place, where that is no error: it has no attributes and equals no card."""
NOBODY: Final = -1
"""The next player where none is queued."""
STAY: Final = -2
"""The next player at the beginning of a stage: still the current one."""

_Self = TypeVar("_Self", bound="State")


class StateTables:
    """The slots that a program has before play, and what a new state has in them."""

    def __init__(
        self, players: int, charts: Charts, error: Callable[[int, str], ProgramError]
    ) -> None:
        """Start with none; `error` makes the error of an offset in the page."""
        self.places: Final = Places(players)
        self.counts: Final = Stored()
        self.words: Final = Stored()
        self.charts: Final = Stored()
        self.charts_of_cards: Final = charts
        self.error: Final = error


class State:
    """A hand at one moment. A card, a player, a team and a slot are all numbers from 0."""

    __slots__ = (
        "chart_slots",
        "charts",
        "count_slots",
        "counts",
        "draws",
        "has_own_slots",
        "piles",
        "place_slots",
        "player_next",
        "player_now",
        "references",
        "shuffles",
        "source",
        "tables",
        "team_next",
        "team_now",
        "ties",
        "to_act",
        "where",
        "word_slots",
        "words",
        "work",
    )

    tables: StateTables
    source: Source
    to_act: int
    """Who is to decide; `NOBODY` when the hand is over."""
    piles: list[list[int]]
    """What lies in each place, bottom first; or `UNUSED`."""
    where: list[int]
    """The place of each card."""
    counts: list[int]
    words: list[str]
    charts: list[Chart]
    player_now: list[int]
    """The current player of each cycle, the topmost last."""
    player_next: list[int]
    """The queued player of each cycle, or `NOBODY`."""
    team_now: list[int]
    team_next: list[int]
    shuffles: int
    """How many shuffles there were."""
    draws: int
    """How many other draws there were."""
    ties: int
    references: int
    """How many references lie in memory places."""
    work: int
    """How many more items may be looked at before the next decision."""
    place_slots: Places
    count_slots: Stored
    word_slots: Stored
    chart_slots: Stored
    has_own_slots: bool
    """Whether the tables of slots are this state's own, and not shared with others."""

    def copy_to(self, other: _Self) -> _Self:
        """Make another state the same as this one, sharing nothing that changes."""
        other.tables = self.tables
        other.source = self.source
        other.to_act = self.to_act
        other.piles = [pile[:] for pile in self.piles]
        other.where = self.where[:]
        other.counts = self.counts[:]
        other.words = self.words[:]
        other.charts = self.charts[:]
        other.player_now = self.player_now[:]
        other.player_next = self.player_next[:]
        other.team_now = self.team_now[:]
        other.team_next = self.team_next[:]
        other.shuffles = self.shuffles
        other.draws = self.draws
        other.ties = self.ties
        other.references = self.references
        other.work = self.work
        other.place_slots = self.place_slots
        other.count_slots = self.count_slots
        other.word_slots = self.word_slots
        other.chart_slots = self.chart_slots
        self.has_own_slots = other.has_own_slots = False
        return other

    def take_slots(self, other: "State") -> None:
        """Take the tables of slots of another state, a copy of this one that may have more."""
        self.place_slots = other.place_slots
        self.count_slots = other.count_slots
        self.word_slots = other.word_slots
        self.chart_slots = other.chart_slots
        self.has_own_slots = other.has_own_slots = False
        self.fill_slots()

    def fill_slots(self) -> None:
        """Fill every slot that has nothing yet with what is in it at first."""
        self.piles += [UNUSED] * (len(self.place_slots.keys) - len(self.piles))
        self.counts += [0] * (len(self.count_slots.keys) - len(self.counts))
        self.words += [""] * (len(self.word_slots.keys) - len(self.words))
        self.charts += [self.tables.charts_of_cards.empty] * (
            len(self.chart_slots.keys) - len(self.charts)
        )

    def fail(self, at: int, message: str) -> NoReturn:
        """Raise the error of a construct that begins there."""
        raise self.tables.error(at, message)

    def see(self, card: int) -> int:
        """Return the place of a card if the actor sees what lies there, else its complement."""
        raise NotImplementedError

    def spend(self, at: int, work: int) -> None:
        """Count the items that are looked at, of which there are not to be too many."""
        self.work -= work
        if self.work < 0:
            message = f"more than {bounds.WORK} items are looked at without a decision"
            self.fail(at, message)

    def shuffled(self, size: int) -> Sequence[int]:
        """Return the next shuffle."""
        self.shuffles += 1
        return self.source.shuffle(self.shuffles - 1, size)

    def below(self, size: int) -> int:
        """Return the next other draw."""
        self.draws += 1
        return self.source.below(self.draws - 1, size)

    def new_place(self, at: int, owner: Owner, kind: str, name: str, index: int) -> int:
        """Return the slot of a place that was not named before."""
        if not 0 <= index < bounds.SLOTS:
            self.fail(at, f"the index {index} is not within 0 to {bounds.SLOTS - 1}")
        self._own_slots()
        try:
            slot = self.place_slots.slot(owner, kind, name, index)
        except FullTable:
            self.fail(at, f"there are more than {bounds.SLOTS} places")
        self.fill_slots()
        return slot

    def new_stored(self, at: int, family: str, owner: Owner, name: str) -> int:
        """Return the slot of a number, text or points map that was not named before."""
        self._own_slots()
        try:
            slot = self.stored_slots(family).slot(owner, name)
        except FullTable:
            self.fail(at, f"there are more than {bounds.SLOTS} different {family}")
        self.fill_slots()
        if len(self.charts) * len(self.where) > bounds.SCORES:
            self.fail(at, f"points maps have more than {bounds.SCORES} scores")
        return slot

    def stored_slots(self, family: str) -> Stored:
        """Return the slots of the numbers (sto), the texts (str) or the points maps (points)."""
        if family == "sto":
            return self.count_slots
        return self.word_slots if family == "str" else self.chart_slots

    def _own_slots(self) -> None:
        """Copy the tables of slots, so that they may grow."""
        if not self.has_own_slots:
            self.place_slots = self.place_slots.copy()
            self.count_slots = self.count_slots.copy()
            self.word_slots = self.word_slots.copy()
            self.chart_slots = self.chart_slots.copy()
            self.has_own_slots = True
