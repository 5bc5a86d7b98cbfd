"""The argument that says which league, and what is meant where it is left out."""

from typing import Annotated

import typer

from referee.errors import ConfigError
from referee.store.database import Store
from referee.store.leagues import league_names

LeagueName = Annotated[
    str | None,
    typer.Argument(metavar="[LEAGUE]", help="Which league; needed only if there are several."),
]


def chosen_league(store: Store, name: str | None) -> str:
    """Return the name of the league that is meant.

    Raises:
        ConfigError: none was named, and there is not exactly one.
    """
    if name is not None:
        return name
    known = league_names(store)
    if not known:
        raise ConfigError("there is no league yet; create one: upcard league create LEAGUE")
    if len(known) > 1:
        raise ConfigError(f"there are several leagues; name one of {', '.join(known)}")
    return known[0]
