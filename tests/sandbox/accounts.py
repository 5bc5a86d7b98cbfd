"""Runs programs of the tests as root and as an ordinary user, no matter who runs the tests."""

import json
import os
import pwd
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from subprocess import PIPE
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

import pytest

from tests.waiting import PATIENCE

USER: Final = "upcard-ci"
_PROJECT: Final = Path(__file__).parents[2]
_PACKAGES: Final = ("upcard", "grpc", "grpc_status", "google", "typing_extensions")
_SUBORDINATE: Final = "1000000000-1000065535"


class Account(NamedTuple):
    """A user, and a Python which that user can run and which finds the project."""

    before: tuple[str, ...]
    python: str
    environment: Mapping[str, str]

    def command(self, *arguments: str) -> list[str]:
        """Return the command that runs Python as this user."""
        settings = [f"{name}={value}" for name, value in self.environment.items()]
        return [*self.before, "env", "-i", *settings, self.python, *arguments]


def root() -> Account:
    """Return root, who runs the project where it is."""
    before = () if os.geteuid() == 0 else ("sudo", "--non-interactive")
    return Account(before, sys.executable, {"PATH": os.environ["PATH"], **_path([_PROJECT])})


def ordinary(tree: Path) -> Account:
    """Return an ordinary user, for whom the project is copied to a tree."""
    if os.geteuid() != 0:
        return Account((), sys.executable, {**_both(os.environ), **_path([_PROJECT])})
    _make_user()
    _copy_project(tree)
    before = ("setpriv", f"--reuid={USER}", f"--regid={USER}", "--init-groups")
    home = pwd.getpwnam(USER).pw_dir
    environment = {"PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "HOME": home, **_path([tree])}
    return Account(before, _readable_python(), environment)


def _path(places: Sequence[Path]) -> dict[str, str]:
    return {"PYTHONPATH": os.pathsep.join(map(str, places))}


def _both(environment: Mapping[str, str]) -> dict[str, str]:
    names = ("PATH", "HOME", "XDG_RUNTIME_DIR")
    return {name: environment[name] for name in names if name in environment}


def _make_user() -> None:
    if USER not in (user.pw_name for user in pwd.getpwall()):
        subprocess.run(["useradd", "--create-home", USER], check=True)
    for option, file in (("--add-subuids", "subuid"), ("--add-subgids", "subgid")):
        if f"{USER}:" not in Path("/etc", file).read_text():
            subprocess.run(["usermod", option, _SUBORDINATE, USER], check=True)


def _copy_project(tree: Path) -> None:
    for source in (_PROJECT / "referee", Path(__file__).with_name("scenes.py"), *_packages()):
        if source.is_dir():
            shutil.copytree(source, tree / source.name)
        else:
            shutil.copy2(source, tree)
    tree.chmod(0o755)
    subprocess.run(["chmod", "-R", "go+rX", tree], check=True)
    # As the one who installed it would have done.
    subprocess.run(["chown", "-R", f"{USER}:", tree], check=True)


def _packages() -> Iterator[Path]:
    for name in _PACKAGES:
        spec = find_spec(name)
        assert spec, f"there is no package {name}"
        places = spec.submodule_search_locations or [str(spec.origin)]
        yield Path(next(iter(places)))


def _readable_python() -> str:
    name = f"python{sys.version_info.major}.{sys.version_info.minor}"
    candidates = (Path(sys.base_prefix, "bin", name), Path("/usr/bin", name))
    fitting = [each for each in candidates if each.exists() and _anybody_can_run(each)]
    if not fitting:
        pytest.fail(f"there is no {name} that an ordinary user can run; install it in /usr/bin")
    return str(fitting[0])


def _anybody_can_run(program: Path) -> bool:
    real = program.resolve()
    return all(place.stat().st_mode & 0o001 for place in (real, *real.parents))


class Stage:
    """A process of a user in which scenes are played with the same sandboxes, one after the other.

    It is started with the first scene, and again after one in which it ended.
    """

    def __init__(self, account: Account, mode: str) -> None:
        self._account = account
        self._mode = mode
        self._closing = ExitStack()
        self._process: subprocess.Popen[str] | None = None
        self._errors = Path()

    def play(self, scene: str, *arguments: str, **limits: int) -> Any:  # noqa: ANN401 (JSON)
        """Play a scene and return what came of it."""
        process = self._process if self._process and self._process.poll() is None else self._start()
        assert process.stdin
        assert process.stdout
        process.stdin.write(json.dumps([scene, arguments, limits]) + "\n")
        process.stdin.flush()
        line = process.stdout.readline()
        assert (bool(line), self._errors.read_text()) == (True, "")
        return json.loads(line)

    def _start(self) -> subprocess.Popen[str]:
        self.close()
        directory = self._closing.enter_context(TemporaryDirectory())
        self._errors = Path(directory, "errors")
        with self._errors.open("w") as errors:
            self._process = subprocess.Popen(
                _program(self._account, self._mode),
                cwd="/",
                stdin=PIPE,
                stdout=PIPE,
                stderr=errors,
                text=True,
            )
        return self._process

    def close(self) -> None:
        """End it."""
        if self._process:
            self._process.communicate(timeout=PATIENCE)
        self._closing.close()


def played(account: Account, mode: str, scene: str, *arguments: str, **limits: int) -> Any:  # noqa: ANN401 (JSON)
    """Play a scene in a process of its own and return what came of it."""
    stage = Stage(account, mode)
    try:
        return stage.play(scene, *arguments, **limits)
    finally:
        stage.close()


def scene_command(account: Account, mode: str, scene: str) -> list[str]:
    """Return the command that plays a scene."""
    return [*_program(account, mode), json.dumps([scene, [], {}])]


def _program(account: Account, mode: str) -> list[str]:
    scenes = str(Path(__file__).with_name("scenes.py"))
    if "PYTHONPATH" in account.environment and account.before[:1] == ("setpriv",):
        scenes = str(Path(account.environment["PYTHONPATH"], "scenes.py"))
    return account.command("-W", "error", scenes, mode)
