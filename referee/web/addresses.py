"""The address of each page, and relative links between them, which work wherever they are put."""

from posixpath import commonprefix
from typing import Final

from referee.scheduling.keys import DuelKey
from referee.scheduling.keys import pairing as pair_of

HOME: Final = "index.html"


def league(name: str) -> str:
    """Return the address of a league."""
    return f"leagues/{name}/index.html"


def game(name: str) -> str:
    """Return the address of the game that a league plays."""
    return f"leagues/{name}/game.html"


def program(name: str) -> str:
    """Return the address of the program that describes the game of a league."""
    return f"leagues/{name}/game.rcy"


def graph(name: str) -> str:
    """Return the address of the drawing of how the cards of that game move."""
    return f"leagues/{name}/game.svg"


def fairness(name: str) -> str:
    """Return the address of the page about what makes a league fair."""
    return f"leagues/{name}/fairness.html"


def crosstable(name: str) -> str:
    """Return the address of the crosstable, which is in the directory of the pairings."""
    return f"leagues/{name}/pairings/index.html"


def pairing(name: str, one: int, other: int, page: int = 1) -> str:
    """Return the address of a pairing; the order of the two does not matter."""
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
    # Called for every link of a page; `relpath` would ask for the working directory.
    ours, other = here.split("/")[:-1], there.split("/")
    shared = len(commonprefix([ours, other[:-1]]))
    return "/".join([".."] * (len(ours) - shared) + other[shared:])
