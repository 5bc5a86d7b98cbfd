"""Who has the workers of a host next: ladders, examinations or challenges."""

from collections import Counter
from collections.abc import Collection

from hypothesis import given
from hypothesis import strategies as st

from referee.hosting.shares import MOST, WEIGHTS, Shares, Work

ALL: tuple[Work, ...] = tuple(WEIGHTS)
HOUR = 3600.0


def shared(waiting: Collection[Work], until: float = HOUR, took: float = 5.0) -> Counter[Work]:
    """Return for how long one worker did what, where all of these always have work to do."""
    shares, now, busy = Shares(1, 0.0), 0.0, Counter[Work]()
    while now < until:
        kind = shares.choose(waiting, now)
        now += took
        if kind is not None:
            shares.began(kind)
            shares.ended(kind, took)
            busy[kind] += round(took)
    return busy


def test_while_all_have_work_each_has_its_share_of_the_time() -> None:
    busy, weights = shared(ALL), sum(WEIGHTS.values())
    for kind, weight in WEIGHTS.items():
        assert abs(busy[kind] / HOUR - weight / weights) < 0.02


def test_who_is_alone_has_all_of_the_time() -> None:
    assert shared(["examine"]) == {"examine": HOUR}


def test_challenges_have_a_tenth_at_most_where_nobody_else_has_work() -> None:
    busy = shared(["challenge"], 10 * HOUR)
    begins = MOST["challenge"] * 600  # what may be used at once
    assert busy["challenge"] <= MOST["challenge"] * 10 * HOUR + begins + 5
    assert busy["challenge"] >= 0.9 * MOST["challenge"] * 10 * HOUR


def test_a_ladder_keeps_its_share_though_it_pauses_after_each_round() -> None:
    shares, now, busy = Shares(1, 0.0), 0.0, Counter[Work]()
    visits, paired = 4, 0.0
    while now < HOUR:
        waiting: list[Work] = ["examine", "ladder"] if now >= paired else ["examine"]
        kind = shares.choose(waiting, now)
        took = {"examine": 4.0, "ladder": 1.0, "challenge": 0.0, None: 0.1}[kind]
        now += took
        if kind is not None:
            shares.began(kind)
            shares.ended(kind, took)
            busy[kind] += round(took)
        if kind == "ladder":
            visits -= 1
        if visits == 0:
            visits, paired = 4, now + 0.3
    share = WEIGHTS["examine"] / (WEIGHTS["ladder"] + WEIGHTS["examine"])
    assert 0.8 * share < busy["examine"] / HOUR < 1.1 * share


def test_nobody_waits_long_for_a_kind_that_has_no_work() -> None:
    shares = Shares(1, 0.0)
    shares.ended("examine", 60.0)
    assert shares.choose(["ladder", "examine"], 0.0) == "ladder"
    assert shares.choose(["examine"], 1.0) is None
    assert shares.choose(["examine"], 2.0) == "examine"


def test_a_kind_that_had_nothing_to_do_has_saved_nothing_up() -> None:
    shares, now = Shares(1, 0.0), 0.0
    for _ in range(100):
        assert shares.choose(["ladder"], now) == "ladder"
        now += 60.0
        shares.began("ladder")
        shares.ended("ladder", 60.0)
    chosen = Counter[Work | None]()
    for _ in range(20):
        kind = shares.choose(["ladder", "examine"], now)
        assert kind
        chosen[kind] += 1
        shares.began(kind)
        shares.ended(kind, 1.0)
    assert chosen["ladder"] > chosen["examine"]


def test_a_kind_whose_work_is_under_way_counts_as_there() -> None:
    shares = Shares(2, 0.0)
    assert shares.choose(["ladder"], 0.0) == "ladder"
    shares.began("ladder")
    assert shares.choose(["examine"], 0.0) == "examine"
    shares.began("examine")
    shares.ended("examine", 1000.0)
    # The ladder never stopped, so it has not to begin where the examinations are now.
    assert shares.choose(["ladder", "examine"], 0.0) == "ladder"


@given(st.lists(st.tuples(st.sets(st.sampled_from(ALL)), st.floats(0, 50)), max_size=40))
def test_only_who_waits_is_chosen(turns: list[tuple[set[Work], float]]) -> None:
    shares, now = Shares(2, 0.0), 0.0
    for waiting, took in turns:
        kind = shares.choose(waiting, now)
        assert kind in {None, *waiting}
        if kind is None:
            assert shares.choose(waiting, now + 10.0) is not None or waiting <= {*MOST}
            now += 10.0
        else:
            shares.began(kind)
            shares.ended(kind, took)
        now += took
