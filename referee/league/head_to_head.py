"""A league of two, in which `upcard duel` and `upcard try` play."""

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from referee.bots.digest import bundle_digest
from referee.bots.seating import limits_of
from referee.examination.admission import Candidate
from referee.league.entries import start_league
from referee.league.workers import default_jobs
from referee.store.bots import add_bot
from referee.store.database import Store
from referee.store.models import Bot, Plan

NAME: Final = "duel"
"""What the league is called. Decks follow from it, so it is the same no matter who plays."""
_SECOND: Final = ".upcard-second"
"""A file that tells a bot from itself, where it is its own opponent."""
_PLAIN: Final = re.compile(r"[A-Za-z0-9._+-]+")
_SMALLEST_BLOCK: Final = 8
"""Duels in a session, at least: to start its sandboxes takes longer than to play some."""


def start_duel(store: Store, bots: Sequence[Candidate], plan: Plan, now: datetime) -> None:
    """Make the league of two bots, in a store that has none; the first is entrant 1.

    The block of the plan is the most that a visit may have: it has fewer where that gives each
    worker some.

    Raises:
        ConfigError: one of them does not play the game.
    """
    first, second = bots
    digests = first.bot.digest, _other_digest(first, second)
    add_bot(store, first.bot, first.entrant.bundle)
    add_bot(store, second.bot._replace(digest=digests[1]), second.entrant.bundle)
    limits = [limits_of(each.entrant.manifest) for each in bots]
    jobs = default_jobs(limits, len(plan.terms.game.seats))
    block = min(plan.block, max(_SMALLEST_BLOCK, -(-plan.duels // jobs)))
    start_league(store, NAME, plan._replace(block=block), digests, now)


def _other_digest(first: Candidate, second: Candidate) -> str:
    """Return the digest of the second bot, which a bot that plays itself gets a new one for."""
    if second.bot.digest != first.bot.digest:
        return second.bot.digest
    (second.entrant.bundle / _SECOND).touch()
    return bundle_digest(second.entrant.bundle)


def names_of(
    bots: Sequence[Candidate], roles: tuple[str, str], versions: Sequence[bool] = (False, False)
) -> tuple[str, str]:
    """Return what the two are called; two of the same name are told apart by their roles.

    Args:
        bots: the two.
        roles: of each.
        versions: whether each was named by its version, and so is called by it.
    """
    first, second = (
        _with_version(each.bot) if named else each.bot.name
        for each, named in zip(bots, versions, strict=True)
    )
    if first != second:
        return first, second
    return f"{first}-{roles[0]}", f"{second}-{roles[1]}"


def _with_version(bot: Bot) -> str:
    """Return the name of a bot at its version, if that can be in the name of a file."""
    return bot.at_version if _PLAIN.fullmatch(bot.version) else bot.name
