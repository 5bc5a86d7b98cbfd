"""Reads what belongs to the machine, to its people and to the opponent."""

import os
import stat
from collections.abc import Callable
from pathlib import Path

from tests.hostile.attacks.verdict import BUNDLE, FACTS, tell


def content(path: str) -> Callable[[], bytes]:
    return lambda: Path(path).read_bytes()[:100]


def names(path: str) -> Callable[[], list[str]]:
    return lambda: [file.name for file in Path(path).iterdir()]


def disks() -> list[str]:
    files = (Path(top, name) for top, _, names in os.walk("/dev") for name in names)
    return [str(file) for file in files if _is_disk(file)]


def _is_disk(file: Path) -> bool:
    try:
        return stat.S_ISBLK(file.lstat().st_mode)
    except FileNotFoundError:  # others make and remove files in /dev/shm
        return False


def opened() -> list[str]:
    links = (f"/proc/1/fd/{name}" for name in names("/proc/1/fd")() if int(name) > 2)
    return [link for link in links if _opens(link)]


def _opens(link: str) -> bool:
    try:
        os.close(os.open(link, os.O_RDWR))
    except OSError:
        return False
    return True


tell(
    {
        "passwords": content("/etc/shadow"),
        "secret": content(FACTS["secret"]),
        "secret from the root of the first process": content(f"/proc/1/root{FACTS['secret']}"),
        "secret from above the bundle": content(f"{BUNDLE}/../..{FACTS['secret']}"),
        "secret by a link in the bundle": content(f"{BUNDLE}/link"),
        "secret by a relative link in the bundle": content(f"{BUNDLE}/relative"),
        "opponent's bundle": content(f"{FACTS['opponent']}/bot.py"),
        "opponent's bundle beside ours": names(f"{BUNDLE}/../opponent"),
        "home of root": names("/root"),
        "homes": names("/home"),
        "services": names("/etc/systemd"),
        "sysfs": names("/sys"),
        "disks": disks,
        "memory of the machine": content("/dev/mem"),
        "kernel": content("/proc/kcore"),
        "messages of the kernel": content("/dev/kmsg"),
        "files of the first process": opened,
    }
)
