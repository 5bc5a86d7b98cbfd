"""Plays as a bot should, and runs a known attack: before its hello, or at its first turn."""

import runpy
import sys

from wire import Wire


def attack(name: str, arguments: list[str]) -> None:
    """Run an attack in this process, and go on whatever comes of it."""
    sys.argv = [name, *arguments]
    try:
        runpy.run_module(f"tests.hostile.attacks.{name}", run_name="__main__")
    except (Exception, SystemExit) as error:  # noqa: BLE001 (the attack's own end)
        print("ended by", repr(error), flush=True)


def play(when: str, name: str, arguments: list[str]) -> None:
    """Play a match after the other."""
    if when == "early":
        attack(name, arguments)
    wire = Wire()
    wire.hello(tables=1)
    is_due = when == "late"
    for frame in wire.frames():
        if is_due:
            is_due = False
            attack(name, arguments)
        wire.play(frame)


if __name__ == "__main__":
    play(sys.argv[1], sys.argv[2], sys.argv[3:])
