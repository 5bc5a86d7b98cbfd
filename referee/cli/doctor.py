"""`upcard doctor`: what the sandbox of this machine guarantees, tried from inside."""

from collections.abc import Callable, Sequence
from typing import Annotated, Final

import typer

from referee.cli import arguments
from referee.cli.interrupts import run_until_stopped
from referee.cli.output import one_format, print_csv, print_json, print_table
from referee.cli.progress import waiting
from referee.errors import ConfigError, UpcardError
from referee.sandbox.channels.primitives import PRIMITIVES
from referee.sandbox.doctor import Guarantee, examine
from referee.sandbox.launcher import Sandboxes
from referee.sandbox.measurement import ChannelRate, State, measure
from referee.text import counted

FAILED = 1
_LEVELS: Final = ("missing", "weak", "enforced")


_MEANINGS: Final[dict[State, str]] = {
    "closed": "no more arrived than by chance",
    "remainder": "cannot be closed in this mode (docs/sandbox.md); the less, the better",
    "open": "can be closed, and is not here: bots of one entrant can tell each other their cards",
}

WithChannels = Annotated[
    bool,
    typer.Option(
        "--channels",
        help="Measure instead how many bits a second one bot can send to another, by each way that "
        "is known. Takes a minute, on a machine that does nothing else.",
    ),
]
InStrictPlay = Annotated[
    bool,
    typer.Option("--strict", help="With --channels: measure as leagues with --strict are played."),
]


def doctor(
    channels: WithChannels = False,
    strict: InStrictPlay = False,
    json: arguments.AsJson = False,
    csv: arguments.AsCsv = False,
) -> None:
    """Check what isolates bots from this machine and from each other, by trying it inside."""
    one_format(json, csv)
    if strict and not channels:
        raise ConfigError("--strict is about --channels; add that, or leave it out")
    try:
        failed = _measure(json, csv, strict) if channels else _examine(json, csv)
    except ConfigError as error:
        # This machine fails here, and not the command line.
        raise UpcardError(str(error)) from None
    if failed:
        raise typer.Exit(FAILED)


def _examine(json: bool, csv: bool) -> bool:
    with waiting("Checking the sandbox"):
        guarantees = run_until_stopped(_examined())
    if json:
        print_json([guarantee._asdict() for guarantee in guarantees])
    elif csv:
        print_csv(Guarantee._fields, guarantees)
    else:
        _show(guarantees)
    return any(guarantee.level == "missing" for guarantee in guarantees)


def _measure(json: bool, csv: bool, strict: bool) -> bool:
    with waiting("Starting sandboxes") as show:
        rates = run_until_stopped(_measured(strict, show))
    if json:
        print_json([rate._asdict() for rate in rates])
    elif csv:
        print_csv(ChannelRate._fields, rates)
    else:
        _show_rates(rates)
    return any(rate.state == "open" for rate in rates)


async def _measured(strict: bool, show: Callable[[str], None]) -> list[ChannelRate]:
    rates: list[ChannelRate] = []
    async with Sandboxes.open(files="any") as sandboxes:
        async for rate in measure(sandboxes, strict=strict):
            rates.append(rate)
            show(f"Measuring channels: {len(rates)} of {len(PRIMITIVES)}")
    return rates


def _show_rates(rates: Sequence[ChannelRate]) -> None:
    print_table(
        "Channels between two sandboxes",
        ("channel", "bits/s", "state", "both have", "why nothing arrives"),
        ((each.name, _rate(each), each.state, each.needs, each.detail) for each in rates),
    )
    for state, meaning in _MEANINGS.items():
        names = [rate.name for rate in rates if rate.state == state]
        if names:
            print(f"{len(names)} {state}: {meaning}")
    print("The five cards of a player of euchre are 16 bits, the thirteen of whist 39.")


def _rate(rate: ChannelRate) -> str:
    return f"{rate.bits_per_second:,.0f}" if rate.bits_per_second >= 1 else "0"


async def _examined() -> Sequence[Guarantee]:
    async with Sandboxes.open(files="any") as sandboxes:
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
