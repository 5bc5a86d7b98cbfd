"""What strangers hand in, as a host receives it: forms with a file, and archives of bots."""

import asyncio
import gzip
import io
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import Message

from referee.errors import ConfigError
from referee.hosting.receiving import look
from referee.hosting.settings import DEFAULTS
from referee.web.host.uploads import receive_form

_LARGEST: Final = 1 << 20
_SETTINGS: Final = DEFAULTS._replace(packed_mib=1, unpacked_mib=1, files=50)
_PART: Final = 700
"""Bytes that arrive at once: the boundaries within a form are cut, too."""
_MANIFEST: Final = b"""name = "mine"
version = "1"
author = "me"
language = "python"
run = ["python", "bot.py"]
games = ["euchre"]
"""
_BOT: Final[Mapping[str, bytes]] = {
    "mine/bot.toml": _MANIFEST,
    "mine/bot.py": b"print(1)\n",
    "mine/data/weights": bytes(2000),
}


def archives() -> dict[str, bytes]:
    """Return a bot in each kind of archive."""
    tar, packed = io.BytesIO(), io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w") as out, zipfile.ZipFile(packed, "w") as zipped:
        for name, content in _BOT.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            out.addfile(entry, io.BytesIO(content))
            zipped.writestr(name, content, zipfile.ZIP_DEFLATED)
        link = tarfile.TarInfo("mine/again.py")
        link.type, link.linkname = tarfile.SYMTYPE, "bot.py"
        out.addfile(link)
    return {
        "bot.tar": tar.getvalue(),
        "bot.tar.gz": gzip.compress(tar.getvalue(), mtime=0),
        "bot.zip": packed.getvalue(),
    }


def form() -> bytes:
    """Return a form with a bot, its header before it, as a browser sends it."""
    return (
        b"multipart/form-data; boundary=xyz\n"
        b'--xyz\r\nContent-Disposition: form-data; name="form_token"\r\n\r\ntoken\r\n'
        b'--xyz\r\nContent-Disposition: form-data; name="archive"; filename="bot.tar.gz"\r\n'
        b"Content-Type: application/gzip\r\n\r\n"
        + archives()["bot.tar.gz"]
        + b'\r\n--xyz\r\nContent-Disposition: form-data; name="ladder"\r\n\r\nspring\r\n--xyz--\r\n'
    )


def unpack_archive(path: Path) -> None:
    """Look at an archive as a host does."""
    with TemporaryDirectory(dir=path.parent) as directory:
        archive = Path(directory, "archive")
        archive.write_bytes(path.read_bytes())
        look(archive, _SETTINGS)


def receive(path: Path) -> None:
    """Receive a form as a host does, and look at what is in it."""
    kind, _, body = path.read_bytes().partition(b"\n")
    with TemporaryDirectory(dir=path.parent) as directory:
        archive = Path(directory, "archive")
        try:
            asyncio.run(receive_form(_request(kind, body), archive, _LARGEST))
        except HTTPException as refused:
            raise ConfigError(refused.detail) from None
        look(archive, _SETTINGS)


def _request(kind: bytes, body: bytes) -> Request:
    parts = [body[at : at + _PART] for at in range(0, len(body), _PART)]

    async def arrive() -> Message:
        part = parts.pop(0) if parts else b""
        return {"type": "http.request", "body": part, "more_body": bool(parts)}

    return Request({"type": "http", "headers": [(b"content-type", kind)]}, arrive)
