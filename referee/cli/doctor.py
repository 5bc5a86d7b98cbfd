"""`upcard doctor`: what the sandbox of this machine guarantees, tried from inside."""

from collections.abc import Sequence
from typing import Final

import typer

from referee.cli import arguments
from referee.cli.interrupts import run_until_stopped
from referee.cli.output import one_format, print_csv, print_json, print_table
from referee.cli.progress import waiting
from referee.errors import ConfigError, UpcardError
from referee.sandbox.doctor import Guarantee, examine
from referee.sandbox.launcher import Sandboxes
from referee.text import counted

FAILED = 1
_LEVELS: Final = ("missing", "weak", "enforced")


def doctor(json: arguments.AsJson = False, csv: arguments.AsCsv = False) -> None:
    """Check what isolates bots from this machine and from each other, by trying it inside."""
    one_format(json, csv)
    try:
        with waiting("Checking the sandbox"):
            guarantees = run_until_stopped(_examined())
    except ConfigError as error:
        # This machine fails here, and not the command line.
        raise UpcardError(str(error)) from None
    if json:
        print_json([guarantee._asdict() for guarantee in guarantees])
    elif csv:
        print_csv(Guarantee._fields, guarantees)
    else:
        _show(guarantees)
    if any(guarantee.level == "missing" for guarantee in guarantees):
        raise typer.Exit(FAILED)


async def _examined() -> Sequence[Guarantee]:
    async with Sandboxes.open() as sandboxes:
        return await examine(sandboxes)


def _show(guarantees: Sequence[Guarantee]) -> None:
    print_table(
        "The sandbox",
        ("guarantee", "level", "by"),
        ((each.name, each.level, each.mechanism) for each in guarantees),
    )
    for level in _LEVELS:
        for each in guarantees:
            if each.level == level and each.reason:
                print(f"{each.name} is {level}: {each.reason}")
                if each.remedy:
                    print(f"  {each.remedy}")
    counts = (sum(each.level == level for each in guarantees) for level in _LEVELS)
    missing, weak, enforced = counts
    print(f"{counted(enforced, 'guarantee')} enforced, {weak} weak, {missing} missing")
