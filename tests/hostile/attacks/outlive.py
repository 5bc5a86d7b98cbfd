"""Leaves behind what is to run on when the match is over."""

import os
import signal
import sys
import time

from tests.hostile.attacks.kernel import prctl
from tests.hostile.attacks.verdict import FACTS

PARENT_DEATH_SIGNAL, SUBREAPER = 1, 36
STAY = "import signal, time\nwhile True: time.sleep(60)"


def deaf() -> None:
    prctl(PARENT_DEATH_SIGNAL, 0)
    for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)


def leave(*, detached: bool) -> None:
    if os.fork() == 0:
        if detached:
            os.setsid()
        deaf()
        if detached and os.fork():
            os._exit(0)
        os.execv(sys.executable, [sys.executable, "-c", STAY, FACTS["tag"]])  # noqa: S606 (the shell would be seen)


prctl(SUBREAPER, 1)
ready, started = os.pipe()
for _ in range(3):
    leave(detached=True)
    leave(detached=False)
os.close(started)
os.read(ready, 1)  # ends when each of them has closed it by becoming another program
deaf()
print("left", flush=True)
if sys.argv[1] == "stay":
    time.sleep(600)
