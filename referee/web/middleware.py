"""Surrounds every answer: headers that let a page do no more than it needs, and a count of it."""

from time import perf_counter
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from referee.web.metrics import Metrics

HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}


class AnswerMiddleware:
    """An application, surrounded."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        """Take what is within."""
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and its answer back."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = perf_counter()

        def answered(status: int) -> None:
            self._metrics.answered(_kind(scope), status, perf_counter() - began)

        async def surrounded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
                answered(message["status"])
            await send(message)

        try:
            await self._app(scope, receive, surrounded)
        except Exception:
            # What nobody foresaw is answered further out, past all this.
            answered(500)
            raise


def _kind(scope: Scope) -> str:
    """Name what answered, of which there are few, and not the address that was asked for."""
    endpoint = scope.get("endpoint")
    return getattr(endpoint, "__name__", "static" if endpoint else "none")
