"""The same for programs, as JSON: what `upcard login`, `submit` and the like ask for."""

from typing import TYPE_CHECKING, Final

from starlette.responses import JSONResponse, Response

from referee.hosting.signing_in import account_by_password
from referee.store.hosting_models import LadderEntrant
from referee.store.jobs import places
from referee.store.ladders import ladders
from referee.store.submissions import events, submissions, usage
from referee.web.host import submissions as pages
from referee.web.host.account import made_token
from referee.web.host.asking import Asked
from referee.web.host.challenges import challenged
from referee.web.host.ladder_tables import LadderTable
from referee.web.host.ladders import found_ladder
from referee.web.host.routes import API, Route
from referee.web.host.signing import written_try

if TYPE_CHECKING:
    from referee.web.host.hosting import Host

_MOST: Final = 100


def me(host: "Host", asked: Asked) -> Response:
    """Return who a token is of, and what it may be used for."""
    account = asked.account
    return JSONResponse(
        {
            "login": account.login,
            "name": account.name,
            "role": account.role,
            "scopes": asked.who.scopes,
            "url": host.url,
        }
    )


def sign_in(host: "Host", asked: Asked) -> Response:
    """Return a new token for a login and its password."""
    account = account_by_password(host.store, host.throttle, written_try(asked), asked.now)
    host.throttle.count_change(account.id)
    secret, made = made_token(host, asked, account)
    return JSONResponse({"token": secret, "expires": made.expires.isoformat()})


def all_ladders(host: "Host", asked: Asked) -> Response:
    """Return the ladders, and what of her quota somebody has used on each."""
    quota, found = host.settings().quota, []
    for each in ladders(host.store):
        used = usage(host.store, asked.account.id, each.id, asked.now)
        found.append(
            {
                "ladder": each.name,
                "state": each.state,
                "game": each.plan.terms.game.title,
                "used": {"daily": len(used.lately), "active": len(used.active)},
                "quota": {"daily": quota.daily, "active": quota.active},
            }
        )
    return JSONResponse({"ladders": found})


def one_ladder(host: "Host", asked: Asked) -> Response:
    """Return the table of a ladder."""
    table = host.tables.table(found_ladder(host, asked))
    return JSONResponse(table_as_json(table))


def table_as_json(table: LadderTable) -> dict[str, object]:
    """Return the table of a ladder as programs get it."""
    return {
        "ladder": table.ladder.name,
        "state": table.ladder.state,
        "epochs": [each.league for each in table.play.epochs],
        "table": [
            {
                "number": row.entrant,
                "name": table.names[row.entrant],
                **_about(table.entrant(row.entrant)),
                "rank": [row.ranks.best, row.ranks.worst],
                "rating": round(row.rating.mean, 3),
                "spread": round(row.rating.spread, 3),
                "conservative": round(row.rating.conservative, 3),
                "interval": [*row.interval],
                "duels": row.duels,
                "won": row.won,
                "drawn": row.drawn,
                "lost": row.lost,
                "points_per_hand": row.points.mean,
                "faults": row.faults,
            }
            for row in table.standings.rows
        ],
    }


def _about(entrant: LadderEntrant) -> dict[str, object]:
    return {
        "version": entrant.bot.version,
        "digest": entrant.bot.digest,
        "owner": entrant.owner,
        "house": entrant.account is None,
    }


def hand_in(host: "Host", asked: Asked) -> Response:
    """Hand in the archive that is the body of a request."""
    name = asked.request.query_params.get("ladder")
    found, is_new = pages.handed_in(host, asked, name)
    answer = {**pages.as_json(found), "is_new": is_new, **_links(host, found.id)}
    return JSONResponse(answer, 201 if is_new else 200)


def own_submissions(host: "Host", asked: Asked) -> Response:
    """Return what somebody handed in, the latest first."""
    own = submissions(host.store, account=asked.account.id, most=_MOST)
    line = places(host.store, "examine", [each.id for each in own])
    return JSONResponse(
        {"submissions": [{**pages.as_json(each), "place": line.get(each.id)} for each in own]}
    )


def one_submission(host: "Host", asked: Asked) -> Response:
    """Return a submission, and what became of it."""
    found = pages.seen(host, asked)
    return JSONResponse(
        {
            **pages.as_json(found),
            "place": places(host.store, "examine", [found.id]).get(found.id),
            "events": [
                {
                    "at": each.at.isoformat(timespec="seconds"),
                    "state": each.state,
                    "reason": each.reason,
                    "actor": each.actor,
                }
                for each in events(host.store, found.id)
            ],
            "report": pages.report(host, found),
            **_links(host, found.id),
        }
    )


def _links(host: "Host", number: int) -> dict[str, object]:
    return {"page": f"{host.url.rstrip('/')}/submissions/{number}"}


def challenge(host: "Host", asked: Asked) -> Response:
    """Ask for unrated duels."""
    made = challenged(host, asked)
    return JSONResponse({"id": made.id, "state": made.state}, 201)


_SUBMISSION: Final = f"{API}submissions/{{number:number}}"
ROUTES: Final = (
    Route("GET", f"{API}me", me, "author", "read"),
    Route("POST", f"{API}tokens", sign_in, None, body="form"),
    Route("GET", f"{API}ladders", all_ladders, "author", "read"),
    Route("GET", f"{API}ladders/{{name}}", one_ladder, None),
    Route("POST", f"{API}submissions", hand_in, "author", "submit", "file"),
    Route("GET", f"{API}submissions", own_submissions, "author", "read"),
    Route("GET", _SUBMISSION, one_submission, "author", "read"),
    Route("GET", f"{_SUBMISSION}/build.log", pages.log, "author", "read"),
    Route("GET", f"{_SUBMISSION}/faults/{{fault:number}}", pages.fault, "author", "read"),
    Route("POST", f"{_SUBMISSION}/rest", pages.rest, "author", "submit", "form"),
    Route("POST", f"{_SUBMISSION}/choose", pages.choose, "author", "submit", "form"),
    Route("POST", f"{API}challenges", challenge, "author", "submit", "form"),
)
