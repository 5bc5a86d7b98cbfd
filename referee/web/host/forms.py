"""Forms: what they may hold, and that they come from our own pages.

A page with a form gives the browser a random cookie, and puts the cookie's value, signed, into the
form. No other site can read either, so none can send a form that has both.
"""

from asyncio import timeout
from collections.abc import AsyncIterator, Mapping
from hmac import compare_digest
from secrets import token_urlsafe
from typing import Final
from urllib.parse import parse_qsl

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from referee.hosting.credentials import Signer

FIELD: Final = "form_token"
COOKIE: Final = "__Host-form"
_USE: Final = "form"
_LARGEST: Final = 512 * 1024
"""Bytes of a form; the largest is a roster."""
_SECONDS: Final = 20.0
_MOST_FIELDS: Final = 50
_URLENCODED: Final = "application/x-www-form-urlencoded"


def form_secret(request: Request) -> str:
    """Return what the browser's cookie holds, or a new one for a browser without it."""
    held = request.cookies.get(COOKIE, "")
    return held if 20 <= len(held) <= 64 else token_urlsafe(24)


def form_token(signer: Signer, secret: str) -> str:
    """Return what is put into the forms of a page."""
    return signer.signed(_USE, secret)


def keep_form_secret(response: Response, request: Request, secret: str) -> None:
    """Set the cookie that forms are compared with."""
    if request.cookies.get(COOKIE) != secret:
        response.set_cookie(COOKIE, secret, path="/", secure=True, httponly=True, samesite="strict")


def is_own(signer: Signer, request: Request, form: Mapping[str, str]) -> bool:
    """Return whether a form comes from a page that this browser was given."""
    held, sent = request.cookies.get(COOKIE), signer.read(_USE, form.get(FIELD, ""))
    return held is not None and isinstance(sent, str) and compare_digest(held, sent)


async def read_form(request: Request) -> dict[str, str]:
    """Read a form without files; each field is there once.

    Raises:
        HTTPException: it is too large, comes too slowly, or is no form.
    """
    if request.headers.get("content-type", "").partition(";")[0].strip() != _URLENCODED:
        raise HTTPException(415, "This takes a form")
    body = b"".join([part async for part in bounded(request, _LARGEST, _SECONDS)])
    try:
        pairs = parse_qsl(
            body.decode(), keep_blank_values=True, max_num_fields=_MOST_FIELDS, errors="strict"
        )
    except (UnicodeDecodeError, ValueError):
        raise HTTPException(400, "This is no form") from None
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise HTTPException(400, "A field is there twice")
    return fields


async def bounded(request: Request, most: int, seconds: float) -> AsyncIterator[bytes]:
    """Yield the body of a request, which must not be larger, nor take longer.

    Raises:
        HTTPException: it is, or does.
    """
    announced = request.headers.get("content-length", "0")
    if not announced.isdigit() or int(announced) > most:
        raise HTTPException(413, f"This is larger than {most} bytes")
    left = most
    try:
        async with timeout(seconds):
            async for part in request.stream():
                left -= len(part)
                if left < 0:
                    raise HTTPException(413, f"This is larger than {most} bytes")
                yield part
    except TimeoutError:
        raise HTTPException(408, f"This took longer than {seconds:g} seconds") from None
