"""Checks, before a bot is started, that its sandbox can run the program that `run` names."""

import stat
from collections.abc import Sequence
from os.path import normpath
from pathlib import Path, PurePosixPath
from typing import Final

from referee.errors import ConfigError
from referee.sandbox.command import BUNDLE
from referee.sandbox.mounts import Runtime
from referee.sandbox.runtimes import HOW_TO_GET

_ELF: Final = b"\x7fELF"
_SCRIPT: Final = b"#!"
_LONGEST_LINE: Final = 256
"""The kernel reads no more of a script's first line."""
_INTERPRETERS: Final = {"python", *HOW_TO_GET}
_OTHER_NAMES: Final = {"py": "python", "pypy": "python", "nodejs": "node", "env": ""}


def refuse_unrunnable(manifest: Path, bundle: Path, run: Sequence[str], runtime: Runtime) -> None:
    """Check the program of a bundle.

    Args:
        manifest: the file that names it, for the message.
        bundle: the directory that is mounted for the bot.
        run: its command.
        runtime: what is mounted beside it.

    Raises:
        ConfigError: the sandbox has no such program, or cannot execute it.
    """
    try:
        why = _refusal(bundle, run[0], runtime)
    except OSError as error:
        why = f"{run[0]!r} cannot be read: {error.strerror}; make it readable"
    if why:
        raise ConfigError(f"{manifest}: run: {why}")


def _refusal(bundle: Path, word: str, runtime: Runtime) -> str:
    if word == runtime.name and runtime.program:
        return ""
    inside = PurePosixPath(normpath(PurePosixPath(BUNDLE, word)))
    if not inside.is_relative_to(BUNDLE):
        missing = f"the sandbox has no {word!r}; {_instead(inside.name, runtime)}"
        return "" if runtime.host_path(inside) else missing
    program = bundle / inside.relative_to(BUNDLE)
    try:
        mode = program.stat().st_mode
    except OSError:
        return f"there is no {word!r} in the bot's directory; {_instead(inside.name, runtime)}"
    if not stat.S_ISREG(mode):
        return f"{word!r} is not a file; name a program"
    if not mode & stat.S_IXUSR:
        return f"{word!r} is not executable; run chmod +x on it"
    with program.open("rb") as file:
        line = file.readline(_LONGEST_LINE)
    return _cannot_execute(bundle, word, line, runtime)


def _cannot_execute(bundle: Path, word: str, line: bytes, runtime: Runtime) -> str:
    if line.startswith(_ELF):
        return ""
    if not line.startswith(_SCRIPT):
        wanted = "neither compiled nor a script that begins with #!"
        return f"{word!r} is {wanted}; {_instead(Path(word).suffix[1:], runtime)}"
    if line.endswith(b"\r\n"):
        return f"{word!r} has Windows line ends (CRLF), also after its #!; save it with LF"
    interpreter, *arguments = line[2:].decode(errors="replace").split() or [""]
    inside = PurePosixPath(normpath(PurePosixPath(BUNDLE, interpreter)))
    if inside.is_relative_to(BUNDLE):
        found = (bundle / inside.relative_to(BUNDLE)).is_file()
    else:
        found = runtime.host_path(inside) is not None
    if found:
        return ""
    name = arguments[0] if inside.name == "env" and arguments else inside.name
    return f"{word!r} is a script for {interpreter}, which the sandbox has not; " + _instead(
        name, runtime
    )


def _instead(name: str, runtime: Runtime) -> str:
    """Return what to do where a program of the machine was meant."""
    name = name.rstrip("0123456789.")
    name = _OTHER_NAMES.get(name, name)
    if runtime.program and name not in _INTERPRETERS - {runtime.name}:
        return f'begin run with "{runtime.name}", the name of the runtime'
    if name in _INTERPRETERS:
        return f'set runtime = "{name}" and begin run with "{name}"'
    return "name a compiled program in the bot's directory, or set runtime"
