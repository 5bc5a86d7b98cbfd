"""Finds the interpreters of languages other than Python on this machine."""

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
_UNNEEDED: Final = (
    *("jmods", "include", "man", "legal", "demo", "ct.sym", "src.zip", "*.debuginfo"),
    *("libawt_xawt.so", "libsplashscreen.so", "classes_nocoops.jsa"),
)
"""Parts of a Java installation for developers and for screens."""
_SECONDS: Final = 20
_VERSION: Final = re.compile(r"v\d+\.\d+\.\d+\S*")


def find_interpreters(native: Runtime) -> Iterator[Runtime]:
    """Yield a runtime for each interpreter that is installed, based on the native one."""
    for name, found in FOUND.items():
        program = shutil.which(name)
        runtime = found(native, Path(program).resolve()) if program else None
        if runtime is not None:
            yield runtime


def _node(native: Runtime, program: Path) -> Runtime | None:
    version = _output(program, "--version")
    if not _VERSION.fullmatch(version):
        return None  # perhaps the shim of a version manager
    parts = "/usr/share/nodejs", f"{native.mounts[0].inside}/nodejs"
    mounts = (*native.mounts, Mount(program, _NODE), *_same_path(*parts))
    # A limit of the old generation makes the young one small, and collections frequent.
    command = (_NODE, "--max-old-space-size={half}", "--max-semi-space-size=16")
    return native._replace(name="node", mounts=mounts, program=command, version=version[1:])


def _java(native: Runtime, program: Path) -> Runtime | None:
    home = program.parents[1]
    if program != home / "bin" / "java" or not (home / "release").is_file():
        return None  # not in the directory of a Java installation
    # Distributions keep configuration files elsewhere, behind links.
    elsewhere = [str(place) for place in sorted(Path("/etc").glob("java-*"))]
    mounts = (*native.mounts, Mount(home, _JAVA, unneeded=_UNNEEDED), *_same_path(*elsewhere))
    command = (
        f"{_JAVA}/bin/java",
        "-XX:+UseSerialGC",
        # It would write a file that nobody reads, and lock it.
        "-XX:-UsePerfData",
        # The first size would else depend on the machine's memory, of which it is told nothing.
        "-Xms{half}m",
        "-Xmx{half}m",
        # The second compiler would go on using the CPU when no turn is open.
        "-XX:TieredStopAtLevel=1",
    )
    return native._replace(name="java", mounts=mounts, program=command, version=_release(home))


def _release(home: Path) -> str:
    """Return the version, from a file that every Java has; running the program is slow."""
    lines = (home / "release").read_text(errors="replace").splitlines()
    fields = dict(line.split("=", 1) for line in lines if "=" in line)
    return fields.get("JAVA_VERSION", "").strip('"')


def _ruby(native: Runtime, program: Path) -> Runtime | None:
    if not program.is_relative_to(_USR) or program.is_relative_to(_USR / "local"):
        return None  # only a distribution's has its parts at the paths below
    parts = (
        *("/usr/lib/ruby", "/usr/share/rubygems-integration", "/var/lib/gems", "/usr/share/ruby"),
        *(f"{native.mounts[0].inside}/{name}" for name in ("ruby", "rubygems-integration")),
    )
    mounts = (*native.mounts, Mount(program, str(program)), *_same_path(*parts))
    version = program.name.removeprefix("ruby")
    return native._replace(name="ruby", mounts=mounts, program=(str(program),), version=version)


FOUND: Final[Mapping[str, Callable[[Runtime, Path], Runtime | None]]] = {
    "node": _node,
    "java": _java,
    "ruby": _ruby,
}
"""For each name, what makes its runtime, if the program of that name can be mounted."""


def _same_path(*paths: str) -> Iterator[Mount]:
    yield from (Mount(Path(path), path) for path in paths if Path(path).exists())


def _output(program: Path, *words: str) -> str:
    try:
        done = subprocess.run(  # noqa: S603 (an interpreter of this machine)
            (program, *words),
            env=CLEAN_ENVIRONMENT,
            cwd="/",  # the working directory may have a file that selects another program
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip()
