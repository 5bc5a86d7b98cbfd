"""Forms: what they may hold, and that they come from our own pages.

A page with a form gives the browser a random cookie, and puts the cookie's value, signed, into the
form. No other site can read either, so none can send a form that has both.
"""

import re
from asyncio import timeout
from collections.abc import AsyncIterator, Mapping
from hmac import compare_digest
from secrets import token_urlsafe
from typing import Final
from urllib.parse import parse_qsl

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from referee.hosting.credentials import Signer

FIELD: Final = "form_token"
COOKIE: Final = "__Host-form"
_USE: Final = "form"
_SECRET: Final = re.compile(r"[A-Za-z0-9_-]{20,64}")
_NUMBER: Final = re.compile(r"[0-9]{1,15}")
_LARGEST: Final = 512 * 1024
"""Bytes of a form; the largest is a roster."""
_SECONDS: Final = 20.0
_MOST_FIELDS: Final = 50
_URLENCODED: Final = "application/x-www-form-urlencoded"


def form_secret(request: Request) -> str:
    """Return what the browser's cookie holds, or a new one for a browser without it."""
    return _held(request) or token_urlsafe(24)


def _held(request: Request) -> str | None:
    """Return what the browser's cookie holds, if it can have been drawn here."""
    held = request.cookies.get(COOKIE, "")
    return held if _SECRET.fullmatch(held) else None


def form_token(signer: Signer, secret: str) -> str:
    """Return what is put into the forms of a page."""
    return signer.signed(_USE, secret)


def keep_form_secret(response: Response, request: Request, secret: str) -> None:
    """Set the cookie that forms are compared with."""
    if request.cookies.get(COOKIE) != secret:
        response.set_cookie(COOKIE, secret, path="/", secure=True, httponly=True, samesite="strict")


def is_own(signer: Signer, request: Request, form: Mapping[str, str]) -> bool:
    """Return whether a form comes from a page that this browser was given."""
    held, sent = _held(request), signer.read(_USE, form.get(FIELD, ""))
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
    fields: dict[str, str] = {}
    for name, value in pairs:
        add_field(fields, name, value)
    return fields


def add_field(fields: dict[str, str], name: str, value: str) -> None:
    """Add a field to those of a form.

    Raises:
        HTTPException: it is there already, or no database would take it.
    """
    if name in fields:
        raise HTTPException(400, "A field is there twice")
    if "\0" in value:
        raise HTTPException(400, "This is no form")
    fields[name] = value


def whole_number(text: str) -> int | None:
    """Return the number that a stranger's text is, of 15 digits at most; None if it is none."""
    return int(text) if _NUMBER.fullmatch(text) else None


async def bounded(request: Request, most: int, seconds: float) -> AsyncIterator[bytes]:
    """Yield the body of a request, which must not be larger, nor take longer.

    Raises:
        HTTPException: it is, or does.
    """
    announced = whole_number(request.headers.get("content-length", "0"))
    if announced is None or announced > most:
        raise HTTPException(413, f"This is larger than {most} bytes")
    left = most
    try:
        async with timeout(seconds):
            async for part in request.stream():
                left -= len(part)
                if left < 0:
                    raise HTTPException(413, f"This is larger than {most} bytes")
                yield part
    except ClientDisconnect:
        raise HTTPException(400, "The connection ended before this was complete") from None
    except TimeoutError:
        raise HTTPException(408, f"This took longer than {seconds:g} seconds") from None
