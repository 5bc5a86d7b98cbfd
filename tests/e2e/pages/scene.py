"""The leagues whose pages are opened, and where these pages are."""

from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Final

from referee.engine.registry import preset
from referee.game_files import find_game
from referee.scheduling.keys import DuelKey, pairing
from referee.store.leagues import set_state
from referee.store.leases import lease
from referee.store.models import Snapshot
from referee.store.opening import open_store
from referee.store.snapshots import save_snapshot
from referee.web import addresses
from tests.cli.leagues import NOW, UNSANDBOXED, bots, write_league
from tests.table import euchre

SCRIPT: Final = "<script>alert(1)</script>"
HEBREW: Final = "שלום"
TURNED: Final = "\u202egnihton"
LONG: Final = "n" * 10_000
NAMES: Final = ("ada", "bert", SCRIPT, LONG, TURNED, HEBREW)
BLUNDER: Final = f"<img src=x onerror=alert(2)> {'a' * 5000} \u202e {HEBREW}"

CLUB: Final = "club"
_WHIST: Final = "whist"
_POKER: Final = "poker"
_MANY: Final = "many"
_OPEN: Final = "open"
_CROWD: Final = "crowd"
_EMPTY: Final = f"{'long-' * 12}name"
"""As long as the name of a league can be."""


def _duel(league: str, one: int, other: int) -> str:
    """Return the address of the first duel of a pairing."""
    return addresses.duel(league, DuelKey(*pairing(one, other), 0))


DUEL: Final = _duel(CLUB, 1, 2)
HEBREW_DUEL: Final = _duel(CLUB, 6, 2)
POKER_DUEL: Final = _duel(_POKER, 1, 2)
MANY_DUEL: Final = _duel(_MANY, 1, 2)
OPEN: Final = addresses.league(_OPEN)
NOWHERE: Final = f"nowhere/{'x' * 200}.html"

PAGES: Final[Mapping[str, str]] = {
    "home": addresses.HOME,
    "league": addresses.league(CLUB),
    "crosstable": addresses.crosstable(CLUB),
    "fairness": addresses.fairness(CLUB),
    "entrant": addresses.entrant(CLUB, 1),
    "faulty entrant": addresses.entrant(CLUB, 6),
    "long entrant": addresses.entrant(CLUB, 4),
    "pairing": addresses.pairing(CLUB, 1, 2),
    "strangers' pairing": addresses.pairing(CLUB, 3, 4),
    "duel": DUEL,
    "strangers' duel": _duel(CLUB, 6, 4),
    "whist league": addresses.league(_WHIST),
    "whist duel": _duel(_WHIST, 1, 2),
    "game": addresses.game(CLUB),
    "described league": addresses.league(_POKER),
    "described game": addresses.game(_POKER),
    "described pairing": addresses.pairing(_POKER, 1, 2),
    "described duel": POKER_DUEL,
    "duel of many rooms": MANY_DUEL,
    "crowded crosstable": addresses.crosstable(_CROWD),
    "open league": OPEN,
    "open entrant": addresses.entrant(_OPEN, 1),
    "open pairing": addresses.pairing(_OPEN, 1, 2),
    "empty league": addresses.league(_EMPTY),
    "empty crosstable": addresses.crosstable(_EMPTY),
    "empty fairness": addresses.fairness(_EMPTY),
    "for programs": "api/index.html",
    "nowhere": NOWHERE,
}


def write(place: Path) -> None:
    """Write a store with leagues of every kind."""
    short, two = euchre(target=5), bots(["ada", "bert"])
    void = DuelKey(1, 2, 1)
    write_league(
        place,
        bots(NAMES),
        name=CLUB,
        game=short,
        duels=2,
        faulty={6},
        voids=[void] * 3,
        explanation=BLUNDER,
    )
    _tell_history(place)
    whist = preset("whist").game({"target": 1})
    write_league(place, two, name=_WHIST, game=whist, duels=1, held=UNSANDBOXED, given=True)
    poker, many = find_game("kuhn-poker").game({"hands": 3}), find_game("black-lady").game()
    write_league(place, two, name=_POKER, game=poker, duels=1)
    write_league(place, two, name=_MANY, game=many, duels=1)
    write_league(place, bots(map(str, range(25))), name=_CROWD, game=euchre(target=1), duels=1)
    write_league(place, two, name=_OPEN, played=0)
    write_league(place, (), name=_EMPTY)


def _tell_history(place: Path) -> None:
    with open_store(str(place)) as store, lease(store, CLUB) as ours:
        for part in range(5):
            ratings = {number: (25.0 + number * part / 4, 8.0 - part) for number in range(1, 7)}
            at = NOW + timedelta(minutes=part)
            save_snapshot(store, ours, Snapshot(at, 10 * part, ratings))
        set_state(store, ours, "complete")
