"""Creates leagues, and enters bots into them."""

from collections.abc import Sequence
from datetime import datetime

from referee.errors import ConfigError
from referee.store.bots import find_bot
from referee.store.database import Store
from referee.store.leagues import create_league, enter, league
from referee.store.models import MOST_ENTRANTS, Bot, Entry, League, Plan


def start_league(store: Store, name: str, plan: Plan, bots: Sequence[str], now: datetime) -> League:
    """Create a league with these bots, each named as `find_bot` takes it.

    Raises:
        ConfigError: it cannot have that name, or a bot cannot be entered.
    """
    _refuse_crowd(len(bots))
    chosen = [_playing_bot(store, each, plan) for each in bots]
    return create_league(store, name, plan, [bot.digest for bot in chosen], now)


def add_entrant(store: Store, name: str, bot: str, *, reopen: bool = False) -> Entry:
    """Enter a bot into a league; it plays everybody, from a seed of its own.

    Args:
        store: the store.
        name: the league's.
        bot: as `find_bot` takes it.
        reopen: whether a complete league may be changed, and is open again from then on.

    Raises:
        ConfigError: it cannot be entered.
    """
    found = league(store, name)
    _refuse_crowd(len(found.entries) + 1)
    return enter(store, name, _playing_bot(store, bot, found.plan).digest, reopen=reopen)


def _refuse_crowd(entrants: int) -> None:
    if entrants > MOST_ENTRANTS:
        raise ConfigError(
            f"a league has at most {MOST_ENTRANTS} entrants; create another for those beyond"
        )


def _playing_bot(store: Store, name: str, plan: Plan) -> Bot:
    bot, game = find_bot(store, name), plan.terms.game.name
    if game not in bot.games:
        plays = ", ".join(bot.games)
        raise ConfigError(f"{bot.name} does not play {game}; its bot.toml names {plays}")
    return bot
