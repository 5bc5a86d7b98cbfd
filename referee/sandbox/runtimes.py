"""Finds the runtimes of this machine: for Python, for compiled bots, and for other languages."""

import compileall
import platform
import sys
import sysconfig
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.util import cache_from_source, find_spec
from pathlib import Path
from typing import Final

from referee.errors import ConfigError
from referee.sandbox.interpreters import find_interpreters
from referee.sandbox.mounts import ALTERNATIVES, Mount, Runtime

_PYTHON: Final = "/opt/python"
PACKAGES: Final = "/opt/upcard"
"""Where Python bots find the SDK and its dependencies."""
_SDK: Final = ("upcard", "grpc", "google.protobuf", "google._upb", "typing_extensions")
_USR: Final = Path("/usr")
_UNNEEDED: Final = (
    *("test", "tests", "idlelib", "tkinter", "turtledemo", "lib2to3", "pydoc_data", "ensurepip"),
    *("config-*", "pkgconfig", "*.a", "*.opt-1.pyc", "*.opt-2.pyc"),
    # Without their packages these are of no use, and `_tkinter` needs libraries for a screen.
    *("_tkinter.*", "_test*.so", "_ctypes_test.*", "_xxtestfuzz.*", "turtle.*"),
)
HOW_TO_GET: Final[Mapping[str, str]] = {
    "node": "install Node.js 20 or newer (apt install nodejs)",
    "java": "install a Java runtime, 17 or newer (apt install default-jre-headless)",
    "ruby": "install the distribution's Ruby (apt install ruby)",
}
"""How to install a runtime that is missing."""


@cache
def find_runtimes() -> Mapping[str, Runtime]:
    """Return the runtimes of this machine by name."""
    native = _native()
    found = (native, _python(native), *find_interpreters(native))
    return {runtime.name: runtime for runtime in found}


def _native() -> Runtime:
    mounts = (*_libraries(), *_beside_libraries())
    version = platform.libc_ver()[1] or "any"
    return Runtime("native", mounts, tuple(_links()), {}, (), version)


def _libraries() -> Iterator[Mount]:
    libraries = next(filter(_has_libc, _library_directories()), None)
    if libraries is None:
        raise ConfigError("the C library is in none of the usual places below /usr/lib")
    yield Mount(libraries, str(libraries), has_libraries=True)
    for directory in (_USR / "lib", _USR / "lib64"):
        # Programs name the loader by this path, which may be a link.
        for loader in directory.glob("ld-*.so*"):
            if libraries != directory and not directory.is_symlink():
                yield Mount(loader.resolve(), str(loader))
    if not Path("/lib").is_symlink():
        yield Mount(Path("/lib"), "/lib", has_libraries=True)


def _library_directories() -> Iterator[Path]:
    yield _USR / "lib" / f"{platform.machine()}-linux-gnu"
    yield from (_USR / "lib64", _USR / "lib", Path("/lib"))


def _has_libc(directory: Path) -> bool:
    return any(directory.glob("libc.so*")) or any(directory.glob("ld-musl-*"))


def _beside_libraries() -> Iterator[Mount]:
    for place in ("/etc/ld.so.cache", ALTERNATIVES):
        if Path(place).exists():
            yield Mount(Path(place), place)


def _links() -> Iterator[tuple[str, str]]:
    for place in ("/lib", "/lib64", "/bin", "/usr/lib64"):
        if Path(place).is_symlink():
            yield str(Path(place).readlink()), place


def _python(native: Runtime) -> Runtime:
    mounts = (*native.mounts, *_interpreter(Path(sys.base_prefix)), *_packages())
    environment = {
        "PYTHONPATH": PACKAGES,
        "PYTHONDONTWRITEBYTECODE": "1",
        # So that what a bot printed is read before it is killed.
        "PYTHONUNBUFFERED": "1",
        # So that a match can be repeated, whatever the bot keeps in a set.
        "PYTHONHASHSEED": "0",
        **({} if Path(sys.base_prefix) == _USR else {"LD_LIBRARY_PATH": f"{_PYTHON}/lib"}),
    }
    program = (f"{_PYTHON}/bin/{_program_name()}",)
    version = platform.python_version()
    return Runtime("python", mounts, native.links, environment, program, version)


def _program_name() -> str:
    return f"python{sys.version_info.major}.{sys.version_info.minor}"


def _interpreter(prefix: Path) -> Iterator[Mount]:
    program = (prefix / "bin" / _program_name()).resolve()
    if not program.is_file():
        raise ConfigError(f"the Python of this program is not at {program}; reinstall it")
    yield Mount(program, f"{_PYTHON}/bin/{_program_name()}")
    library = Path(sysconfig.get_path("stdlib"))
    # A distribution's Python shares its prefix with other programs; any other has its own, and
    # may have libraries there.
    top = library if prefix == _USR else prefix / library.relative_to(prefix).parts[0]
    inside = f"{_PYTHON}/{top.relative_to(prefix)}"
    yield Mount(top, inside, tuple(_installed(top, library)), unneeded=_UNNEEDED)


def _installed(top: Path, library: Path) -> Iterator[str]:
    for name in ("site-packages", "dist-packages"):
        if (library / name).is_dir():
            yield str((library / name).relative_to(top))


def _packages() -> Iterator[Mount]:
    for name in _SDK:
        place = _place(name)
        inside = f"{PACKAGES}/{name.replace('.', '/')}"
        if place.is_dir():
            yield Mount(place, inside)
        else:
            yield Mount(place, f"{inside}{place.suffix}")
            yield from _compiled(place)
    compileall.compile_dir(_place("upcard"), quiet=2)


def _compiled(module: Path) -> Iterator[Mount]:
    # Bots cannot write there: what is not compiled now is compiled at each start of a bot.
    compileall.compile_file(module, quiet=2)
    compiled = Path(cache_from_source(module))
    if compiled.exists():
        yield Mount(compiled, f"{PACKAGES}/{compiled.parent.name}/{compiled.name}")


def _place(name: str) -> Path:
    spec = find_spec(name)
    if spec is None:
        missing = name.partition(".")[0]
        raise ConfigError(f"the Python package {missing} is missing, which bots need; install it")
    if spec.submodule_search_locations:
        return Path(next(iter(spec.submodule_search_locations))).resolve()
    assert spec.origin is not None
    return Path(spec.origin).resolve()
