"""A link between two network namespaces that delays packets and loses some.

It is a pair of TUN devices, and this program between them. Kernels have a queue for that, netem,
which many leave out.

    python -m tests.soak.slow_link HERE THERE NAMESPACE SECONDS SHARE
"""

import ctypes
import fcntl
import os
import select
import struct
import sys
from collections import deque
from pathlib import Path
from random import Random
from time import monotonic
from typing import Final

_CLONE_NEWNET: Final = 0x40000000
_TUNSETIFF: Final = 0x400454CA
_IFF_TUN: Final = 0x0001
_IFF_NO_PI: Final = 0x1000
_LARGEST: Final = 1 << 16


def main() -> None:
    """Make the devices, say so, and pass packets on until this is killed."""
    here, there, namespace, seconds, share = sys.argv[1:]
    one = _device(here)
    with Path("/run/netns", namespace).open("rb") as entered:
        if ctypes.CDLL(None, use_errno=True).setns(entered.fileno(), _CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), "cannot enter the namespace")
    print("ready", flush=True)
    _pass_on(one, _device(there), float(seconds), float(share))


def _device(name: str) -> int:
    device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(device, _TUNSETIFF, struct.pack("16sH", name.encode(), _IFF_TUN | _IFF_NO_PI))
    return device


def _pass_on(one: int, other: int, delay: float, lost: float) -> None:
    """Pass each packet on so much later, but for the share that is lost."""
    random, opposite = Random(1), {one: other, other: one}
    waiting: deque[tuple[float, int, bytes]] = deque()
    while True:
        timeout = max(0.0, waiting[0][0] - monotonic()) if waiting else None
        ready, _, _ = select.select([one, other], [], [], timeout)
        for device in ready:
            packet = os.read(device, _LARGEST)
            if random.random() >= lost:
                waiting.append((monotonic() + delay, opposite[device], packet))
        while waiting and waiting[0][0] <= monotonic():
            _, device, packet = waiting.popleft()
            # A device that is down takes nothing, as a cable that is cut.
            try:
                os.write(device, packet)
            except OSError:
                continue


if __name__ == "__main__":
    main()
