"""Keeps the processor busy: in one process, in many short ones, or in ones nobody waits for."""

import os
import signal
import sys
import time
from contextlib import suppress

if sys.argv[1] == "one":
    while True:
        pass
if sys.argv[1] == "unawaited":
    # The kernel adds the time of such children to nobody's.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
while True:
    if os.fork() == 0:
        start = time.process_time()
        while time.process_time() < start + 0.05:
            pass
        os._exit(0)
    with suppress(ChildProcessError):
        os.wait()
