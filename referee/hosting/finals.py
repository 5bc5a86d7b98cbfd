"""The final of a season: a balanced round-robin of the best of a ladder, as an ordinary league."""

from datetime import datetime

from referee.errors import ConfigError
from referee.hosting.ladder_history import LadderHistory
from referee.store.database import Store
from referee.store.hosting_models import Ladder
from referee.store.leagues import create_league
from referee.store.models import League, Plan


def make_final(  # noqa: PLR0913 (all that a final is made of)
    store: Store, ladder: Ladder, name: str, top: int, duels: int, *, house: bool, now: datetime
) -> League:
    """Create the league in which the best of a ladder all meet.

    Args:
        store: the store.
        ladder: the ladder, which is frozen, so that its table stays as it is looked at.
        name: what the league is called.
        top: how many of the best play.
        duels: of each pair.
        house: whether house bots may be among them.
        now: when that is.

    Raises:
        ConfigError: the ladder is not frozen, or too few have played on it.
    """
    if ladder.state == "open":
        raise ConfigError(
            f"{ladder.name} still takes submissions; first: upcard ladder freeze {ladder.name}"
        )
    play = LadderHistory(store).play(ladder)
    own = {*play.house}
    best = [
        play.entrants[row.entrant - 1].bot.digest
        for row in play.standings().rows
        if row.duels and (house or row.entrant not in own)
    ][:top]
    if len(best) < 2:
        raise ConfigError(f"fewer than two bots have played on {ladder.name}")
    return create_league(store, name, Plan(ladder.plan.terms, duels, 0), best, now)
