"""A host: what its handlers work with, and how its routes join the application."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Final

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from referee.hosting.credentials import Signer, signer_of
from referee.hosting.openid import Provider, ProviderSettings
from referee.hosting.settings import HostSettings, host_settings
from referee.hosting.signing_in import Throttle
from referee.store.challenges import challenge_leagues
from referee.store.database import Store
from referee.store.ladders import ladder_epochs, ladders
from referee.web.formatting import capitalised
from referee.web.host import (
    account,
    challenges,
    course,
    desk,
    programs,
    sdk,
    signing,
    submissions,
)
from referee.web.host import (
    ladders as ladder_pages,
)
from referee.web.host import (
    provider as provider_pages,
)
from referee.web.host.asking import Asked, Who
from referee.web.host.ladder_tables import LadderTables
from referee.web.host.pages import HostPages
from referee.web.host.routes import API, Route, add_routes
from referee.web.host.uploads import Uploads
from referee.web.middleware import HEADERS
from referee.web.pages import Pages

ROUTES: Final[tuple[Route, ...]] = (
    *signing.ROUTES,
    *provider_pages.ROUTES,
    *account.ROUTES,
    *submissions.ROUTES,
    *ladder_pages.ROUTES,
    *challenges.ROUTES,
    *desk.ROUTES,
    *course.ROUTES,
    *programs.ROUTES,
    *sdk.ROUTES,
)
"""All that is not for spectators alone."""


class Host:
    """What the handlers of a host work with."""

    headers: Mapping[str, str] = MappingProxyType(
        HEADERS
        | {
            "Content-Security-Policy": HEADERS["Content-Security-Policy"].replace(
                "form-action 'none'", "form-action 'self'"
            )
        }
    )
    """Those of every answer: pages have forms."""

    def __init__(
        self,
        store: Store,
        url: str,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        *,
        provider: ProviderSettings | None = None,
        packages: Path | None = None,
    ) -> None:
        """Make a host.

        Args:
            store: where it keeps all.
            url: the one by which people know it.
            clock: tells the time.
            provider: the OpenID Connect provider, if there is one.
            packages: a directory with packages of SDKs, if it offers any.

        Raises:
            ConfigError: the directory of packages is not as it was built.
        """
        self.store = store
        self.url = url
        self.clock = clock
        self.sdk = {each.name: each for each in (sdk.offered(packages) if packages else ())}
        self.throttle = Throttle()
        self.uploads = Uploads()
        self.tables = LadderTables(store)
        answer = f"{url.rstrip('/')}{provider_pages.ANSWER}"
        self.provider = Provider(provider, answer) if provider else None
        self.pages: HostPages

    @cached_property
    def signer(self) -> Signer:
        """What signs forms and links."""
        return signer_of(self.store)

    def settings(self) -> HostSettings:
        """Return what the organiser has chosen."""
        return host_settings(self.store)

    def hidden_leagues(self) -> set[str]:
        """Return the leagues that no list shows: challenges, and epochs of ladders."""
        epochs = (
            each for ladder in ladders(self.store) for each in ladder_epochs(self.store, ladder)
        )
        return challenge_leagues(self.store) | {epoch.league for epoch in epochs}

    def join(self, app: FastAPI, pages: Pages) -> None:
        """Add the routes of the host to the application that serves the pages of leagues."""
        self.pages = HostPages(self, pages)
        add_routes(app, self, ROUTES)

    def page(self, asked: Asked, template: str, status: int = 200, **values: object) -> Response:
        """Return a page for who asked."""
        return self.pages.answer(asked.request, asked.who, template, status, **values)

    def refused(self, request: Request, who: Who, status: int, message: str) -> Response:
        """Return the answer to what cannot be done as asked."""
        text = capitalised(message)
        if request.url.path.startswith(API):
            return JSONResponse({"error": text}, status)
        return self.pages.answer(request, who, "refused", status, message=text)
