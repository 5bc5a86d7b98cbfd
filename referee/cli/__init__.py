"""The command `upcard`: one file for each of its words."""

import sys


def main() -> None:
    """Run the command line; an interrupt is answered in one line from the first moment on."""
    try:
        from referee.cli.app import run  # noqa: PLC0415 (takes a while, and may be interrupted)

        code = run()
    except KeyboardInterrupt:
        print("upcard: interrupted", file=sys.stderr)
        code = 130
    sys.exit(code)
