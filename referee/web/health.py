"""Says whether pages can be made, to whoever watches over the server."""

from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from referee.store.database import Store
from referee.store.leagues import leagues


def handler(store: Store) -> Callable[[Request], Response]:
    """Give what answers; where the store cannot be read, the answer is the one to any page."""

    def healthz(request: Request) -> Response:
        del request
        return JSONResponse({"status": "ok", "leagues": len(leagues(store))})

    return healthz
