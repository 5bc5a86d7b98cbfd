"""Middleware: the headers and the count of every answer, and HEAD for the API."""

from collections.abc import Mapping
from time import perf_counter
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from referee.web.monitoring import Metrics

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
    """Adds headers that let a page do no more than it needs, and counts each answer."""

    def __init__(self, app: ASGIApp, metrics: Metrics, headers: Mapping[str, str]) -> None:
        """Wrap an application."""
        self._app = app
        self._metrics = metrics
        self._headers = headers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = perf_counter()

        def count(status: int) -> None:
            self._metrics.count_answer(_kind(scope), status, perf_counter() - began)

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
                count(message["status"])
            await send(message)

        try:
            await self._app(scope, receive, send_with_headers)
        except Exception:
            # Starlette answers unexpected errors outside of all middleware.
            count(500)
            raise


class HeadMiddleware:
    """Answers HEAD as GET without the body, below a prefix whose routes know GET alone."""

    def __init__(self, app: ASGIApp, prefix: str) -> None:
        """Wrap an application."""
        self._app = app
        self._prefix = prefix

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope.get("method") != "HEAD" or not scope["path"].startswith(self._prefix):
            await self._app(scope, receive, send)
            return

        async def send_without_body(message: Message) -> None:
            if message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        await self._app({**scope, "method": "GET"}, receive, send_without_body)


def _kind(scope: Scope) -> str:
    """Return the name of the handler, of which there are few, rather than the address."""
    endpoint = scope.get("endpoint")
    return getattr(endpoint, "__name__", "static" if endpoint else "none")
