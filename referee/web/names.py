"""How the name that a stranger chose is shown: harmless, short, apart from its neighbours."""

from functools import lru_cache
from typing import Final

from markupsafe import Markup

from referee.text import plain

_LONGEST: Final = 48


def shown(name: str) -> str:
    """Leave out what is not to be seen, and what is too long."""
    words = plain(name[: _LONGEST + 1])
    return words if len(words) <= _LONGEST else f"{words[: _LONGEST - 1]}…"


@lru_cache(maxsize=2048)
def called(name: str) -> Markup:
    """Return a name for a page: a browser reads it by itself, whichever way its letters run."""
    return Markup("<bdi>{}</bdi>").format(shown(name))
