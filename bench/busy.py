"""Keep the machine busy: so many processes compute, at nice 0, until their parent ends or Ctrl-C.

Run it beside the tests, from the same shell, to see that none of them fails on a busy machine.
"""

import argparse
import os
import signal


def compute_below(parent: int) -> None:
    """Compute for as long as the process has this parent."""
    while os.getppid() == parent:
        sum(range(100_000))


def main() -> None:
    """Start all processes but one, and be the last."""
    parser = argparse.ArgumentParser(description="Keep the machine busy until Ctrl-C.")
    parser.add_argument("processes", type=int, help="how many processes compute")
    wanted = parser.parse_args().processes
    # They end without a traceback.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    parent, own = os.getppid(), os.getpid()
    for _ in range(wanted - 1):
        if os.fork() == 0:
            compute_below(own)
            return
    compute_below(parent)


if __name__ == "__main__":
    main()
