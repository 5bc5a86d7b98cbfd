"""How the ratings of a league came about: the table after each round of visits."""

from collections.abc import Sequence

from typing_extensions import TypedDict

from referee.json_forms import moment
from referee.reports.ratings import RatingReport
from referee.store.models import Snapshot


class RatingThen(RatingReport):
    """The rating of an entrant at that moment."""

    number: int


class HistoryMoment(TypedDict):
    """The table as it stood once."""

    at: str
    duels: int
    """How many were played by then."""
    ratings: list[RatingThen]


def history(snapshots: Sequence[Snapshot]) -> list[HistoryMoment]:
    """Return the tables of a league, the oldest first."""
    return [
        {
            "at": moment(snapshot.at),
            "duels": snapshot.duels,
            "ratings": [
                {"number": number, "rating": mean, "spread": spread}
                for number, (mean, spread) in sorted(snapshot.ratings.items())
            ],
        }
        for snapshot in snapshots
    ]
