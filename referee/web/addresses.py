"""Where each page is, and how one page links to another wherever the pages are put."""

from posixpath import commonprefix
from typing import Final

from referee.scheduling.keys import DuelKey
from referee.scheduling.keys import pairing as pair_of

HOME: Final = "index.html"


def league(name: str) -> str:
    """Return the address of a league."""
    return f"leagues/{name}/index.html"


def fairness(name: str) -> str:
    """Return the address of what makes a league fair."""
    return f"leagues/{name}/fairness.html"


def crosstable(name: str) -> str:
    """Return the address of the crosstable, which has the pairings beside it."""
    return f"leagues/{name}/pairings/index.html"


def pairing(name: str, one: int, other: int, page: int = 1) -> str:
    """Return the address of a pairing, whichever of the two is named first."""
    first, second = pair_of(one, other)
    part = f"-page-{page}" if page > 1 else ""
    return f"leagues/{name}/pairings/{first}-{second}{part}.html"


def entrant(name: str, number: int) -> str:
    """Return the address of an entrant."""
    return f"leagues/{name}/entrants/{number}.html"


def duel(name: str, key: DuelKey) -> str:
    """Return the address of a duel."""
    return f"leagues/{name}/duels/{key.first}-{key.second}-{key.number + 1}.html"


def relative(here: str, there: str) -> str:
    """Return the link from one page to another page or file."""
    # Asked for every link of a page, so nothing is asked of the system, as `relpath` does.
    own, other = here.split("/")[:-1], there.split("/")
    shared = len(commonprefix([own, other[:-1]]))
    return "/".join([".."] * (len(own) - shared) + other[shared:])
