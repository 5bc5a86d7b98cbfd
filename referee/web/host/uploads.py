"""Files that are handed in: counted as they arrive, and written to a directory of the store."""

from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.exceptions import HTTPException
from starlette.requests import Request

from referee.hosting.signing_in import TooManyTriesError
from referee.web.host.forms import add_field, bounded

if TYPE_CHECKING:
    from python_multipart.multipart import MultipartCallbacks

SECONDS: Final = 300.0
"""For a whole upload."""
_BESIDE: Final = 64 * 1024
"""Bytes of an upload beside its file."""
_LONGEST_FIELD: Final = 4096
_MOST_PARTS: Final = 20
_MULTIPART: Final = b"multipart/form-data"


class Uploads:
    """Who is handing something in, which takes much of the disk for a while: once at a time."""

    def __init__(self) -> None:
        """Begin with nobody."""
        self._accounts: set[int] = set()

    @contextmanager
    def one_of(self, account: int) -> Iterator[None]:
        """Note that an account hands something in, as long as the context lasts.

        Raises:
            TooManyTriesError: it does already.
        """
        if account in self._accounts:
            raise TooManyTriesError("you are handing in something else; wait until that is over")
        self._accounts.add(account)
        try:
            yield
        finally:
            self._accounts.remove(account)


async def receive_file(request: Request, path: Path, most: int) -> None:
    """Write the body of a request to a file."""
    with path.open("xb") as file:
        async for part in bounded(request, most, SECONDS):
            file.write(part)


async def receive_form(request: Request, path: Path, most: int) -> dict[str, str]:
    """Write the file of a form to a path, and return the other fields.

    Raises:
        HTTPException: it is too large, comes too slowly, or is no such form.
    """
    kind, options = parse_options_header(request.headers.get("content-type", ""))
    boundary = options.get(b"boundary", b"")
    if kind != _MULTIPART or not boundary or len(boundary) > 200:
        raise HTTPException(415, "This takes a form with a file")
    with path.open("xb") as file:
        form = _Form(file)
        parser = MultipartParser(boundary, form.callbacks())
        async for part in _body(request, most):
            try:
                parser.write(part)
            except ValueError:
                raise HTTPException(400, "This is no form") from None
    if not form.is_complete:
        raise HTTPException(400, "This form was cut off, or has no file")
    return form.fields


def _body(request: Request, most: int) -> AsyncIterator[bytes]:
    return bounded(request, most + _BESIDE, SECONDS)


class _Form:
    """What of a form has arrived."""

    def __init__(self, file: BinaryIO) -> None:
        self.fields: dict[str, str] = {}
        self._file = file
        self._parts = 0
        self._header = bytearray()
        self._value = bytearray()
        self._disposition = b""
        self._name = ""
        self._is_file = False
        self._files = 0
        self._ended = False

    @property
    def is_complete(self) -> bool:
        """Whether its end has arrived, and a file before that."""
        return self._ended and self._files == 1

    def callbacks(self) -> "MultipartCallbacks":
        return {
            "on_part_begin": self._begin,
            "on_part_data": self._data,
            "on_part_end": self._end,
            "on_header_field": self._header_name,
            "on_header_value": self._header_value,
            "on_header_end": self._header_end,
            "on_headers_finished": self._headers_end,
            "on_end": self._finish,
        }

    def _begin(self) -> None:
        self._parts += 1
        if self._parts > _MOST_PARTS:
            raise HTTPException(400, "This form has too many fields")
        self._header.clear()
        self._value.clear()
        self._disposition = b""

    def _header_name(self, data: bytes, start: int, end: int) -> None:
        self._keep(self._header, data[start:end])

    def _header_value(self, data: bytes, start: int, end: int) -> None:
        self._keep(self._value, data[start:end])

    def _header_end(self) -> None:
        if bytes(self._header).lower() == b"content-disposition":
            self._disposition = bytes(self._value)
        self._header.clear()
        self._value.clear()

    def _headers_end(self) -> None:
        _, options = parse_options_header(self._disposition)
        self._name = options.get(b"name", b"").decode(errors="replace")
        self._is_file = b"filename" in options
        self._files += self._is_file
        if self._files > 1:
            raise HTTPException(400, "This form has more than one file")

    def _data(self, data: bytes, start: int, end: int) -> None:
        if self._is_file:
            self._file.write(data[start:end])
        else:
            self._keep(self._value, data[start:end])

    def _end(self) -> None:
        if self._is_file:
            return
        add_field(self.fields, self._name, self._value.decode(errors="replace"))

    def _finish(self) -> None:
        self._ended = True

    def _keep(self, kept: bytearray, part: bytes) -> None:
        kept.extend(part)
        if len(kept) > _LONGEST_FIELD:
            raise HTTPException(400, "A field of this form is too long")
