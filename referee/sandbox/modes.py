"""The three modes of a sandbox, which differ in the bot's uid, and which of them work here."""

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from stat import S_ISUID
from typing import Final, Literal, NamedTuple

from referee.errors import ConfigError
from referee.sandbox.limits import MIB
from referee.sandbox.slots import INNER_BASE, SLOTS

Mode = Literal["root", "subuid", "userns"]

UNSAFE: Final = "--unsafe-no-sandbox"
INNER_UID: Final = 1000
"""The uid that a bot sees as its own in the mode `userns`."""

_KEPT_CAPABILITIES: Final = ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP")
_TO_DROP_INSIDE: Final = (
    *("--cap-drop", "ALL"),
    *(word for capability in _KEPT_CAPABILITIES for word in ("--cap-add", capability)),
)


class ModeOptions(NamedTuple):
    """The options of a mode on the command line."""

    prefix: tuple[str, ...]
    """The words before bubblewrap."""
    bubblewrap: tuple[str, ...]
    """Options of bubblewrap for uids and capabilities."""
    drops_uid_inside: bool
    """Whether the bot's uid is set inside."""


MODE_OPTIONS: Final[Mapping[Mode, ModeOptions]] = {
    "root": ModeOptions((), _TO_DROP_INSIDE, drops_uid_inside=True),
    "subuid": ModeOptions(
        ("unshare", "--user", "--map-root-user", "--map-auto", "--"),
        _TO_DROP_INSIDE,
        drops_uid_inside=True,
    ),
    "userns": ModeOptions(
        (),
        (
            *("--cap-drop", "ALL", "--unshare-user", "--disable-userns"),
            *("--uid", str(INNER_UID), "--gid", str(INNER_UID)),
        ),
        drops_uid_inside=False,
    ),
}

CLEAN_ENVIRONMENT: Final[Mapping[str, str]] = {
    "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
}
"""The environment of bubblewrap, which a build can read in /proc/1/environ."""

_TRIAL: Final = (
    *("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"),
    *("--hostname", "bot", "--die-with-parent", "--ro-bind", "/", "/"),
)
_SECONDS: Final = 20
_TRIES: Final = 3
_SIGNALS: Final = "--sigpending=256:256"
_STACK: Final = f"--stack={8 * MIB}:{64 * MIB}"
_HIGHEST_UID: Final = INNER_BASE + SLOTS - 1
"""The highest uid of a bot inside a namespace of subordinate uids."""
_INSTALL: Final = "install the package bubblewrap (apt install bubblewrap, dnf install bubblewrap)"
_REMEDIES: Final = (
    (
        ("setting up uid map", "Permission denied"),
        (
            "AppArmor forbids user namespaces here; install its profile bwrap-userns-restrict, or "
            "run sysctl kernel.apparmor_restrict_unprivileged_userns=0"
        ),
    ),
    (
        ("mount proc",),
        "in a container, leave /proc unmasked (procMount: Unmasked; --security-opt unmask=ALL)",
    ),
    (
        ("disable-userns", "max_user_namespaces"),
        "in a container, leave /proc/sys writable (procMount: Unmasked)",
    ),
    (
        ("newuidmap", "newgidmap", "subuid", "subgid", "map", "setresuid", "setresgid"),
        (
            "install the package uidmap, and give the user subordinate ids "
            "(usermod --add-subuids 100000-165535 --add-subgids 100000-165535 USER)"
        ),
    ),
    (
        ("namespace", "unshare", "Operation not permitted"),
        (
            "allow user namespaces (sysctl kernel.unprivileged_userns_clone=1 and "
            "user.max_user_namespaces above 0); in a container, use a seccomp profile that lets "
            "clone, unshare, mount, pivot_root and sethostname pass"
        ),
    ),
)


class ModeTrial(NamedTuple):
    """Whether a mode works here."""

    mode: Mode
    reason: str
    """What the program that failed wrote; empty if the mode works."""
    remedy: str = ""


def bubblewrap() -> str | None:
    """Return the path of bubblewrap; None if it is not installed."""
    return shutil.which("bwrap", path=CLEAN_ENVIRONMENT["PATH"]) or shutil.which("bwrap")


def inner_command(mode: Mode, uid: int, processes: int) -> tuple[str, ...]:
    """Return the words before the bot's program inside, which drop uid and capabilities."""
    # Starting a program from outside resets the limit of the stack, so it is set here. A limit of
    # signals set outside holds for all sandboxes of a user together, and would be a channel.
    limited = ("prlimit", f"--nproc={processes}:{processes}", _SIGNALS, _STACK, "--")
    if not MODE_OPTIONS[mode].drops_uid_inside:
        return limited
    ids = (f"--reuid={uid}", f"--regid={uid}", "--clear-groups")
    dropped = ("--bounding-set=-all", "--inh-caps=-all", "--no-new-privs", "--")
    return ("setpriv", *ids, *dropped, *limited)


def modes_to_try(uid: int) -> tuple[Mode, ...]:
    """Return the modes for a uid, the best first."""
    return ("root",) if uid == 0 else ("subuid", "userns")


def try_mode(mode: Mode) -> ModeTrial:
    """Try to run a program that does nothing in a mode."""
    program = bubblewrap()
    if program is None:
        return ModeTrial(mode, "there is no program bwrap", _INSTALL)
    if mode != "root" and Path(program).stat().st_mode & S_ISUID:
        # We cannot set the limits of a process of another user.
        return ModeTrial(mode, f"{program} runs as root", f"run chmod u-s {program}")
    options = MODE_OPTIONS[mode]
    command = (
        *options.prefix,
        program,
        *_TRIAL,
        *options.bubblewrap,
        "--",
        *inner_command(mode, _HIGHEST_UID, 64),
    )
    command = (*command, "true")
    try:
        done = _run(command)
    except (OSError, subprocess.TimeoutExpired) as error:
        return _failed(mode, str(error))
    return ModeTrial(mode, "") if done.returncode == 0 else _failed(mode, done.stderr)


def _run(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run a trial to its end, and again if it is killed, which says nothing about the mode."""
    for _ in range(_TRIES):
        done = subprocess.run(  # noqa: S603 (no shell)
            command,
            env=CLEAN_ENVIRONMENT,
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
        if done.returncode >= 0:
            break
    return done


def _failed(mode: Mode, output: str) -> ModeTrial:
    lines = output.strip().splitlines() or ["it failed and wrote nothing"]
    return ModeTrial(mode, lines[-1], remedy(output))


def remedy(output: str) -> str:
    """Return what to do about an error message of bubblewrap or unshare."""
    fitting = (text for words, text in _REMEDIES if any(word in output for word in words))
    return next(fitting, "make bwrap --ro-bind / / true run")


def choose(mode: Mode | None = None) -> Mode:
    """Return the best mode that works, or the given one if it works.

    Raises:
        ConfigError: no mode works.
    """
    possible = modes_to_try(os.geteuid())
    if mode is not None and mode not in possible:
        fitting = " or ".join(possible)
        raise ConfigError(f"the sandbox mode {mode} is not for this user; choose {fitting}")
    failures = []
    for candidate in (mode,) if mode else possible:
        trial = try_mode(candidate)
        if not trial.reason:
            return candidate
        failures.append(trial)
    raise ConfigError(_refusal(failures))


def _refusal(failures: list[ModeTrial]) -> str:
    reasons = "; ".join(f"{trial.mode}: {trial.reason}" for trial in failures)
    return (
        f"bots cannot be isolated from this machine and from each other ({reasons}); "
        f"{failures[-1].remedy}; or, for bots you wrote yourself, {UNSAFE}"
    )
