"""Says whether pages can be made, to whoever watches over the server."""

from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from referee.web.league_cache import LeagueCache


def handler(almanac: LeagueCache) -> Callable[[Request], Response]:
    """Return what answers; where the store cannot be read, the answer is the one to any page."""

    def healthz(request: Request) -> Response:
        del request
        names = almanac.leagues()
        for name in names:
            # It also sees whether the store was upgraded under us.
            almanac.stamp(name)
        return JSONResponse({"status": "ok", "leagues": len(names)})

    return healthz
