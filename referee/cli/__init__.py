"""The command `upcard`: one file for each of its words."""

import gc
import sys

INTERRUPTED = 130


def main() -> None:
    """Run the command line; an interrupt is answered in one line from the first moment on."""
    # What is imported stays: to look through it for garbage would take a tenth of the start.
    gc.disable()
    try:
        from referee.cli.app import run  # noqa: PLC0415 (takes a while, and may be interrupted)

        code = run()
    except KeyboardInterrupt:
        code = INTERRUPTED
    if code == INTERRUPTED:
        print("upcard: interrupted", file=sys.stderr)
    sys.exit(code)
