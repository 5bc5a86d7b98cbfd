"""Starts processes or threads, as many as it can get, and keeps them."""

import json
import os
import signal
import sys
import threading
import time

MOST = 300
KIND = sys.argv[1]


def process() -> None:
    if os.fork() == 0:
        signal.pause()


def thread() -> None:
    threading.stack_size(64 << 10)
    threading.Thread(target=threading.Event().wait).start()


def chain() -> None:
    """Fork again in each child, while its parent waits."""
    if os.fork():
        signal.pause()


start = {"processes": process, "threads": thread, "chain": chain}[KIND]
started = refused = 0
while started < MOST and refused < MOST:
    try:
        start()
    except (OSError, RuntimeError):
        refused += 1
        # Nobody makes room: what is refused now will be refused for ever.
        time.sleep(0.01)
    else:
        started += 1
came = {KIND: started} if started == MOST else {}
print(json.dumps({"came": came, "refused": {KIND: f"after {started}"}}), flush=True)
signal.pause()
