"""Offers the packages of SDKs to everybody: the files that SHA256SUMS of a directory names.

What it names is looked at once, when the host starts. No address is ever made into a path.
"""

import re
from hashlib import file_digest
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from starlette.responses import FileResponse, RedirectResponse, Response

from referee.errors import ConfigError, FileError, NotFoundError
from referee.files.reading import opened
from referee.publication.checksums import SUMS
from referee.web.host.asking import Asked
from referee.web.host.routes import Route

if TYPE_CHECKING:
    from referee.web.host.hosting import Host

_PART: Final = "[A-Za-z0-9@][A-Za-z0-9._@-]{0,99}"
_SUM: Final = re.compile(f"([0-9a-f]{{64}})  ({_PART}(?:/{_PART}){{0,9}})")
_MOST_SUMS: Final = 1 << 20
_AGAIN: Final = "build the packages again with tools/build_sdk_packages"
_TEXT: Final = "text/plain; charset=utf-8"
_TYPES: Final = {
    ".crate": "application/gzip",
    ".gz": "application/gzip",
    ".info": "application/json",
    ".json": "application/json",
    ".jar": "application/java-archive",
    ".mod": _TEXT,
    ".pom": "application/xml",
    ".sha1": _TEXT,
    ".tgz": "application/gzip",
    ".whl": "application/zip",
    ".zip": "application/zip",
}
"""By the end of a name; anything else is to be kept, not shown."""


class SdkFile(NamedTuple):
    """A file that is offered."""

    name: str
    path: Path
    size: int
    digest: str
    """Its SHA-256."""

    @property
    def media_type(self) -> str:
        """What it is sent as."""
        if self.name == SUMS or self.path.name == "list":
            return _TEXT
        return _TYPES.get(self.path.suffix, "application/octet-stream")


def offered(directory: Path) -> tuple[SdkFile, ...]:
    """Return the files that a directory offers, each compared with its sum.

    Raises:
        ConfigError: the directory is not as tools/build_sdk_packages wrote it.
    """
    root = directory.resolve()
    try:
        with opened(root / SUMS, follow_links=False) as file:
            lines = file.read(_MOST_SUMS).decode(errors="replace").splitlines()
        sums = (_file(root, SUMS), *(_summed(root, line) for line in lines))
    except FileError as error:
        raise ConfigError(f"{error}; {_AGAIN}") from None
    return sums


def _summed(root: Path, line: str) -> SdkFile:
    read = _SUM.fullmatch(line)
    if not read:
        raise ConfigError(f"{root / SUMS} has a line {line[:200]!r}; {_AGAIN}")
    digest, name = read.groups()
    found = _file(root, name)
    if found.digest != digest:
        raise ConfigError(f"{found.path} is not what {SUMS} says; {_AGAIN}")
    return found


def _file(root: Path, name: str) -> SdkFile:
    path = root / name
    if path.resolve() != path:
        raise ConfigError(f"{path} is behind a symbolic link; put the file itself there")
    with opened(path, follow_links=False) as file:
        digest = file_digest(file, "sha256").hexdigest()
        return SdkFile(name, path, file.tell(), digest)


def listing(host: "Host", asked: Asked) -> Response:
    """Show the packages, and how they are used."""
    if not host.sdk:
        raise NotFoundError("this host has no packages of SDKs")
    wheels = [each.name for each in host.sdk.values() if each.path.suffix == ".whl"]
    return host.page(asked, "sdk", files=host.sdk.values(), wheels=wheels)


def to_listing(_host: "Host", _asked: Asked) -> Response:
    """Lead to the packages from an address without its trailing slash."""
    return RedirectResponse("/sdk/", 303)


def download(host: "Host", asked: Asked) -> Response:
    """Return a file."""
    found = host.sdk.get(asked.path("file"))
    if found is None:
        raise NotFoundError("there is no such package here; /sdk/ lists them")
    return FileResponse(found.path, media_type=found.media_type)


ROUTES: Final = (
    Route("GET", "/sdk", to_listing, None),
    Route("GET", "/sdk/", listing, None),
    Route("GET", "/sdk/{file:path}", download, None),
)
