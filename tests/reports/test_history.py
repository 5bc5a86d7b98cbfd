"""How a league came about, as programs are told it."""

from datetime import UTC, datetime, timedelta

from referee.reports.ratings import history
from referee.store.models import Snapshot

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def test_moments_are_told_in_the_order_of_the_snapshots() -> None:
    snapshots = [Snapshot(NOON + timedelta(minutes=n), 4 * n, {}) for n in range(3)]
    assert [(each["at"], each["duels"]) for each in history(snapshots)] == [
        ("2026-05-01T12:00:00+00:00", 0),
        ("2026-05-01T12:01:00+00:00", 4),
        ("2026-05-01T12:02:00+00:00", 8),
    ]


def test_the_ratings_of_a_moment_go_by_number() -> None:
    (moment,) = history([Snapshot(NOON, 8, {3: (21.0, 0.5), 1: (29.5, 0.25)})])
    assert moment["ratings"] == [
        {"number": 1, "rating": 29.5, "spread": 0.25},
        {"number": 3, "rating": 21.0, "spread": 0.5},
    ]


def test_a_league_without_snapshots_has_no_history() -> None:
    assert history([]) == []
