"""Renders the pages of a host from ``templates/host``, with what every one of them has."""

from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from referee.store.audit import announcements
from referee.web.host import forms
from referee.web.host.asking import Who
from referee.web.pages import Pages

if TYPE_CHECKING:
    from referee.web.host.hosting import Host


class HostPages:
    """The pages of a host."""

    def __init__(self, host: "Host", pages: Pages) -> None:
        """Take the host, and what renders all pages."""
        self._host = host
        self._pages = pages

    def part(self, here: str, template: str, **values: object) -> bytes:
        """Return a part of the page of an address, which is the same for several readers."""
        return self._pages.render(f"host/{template}.html", here, **values).encode()

    def answer(
        self, request: Request, who: Who, template: str, status: int = 200, **values: object
    ) -> Response:
        """Return a page, with the cookie that its forms are compared with."""
        secret = forms.form_secret(request)
        here = request.url.path.lstrip("/")
        text = self._pages.render(
            f"host/{template}.html",
            f"{here}index.html" if here.endswith("/") or not here else here,
            who=who,
            me=who.account,
            announcements=announcements(self._host.store, self._host.clock()),
            form_token=forms.form_token(self._host.signer, secret),
            settings=self._host.settings(),
            here_address=request.url.path,
            host_url=self._host.url,
            has_packages=bool(self._host.sdk),
            **values,
        )
        answer = HTMLResponse(text, status)
        forms.keep_form_secret(answer, request, secret)
        return answer
