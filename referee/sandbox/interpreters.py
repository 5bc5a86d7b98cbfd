"""Finds the interpreters of other languages than our own, as they lie about on a machine."""

import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

from referee.sandbox.modes import CLEAN_ENVIRONMENT
from referee.sandbox.mounts import Mount, Runtime

_USR: Final = Path("/usr")
_NODE: Final = "/opt/node/bin/node"
_JAVA: Final = "/opt/java"
_SECONDS: Final = 20
_VERSION: Final = re.compile(r"v\d+\.\d+\.\d+\S*")


def find_interpreters(native: Runtime) -> Iterator[Runtime]:
    """Yield a runtime for each interpreter that is here, on top of what every bot gets."""
    for name, found in FOUND.items():
        program = shutil.which(name)
        runtime = found(native, Path(program).resolve()) if program else None
        if runtime is not None:
            yield runtime


def _node(native: Runtime, program: Path) -> Runtime | None:
    version = _told(program, "--version")
    if not _VERSION.fullmatch(version):
        return None  # a stand-in that some version manager put there, perhaps
    trees = (*native.mounts, Mount(program, _NODE), *_as_it_is("/usr/share/nodejs"))
    # A bound for the old part of its heap makes the young one small, and its collector busy.
    words = (_NODE, "--max-old-space-size={half}", "--max-semi-space-size=16")
    return native._replace(name="node", mounts=trees, program=words, version=version[1:])


def _java(native: Runtime, program: Path) -> Runtime | None:
    home = program.parents[1]
    if program != home / "bin" / "java" or not (home / "release").is_file():
        return None  # whatever it is, what lies around it is no Java
    # Distributions keep what may be configured elsewhere, and lead there by links.
    elsewhere = [str(place) for place in sorted(Path("/etc").glob("java-*"))]
    trees = (*native.mounts, Mount(home, _JAVA), *_as_it_is(*elsewhere))
    words = (
        f"{_JAVA}/bin/java",
        "-XX:+UseSerialGC",
        # It would be a file that can be locked, for nobody to read.
        "-XX:-UsePerfData",
        "-Xmx{half}m",
        # The second compiler works on after a busy second, when nothing is asked any more.
        "-XX:TieredStopAtLevel=1",
    )
    return native._replace(name="java", mounts=trees, program=words, version=_release(home))


def _release(home: Path) -> str:
    """Read the version from the file that every Java has; asking the program takes long."""
    lines = (home / "release").read_text(errors="replace").splitlines()
    told = dict(line.split("=", 1) for line in lines if "=" in line)
    return told.get("JAVA_VERSION", "").strip('"')


def _ruby(native: Runtime, program: Path) -> Runtime | None:
    if not program.is_relative_to(_USR) or program.is_relative_to(_USR / "local"):
        return None  # only a distribution's has its parts where we look for them
    parts = ("/usr/lib/ruby", "/usr/share/rubygems-integration", "/var/lib/gems", "/usr/share/ruby")
    trees = (*native.mounts, Mount(program, str(program)), *_as_it_is(*parts))
    version = program.name.removeprefix("ruby")
    return native._replace(name="ruby", mounts=trees, program=(str(program),), version=version)


FOUND: Final[Mapping[str, Callable[[Runtime, Path], Runtime | None]]] = {
    "node": _node,
    "java": _java,
    "ruby": _ruby,
}
"""Makes the runtime of each, if the program that goes by its name is one that can be shown."""


def _as_it_is(*places: str) -> Iterator[Mount]:
    yield from (Mount(Path(place), place) for place in places if Path(place).exists())


def _told(program: Path, *words: str) -> str:
    try:
        done = subprocess.run(  # noqa: S603 (an interpreter of this machine)
            (program, *words),
            env=CLEAN_ENVIRONMENT,
            cwd="/",  # where we are there may be a file that says which program to run instead
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip()
