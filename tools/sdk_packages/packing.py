"""Packs SDKs as their ecosystems have it: wheels, a tarball of npm, a crate, a Maven repository.

All is packed from the referee's wheel, which has of each SDK what its users need. So equal sources
make equal packages, whatever else lies about in a clone.
"""

import gzip
import json
import os
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha1, sha256
from importlib.metadata import version
from pathlib import Path
from shutil import copy, copytree
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from referee.bots.sdks import sdk_for
from referee.files.writing import whole_directory
from referee.publication.checksums import SUMS, sums

ROOT: Final = Path(__file__).resolve().parents[2]
VERSION: Final = version("upcard")
GO_MODULE: Final = "upcard.invalid/go"
"""What a proxy calls the module: `upcard` has no dot, which a proxy demands, and a name that ends
with .invalid is nobody's."""
_SDKS: Final = "referee/data/sdk/"
_ABOUT_BOTS: Final = ("template", "template-typescript", "sdk.toml", "sdk-typescript.toml")
"""What is for `upcard new` and for builds alone."""
_CHANGED: Final = "2000-01-01T00:00:00Z"
"""When all of it was last changed, as archives have it."""


class PackingError(Exception):
    """A package could not be built."""


def pack(directory: Path, languages: Sequence[str]) -> None:
    """Write the wheels, the packages of languages and their sums into a new directory.

    Raises:
        PackingError: a package could not be built.
        ConfigError: the directory is there already, and not empty.
    """
    _check_programs(languages)
    with whole_directory(directory) as part, TemporaryDirectory() as scratch:
        wheels = part / "python"
        _wheels(wheels)
        for language in languages:
            source = Path(scratch, language)
            _unpack(wheels / f"upcard_referee-{VERSION}-py3-none-any.whl", language, source)
            folder, packer = PACKERS[language]
            (part / folder).mkdir()
            packer(source, part / folder)
        copytree(ROOT / "deploy" / "devcontainer", part / "devcontainer")
        (part / SUMS).write_text(sums(_digests(part)))


def _check_programs(languages: Sequence[str]) -> None:
    sdks = [sdk for language in languages if (sdk := sdk_for(language))]
    if missing := [sdk.missing for sdk in sdks if sdk.missing]:
        raise PackingError("; ".join(missing))


def _unpack(wheel: Path, language: str, source: Path) -> None:
    """Write the SDK of a language, and the licence, into a directory."""
    sdk = sdk_for(language)
    assert sdk
    start = f"{_SDKS}{sdk.directory.name}/"
    with ZipFile(wheel) as archive:
        for name in archive.namelist():
            path = Path(name.removeprefix(start))
            if name.startswith(start) and not set(_ABOUT_BOTS) & set(path.parts):
                (source / path).parent.mkdir(parents=True, exist_ok=True)
                (source / path).write_bytes(archive.read(name))
    copy(ROOT / "LICENSE", source)


def _digests(directory: Path) -> dict[str, str]:
    return {name: sha256(file.read_bytes()).hexdigest() for name, file in _files(directory)}


def _files(directory: Path) -> Iterator[tuple[str, Path]]:
    """Yield the files below a directory, with their names from there, sorted."""
    for file in sorted(directory.rglob("*")):
        if file.is_file():
            yield file.relative_to(directory).as_posix(), file


def _run(directory: Path, *command: str, **variables: str) -> None:
    environment = os.environ | variables
    try:
        done = subprocess.run(  # noqa: S603 (a program of this machine)
            command, cwd=directory, env=environment, capture_output=True, text=True, check=False
        )
    except OSError as error:
        raise PackingError(f"cannot run {command[0]}: {error.strerror}") from None
    if done.returncode:
        sys.stderr.write(done.stdout + done.stderr)
        raise PackingError(f"{' '.join(command)} ended with exit code {done.returncode}")


# What each ecosystem has


def _wheels(to: Path) -> None:
    """Build the SDK of Python and the referee, which is the author's tools too."""
    pip = (sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps")
    pins = dict.fromkeys(("PIP_CONSTRAINT", "PIP_BUILD_CONSTRAINT"), str(ROOT / "constraints.txt"))
    _run(ROOT, *pip, "--wheel-dir", str(to), ".", "./sdk/python", **pins)


def _npm(source: Path, to: Path) -> None:
    _run(source, "npm", "pack", "--silent", "--pack-destination", str(to))


def _cargo(source: Path, to: Path) -> None:
    _run(source, "cargo", "package", "--quiet", "--no-verify", "--exclude-lockfile")
    copy(source / "target" / "package" / f"upcard-{VERSION}.crate", to)


def _maven(source: Path, to: Path) -> None:
    """Write what a repository has of an artifact."""
    stamp = f"-Dproject.build.outputTimestamp={_CHANGED}"
    _run(source, "mvn", "--batch-mode", "--quiet", "-Dmaven.test.skip", stamp, "package")
    name = f"upcard-{VERSION}"
    artifact = to / "org" / "upcard" / "upcard" / VERSION
    artifact.mkdir(parents=True)
    copy(source / "target" / f"{name}.jar", artifact)
    copy(source / "pom.xml", artifact / f"{name}.pom")
    for suffix in ("jar", "pom"):
        file = artifact / f"{name}.{suffix}"
        digest = sha1(file.read_bytes(), usedforsecurity=False).hexdigest()
        file.with_suffix(f".{suffix}.sha1").write_text(digest)


def _goproxy(source: Path, to: Path) -> None:
    """Write what a proxy answers of a module: go.dev/ref/mod#goproxy-protocol."""
    tag = f"v{VERSION}"
    versions = to / GO_MODULE / "@v"
    versions.mkdir(parents=True)
    (versions / "list").write_text(f"{tag}\n")
    (versions / f"{tag}.info").write_text(json.dumps({"Version": tag, "Time": _CHANGED}))
    copy(source / "go.mod", versions / f"{tag}.mod")
    with ZipFile(versions / f"{tag}.zip", "w") as archive:
        for name, file in _files(source):
            entry = ZipInfo(f"{GO_MODULE}@{tag}/{name}")
            archive.writestr(entry, file.read_bytes(), ZIP_DEFLATED)


def _cmake(source: Path, to: Path) -> None:
    """Write an archive of sources, which CMake builds wherever they are unpacked."""
    name = f"upcard-{VERSION}"
    with (
        gzip.GzipFile(to / f"{name}.tar.gz", "wb", mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w") as archive,
    ):
        for inside, file in _files(source):
            entry = tarfile.TarInfo(f"{name}/{inside}")
            entry.size = file.stat().st_size
            with file.open("rb") as content:
                archive.addfile(entry, content)


PACKERS: Final[Mapping[str, tuple[str, Callable[[Path, Path], None]]]] = MappingProxyType(
    {
        "cpp": ("cmake", _cmake),
        "go": ("go", _goproxy),
        "java": ("maven", _maven),
        "javascript": ("npm", _npm),
        "rust": ("cargo", _cargo),
    }
)
"""By language: where its package goes, and what packs it."""
