"""`upcard league add-bot`, `withdraw` and `reinstate`: who plays in a league."""

from datetime import UTC, datetime
from shlex import join
from typing import Annotated, Final

import typer

from referee.cli.asking import ask
from referee.cli.store_options import Db
from referee.errors import ConfigError
from referee.league.entries import add_entrant
from referee.league.table import entrant_called, names
from referee.store.database import Store
from referee.store.leagues import league as find_league
from referee.store.leagues import reinstate as reinstate_entrant
from referee.store.leagues import withdraw as withdraw_entrant
from referee.store.models import League
from referee.store.opening import DEFAULT, open_store
from referee.store.statement import promise
from referee.text import plain

Name = Annotated[str, typer.Argument(metavar="LEAGUE", help="The league.")]
_Bot = Annotated[
    str,
    typer.Argument(
        metavar="BOT",
        help="A bot of the store: NAME, NAME@VERSION, or the start of its digest.",
    ),
]
Entrant = Annotated[
    str,
    typer.Argument(
        metavar="ENTRANT",
        help="By its name, as the tables show it; by NAME@VERSION where two share a name.",
    ),
]
_PLAY_ON: Final = "play on: upcard league run"
_Reopen = Annotated[
    bool,
    typer.Option("--reopen", help="Open a complete league again; its table and its digest change."),
]


def add_bot(
    name: Name,
    bot: _Bot,
    nonce: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT",
            help="Mix in a text that the bot's author chose; as you know it, it rules nothing out.",
        ),
    ] = None,
    nonce_hash: Annotated[
        str | None,
        typer.Option(metavar="HEX", help="The hash of such a text, to be revealed later."),
    ] = None,
    reopen: _Reopen = False,
    db: Db = DEFAULT,
) -> None:
    """Enter one more bot, also while the league runs; it plays everybody there."""
    promised = promise(nonce, nonce_hash)
    with open_store(db) as store:
        was = find_league(store, name)
        entry = add_entrant(store, name, bot, promised, reopen=reopen)
        called = names(find_league(store, name).entries)[entry.number]
    _say_reopened(was)
    do = "publish what it is dealt from: upcard league open" if nonce_hash else _PLAY_ON
    print(f"{plain(called)} is entered in {name}; {do} {name}")


def withdraw(
    name: Name,
    entrant: Entrant,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask first.")] = False,
    reopen: _Reopen = False,
    db: Db = DEFAULT,
) -> None:
    """Take an entrant out, also while the league runs: its duels no longer count for anybody.

    Take it back with 'upcard league reinstate'.
    """
    with open_store(db) as store:
        was, number, called = found_entrant(store, name, entrant)
        if not yes and (was.state == "open" or reopen):
            ask(f"Withdraw {called} from {name}? Its duels then count for nobody.")
        withdraw_entrant(store, name, number, datetime.now(UTC), reopen=reopen)
    _say_reopened(was)
    back = join(["upcard", "league", "reinstate", name, called])
    print(
        f"{called} is withdrawn from {name}; its duels stay stored and count for nobody. Take it "
        f"back: {back}"
    )


def reinstate(name: Name, entrant: Entrant, reopen: _Reopen = False, db: Db = DEFAULT) -> None:
    """Take a withdrawal or a suspension back: the entrant plays on, and its duels count again.

    Its faults so far do not suspend it again.
    """
    with open_store(db) as store:
        was, number, called = found_entrant(store, name, entrant)
        entry = was.entry(number)
        if entry.withdrawn is None and entry.suspended is None:
            raise ConfigError(f"{called} was not withdrawn from {name}, nor suspended there")
        reinstate_entrant(store, name, number, reopen=reopen)
    _say_reopened(was)
    print(f"{called} is in {name} again; play on: upcard league run {name}")


def found_entrant(store: Store, name: str, entrant: str) -> tuple[League, int, str]:
    """Return the league, and the number and the name of an entrant."""
    league = find_league(store, name)
    number = entrant_called(league, entrant)
    return league, number, plain(names(league.entries)[number])


def _say_reopened(was: League) -> None:
    if was.state == "complete":
        print(
            f"{was.name} was complete and is open again: its table and its digest change. Run it, "
            "and publish it anew"
        )
