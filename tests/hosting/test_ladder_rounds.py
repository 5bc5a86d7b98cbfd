"""When a ladder plays a round, who plays in it, and who sits out."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from referee.arena.limits import Terms
from referee.hosting.ladder_history import EpochPlay, LadderPlay
from referee.hosting.ladder_rounds import Paired, TimeShares, next_round
from referee.ratings.fitting import Rating
from referee.ratings.results import Results
from referee.scheduling.rounds import Pair
from referee.store.hosting_models import (
    EntrantState,
    Ladder,
    LadderEntrant,
    LadderEpoch,
    LadderPlan,
)
from tests.store.scenes import bot
from tests.table import euchre

NOW = datetime(2026, 9, 1, 8, tzinfo=UTC)
PLAN = LadderPlan(Terms(euchre()), 4, timedelta(days=1), timedelta(minutes=10), 3)


@dataclass
class Scene:
    """A ladder of so many entrants, each with an owner of its own."""

    count: int = 6
    owners: dict[int, int | None] = field(default_factory=dict)
    states: dict[int, EntrantState] = field(default_factory=dict)
    played: list[Pair] = field(default_factory=list)
    paired: datetime | None = None
    """When the last round of all was paired."""
    ratings: dict[int, Rating] = field(default_factory=dict)
    shares: TimeShares = field(default_factory=TimeShares)

    def everybody_played(self, rounds: int, pairs: Sequence[Pair] = ((1, 2), (3, 4))) -> None:
        self.played += [*pairs] * rounds

    def next(self, now: datetime = NOW) -> Paired | None:
        entrants = [
            LadderEntrant(
                number,
                bot(number),
                self.owners.get(number, 100 + number),
                "Ada",
                self.states.get(number, "active"),
                NOW,
            )
            for number in range(1, self.count + 1)
        ]
        epoch = LadderEpoch(1, "spring-1", NOW, self.paired, None)
        play = LadderPlay(
            Ladder(1, "spring", PLAN, "open", NOW),
            entrants,
            [epoch],
            [EpochPlay(Results(), self.played, {})],
        )
        return next_round(play, self.ratings, self.shares, b"seed", now)


def numbers(paired: Paired | None) -> list[int]:
    assert paired
    return sorted(number for pair in paired.pairs for number in pair)


def soon(minutes: int = 9) -> datetime:
    return NOW + timedelta(minutes=minutes)


def test_everybody_plays_in_the_first_round_of_an_epoch() -> None:
    paired = Scene().next()
    assert paired
    assert paired.everybody
    assert numbers(paired) == [1, 2, 3, 4, 5, 6]


def test_the_next_round_of_all_waits_for_the_interval() -> None:
    scene = Scene(4, paired=NOW)
    scene.everybody_played(3)
    assert scene.next(soon(9)) is None
    assert numbers(scene.next(soon(10))) == [1, 2, 3, 4]


def test_newcomers_catch_up_without_waiting() -> None:
    scene = Scene(5, paired=NOW)
    scene.everybody_played(3)
    paired = scene.next(soon(1))
    assert paired
    assert not paired.everybody
    assert len(paired.pairs) == 1
    assert 5 in numbers(paired)


def test_who_has_caught_up_waits_for_the_round_of_all() -> None:
    scene = Scene(6, paired=NOW)
    scene.everybody_played(3)
    scene.everybody_played(3, [(5, 1), (6, 2)])
    assert scene.next(soon(1)) is None


def test_a_newcomer_meets_the_nearest_first() -> None:
    ratings = {number: Rating(20.0 + number, 1.0) for number in (1, 2, 3, 4)}
    scene = Scene(5, paired=NOW, ratings=ratings | {5: Rating(23.1, 4.0)})
    scene.everybody_played(3)
    assert numbers(scene.next(soon(1))) == [3, 5]


def test_bots_of_one_owner_never_meet() -> None:
    scene = Scene(2, owners={1: 7, 2: 7})
    assert scene.next() is None


def test_house_bots_meet_each_other() -> None:
    scene = Scene(2, owners={1: None, 2: None})
    assert numbers(scene.next()) == [1, 2]


def test_only_who_is_active_plays() -> None:
    scene = Scene(6, states={2: "resting", 4: "suspended"})
    assert numbers(scene.next()) == [1, 3, 5, 6]


def test_who_takes_far_longer_than_others_sits_rounds_out() -> None:
    scene = Scene(9)  # so an even number is left
    for _ in range(4):
        for pair in ((1, 2), (3, 4), (5, 6)):
            scene.shares.took(pair, 10.0)
        scene.shares.took((7, 8), 400.0)
        scene.shares.took((8, 1), 10.0)  # so 8 is known to be none of the slow
    rounds = [numbers(scene.next()) for _ in range(10)]
    assert sum(7 in playing for playing in rounds) < 3
    assert all({1, 2, 3, 4, 5, 6, 8, 9} <= {*playing} for playing in rounds if 7 not in playing)


def test_who_sat_out_long_enough_plays_again() -> None:
    scene = Scene(4)
    for _ in range(3):
        scene.shares.took((1, 2), 10.0)
        scene.shares.took((3, 4), 10.0)
    scene.shares.took((3, 2), 90.0)
    played = [3 in numbers(scene.next()) for _ in range(4)]
    assert played[-1]


def test_while_nothing_is_known_of_their_time_everybody_plays() -> None:
    assert TimeShares().may_play([1, 2, 3]) == [1, 2, 3]
