"""Unrated duels of an author's bot against any bot that plays on the ladder."""

from typing import TYPE_CHECKING, Final

from starlette.responses import RedirectResponse, Response

from referee.errors import ConfigError
from referee.store.challenges import add_challenge
from referee.store.challenges import challenges as challenges_of
from referee.store.hosting_models import Challenge, Ladder, LadderEntrant, NewChallenge
from referee.store.jobs import places
from referee.store.ladders import ladder_entrants, ladders
from referee.web.host.asking import Asked
from referee.web.host.forms import whole_number
from referee.web.host.routes import Route

if TYPE_CHECKING:
    from referee.web.host.hosting import Host

MOST_DUELS: Final = 100
_MOST_OPEN: Final = 3
"""Challenges of an author that are not over, at most."""


def challenges_page(host: "Host", asked: Asked) -> Response:
    """Show an author's challenges, and the form for another one."""
    own = challenges_of(host.store, asked.account.id)
    entrants = {each.name: ladder_entrants(host.store, each) for each in ladders(host.store)}
    return host.page(
        asked,
        "challenges",
        challenges=own,
        entrants=entrants,
        places=places(host.store, "challenge", [each.id for each in own]),
        most_duels=MOST_DUELS,
    )


def challenge(host: "Host", asked: Asked) -> Response:
    """Add a challenge."""
    challenged(host, asked)
    return RedirectResponse("/challenges/", 303)


def challenged(host: "Host", asked: Asked) -> Challenge:
    """Add the challenge that is asked for, and return it.

    Raises:
        ConfigError: it cannot be played, or too many are waiting.
    """
    form = asked.form
    on, mine = _entrant(host, form.get("mine", ""))
    also_on, other = _entrant(host, form.get("other", ""))
    if on.id != also_on.id or mine.number == other.number:
        raise ConfigError("choose two different bots of one ladder")
    if mine.account != asked.account.id:
        raise ConfigError(f"{mine.bot.name} is not yours; challenge others by one of your bots")
    if "banned" in {mine.state, other.state}:
        raise ConfigError("one of the two is banned")
    duels = whole_number(form.get("duels", "20"))
    if duels is None or not 1 <= duels <= MOST_DUELS:
        raise ConfigError(f"a challenge has 1 to {MOST_DUELS} duels")
    new = NewChallenge(asked.account.id, on.id, mine.number, other.number, duels)
    return add_challenge(host.store, new, asked.now, _refuse_more)


def _refuse_more(waiting: int) -> None:
    if waiting >= _MOST_OPEN:
        raise ConfigError(f"{_MOST_OPEN} challenges of yours are waiting; ask for more after them")


def _entrant(host: "Host", text: str) -> tuple[Ladder, LadderEntrant]:
    """Return an entrant by LADDER/NUMBER."""
    name, _, number = text.partition("/")
    for on in ladders(host.store):
        for each in ladder_entrants(host.store, on) if on.name == name else ():
            if str(each.number) == number:
                return on, each
    raise ConfigError(f"there is no bot {text[:80]!r} on a ladder; write LADDER/NUMBER")


ROUTES: Final = (
    Route("GET", "/challenges/", challenges_page, "author"),
    Route("POST", "/challenges", challenge, "author", body="form"),
)
