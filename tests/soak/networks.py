"""Hosts of their own: network namespaces, each with an address, and links that are cut or slow."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Final, NamedTuple

from tests.soak.scene import ROOT

DELAY: Final = 0.1
"""Seconds, each way, on a slow link."""
LOST: Final = 0.02
"""The share of packets that such a link loses."""
_WAIT: Final = 60.0


class NetworkHost(NamedTuple):
    """A network namespace with a link to this one."""

    name: str
    link: str
    """The device of the link on this side."""
    hub: str
    """Our address on the link."""
    address: str
    """The host's."""

    @property
    def within(self) -> tuple[str, ...]:
        """Return the words before a command that is run there."""
        return ("nsenter", f"--net=/run/netns/{self.name}")

    def cut(self) -> None:
        """Cut the link."""
        _ip("link", "set", self.link, "down")

    def join(self) -> None:
        """Join it again."""
        _ip("link", "set", self.link, "up")


@contextmanager
def hosts(count: int, slow: int) -> Iterator[list[NetworkHost]]:
    """Make hosts, one of which, by its place, has a slow link."""
    with ExitStack() as closing:
        yield [closing.enter_context(_host(n, slow=n == slow)) for n in range(count)]


@contextmanager
def _host(number: int, *, slow: bool) -> Iterator[NetworkHost]:
    # Interfaces have names of fifteen characters at most.
    name = f"up{os.getpid()}-{number}"
    near, far = f"{name}a", f"{name}b"
    # Addresses for benchmarks of networks, which nobody has.
    net = f"198.18.{os.getpid() % 250}.{4 * number}"
    base, _, last = net.rpartition(".")
    host = NetworkHost(name, near, f"{base}.{int(last) + 1}", f"{base}.{int(last) + 2}")
    with ExitStack() as closing:
        _ip("netns", "add", name)
        closing.callback(_ip, "netns", "del", name)
        if slow:
            words = ("-m", "tests.soak.slow_link", near, far, name, str(DELAY), str(LOST))
            link = closing.enter_context(
                subprocess.Popen([sys.executable, *words], cwd=ROOT, stdout=subprocess.PIPE)
            )
            closing.callback(link.kill)
            assert link.stdout
            assert link.stdout.readline() == b"ready\n"
        else:
            _ip("link", "add", near, "type", "veth", "peer", "name", far, "netns", name)
        _ip("address", "add", f"{host.hub}/30", "dev", near)
        _ip("link", "set", near, "up")
        _ip("-n", name, "address", "add", f"{host.address}/30", "dev", far)
        for device in ("lo", far):
            _ip("-n", name, "link", "set", device, "up")
        yield host


def _ip(*words: str) -> None:
    subprocess.run(("ip", *words), check=True, timeout=_WAIT)
