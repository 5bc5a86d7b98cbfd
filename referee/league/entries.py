"""Creates leagues, and enters bots into them."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from referee.beacon import Round
from referee.errors import ConfigError
from referee.store.bots import find_bot
from referee.store.database import Store
from referee.store.leagues import create_league, enter, league
from referee.store.models import MOST_ENTRANTS, Bot, Entry, League, Plan
from referee.store.statement import NO_PROMISE, Promise


def start_league(  # noqa: PLR0913 (all that a league begins with)
    store: Store,
    name: str,
    plan: Plan,
    bots: Sequence[str],
    now: datetime,
    *,
    promises: Mapping[str, Promise] | None = None,
    beacon: Round | None = None,
) -> League:
    """Create a league with these bots, each named as `find_bot` takes it.

    Args:
        store: the store.
        name: what it is called.
        plan: how it is played.
        bots: who enters.
        now: when that is.
        promises: the nonces of some of them, by the same names.
        beacon: the round whose randomness is mixed in.

    Raises:
        ConfigError: it cannot have that name, or a bot cannot be entered, or somebody brings a
            nonce who is not.
    """
    _refuse_crowd(len(bots))
    brought = promises or {}
    strangers = [each for each in brought if each not in bots]
    if strangers:
        raise ConfigError(f"a nonce is brought for {strangers[0][:80]!r}, which is not entered")
    chosen = {each: _playing_bot(store, each, plan).digest for each in bots}
    by_digest = {chosen[each]: promised for each, promised in brought.items()}
    digests = [chosen[each] for each in bots]
    return create_league(store, name, plan, digests, now, promises=by_digest, beacon=beacon)


def add_entrant(
    store: Store, name: str, bot: str, promised: Promise = NO_PROMISE, *, reopen: bool = False
) -> Entry:
    """Enter a bot into a league; it plays everybody, from a seed of its own.

    Args:
        store: the store.
        name: the league's.
        bot: as `find_bot` takes it.
        promised: the nonce that its author brings.
        reopen: whether a complete league may be changed, and is open again from then on.

    Raises:
        ConfigError: it cannot be entered.
    """
    found = league(store, name)
    _refuse_crowd(len(found.entries) + 1)
    digest = _playing_bot(store, bot, found.plan).digest
    return enter(store, name, digest, promised=promised, reopen=reopen)


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
