"""How people name a duel of a league: ``1-2/17`` is the 17th of entrant 1 against entrant 2."""

import re
from typing import Final

from referee.errors import ConfigError
from referee.scheduling.keys import DuelKey, pairing
from referee.store.models import League

_NUMBER: Final = re.compile(r"[0-9]{1,9}")
_KEY: Final = re.compile(r".*/([0-9]{1,9}-[0-9]{1,9}/[0-9]{1,9})")
_NAME: Final = re.compile(r"([0-9]{1,9})-([0-9]{1,9})/([0-9]{1,9})")


def duel_name(key: DuelKey) -> str:
    """Name a duel."""
    return f"{key.first}-{key.second}/{key.number + 1}"


def is_duel_name(text: str) -> bool:
    """Return whether this names a duel of some league."""
    return _NAME.fullmatch(text) is not None


def key_of(name: str) -> DuelKey:
    """Return the key of a duel that was named by `duel_name`."""
    pair, _, number = name.partition("/")
    first, _, second = pair.partition("-")
    return DuelKey(int(first), int(second), int(number) - 1)


def is_named(text: str, dealt: str) -> bool:
    """Return whether a duel whose decks are dealt from this text has this name, or this number."""
    found = _KEY.fullmatch(dealt)
    return found is not None and text in {found[1], str(duel_number(found[1]))}


def number_in(dealt: str) -> str:
    """Return the number, from 1, of a duel whose decks are dealt from this text."""
    return dealt.rpartition("/")[2]


def duel_number(name: str) -> int:
    """Return the number of a duel in its pairing, from 1, by its name."""
    return key_of(name).number + 1


def duel_named(league: League, text: str) -> DuelKey:
    """Return the duel of a league that is named so; which of the two comes first does not matter.

    In a league of two its number is name enough.

    Raises:
        ConfigError: there is no such duel.
    """
    if _NUMBER.fullmatch(text) and len(league.entries) == 2:
        return DuelKey(*pairing(1, 2), int(text) - 1)
    found = _NAME.fullmatch(text)
    if not found:
        raise ConfigError(
            f"a duel is named like 1-2/17, as 'upcard duels' shows it, not {text[:80]!r}"
        )
    one, other, number = map(int, found.groups())
    if one == other or not {one, other} <= {entry.number for entry in league.entries}:
        raise ConfigError(f"{league.name} has no duel {text}; 'upcard duels' lists them")
    return DuelKey(*pairing(one, other), number - 1)
