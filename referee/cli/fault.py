"""`upcard fault`: shows a fault bundle to the bot's author, and reruns it on her machine."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from referee.bots.digest import bundle_digest
from referee.bots.examples import find_bot
from referee.bots.manifest import MANIFEST
from referee.bots.seating import Debugged, SeatedBot
from referee.cli import arguments
from referee.cli.build_options import BuildOptions
from referee.cli.called import command
from referee.cli.check import FAILED, one_bot
from referee.cli.debug_options import Debug, RunBy, debugged_run, without_sandbox
from referee.cli.duel_options import AcceptWeak, Unsafe
from referee.cli.fault_kept import list_faults, save_fault
from referee.cli.interrupts import lent_terminal, run_until_stopped
from referee.cli.league_facts import UNSANDBOXED
from referee.cli.option_groups import with_groups
from referee.cli.output import print_json
from referee.cli.turn_text import last_lines, turn_in_question, turn_lines
from referee.errors import ConfigError
from referee.examination.admission import candidates
from referee.examination.fault_bundle import FaultBundle, to_json
from referee.examination.fault_reading import read_bundle
from referee.examination.rerun import (
    ComparedStep,
    Rerun,
    rerun,
)
from referee.reports.faults import ADVICE
from referee.rpc.decoding import as_json
from referee.text import counted, plain

fault = typer.Typer(help="Show the fault of a bot, or rerun it.", no_args_is_help=True)
fault.command("list")(list_faults)
fault.command("save")(save_fault)

BundleFile = Annotated[
    Path, typer.Argument(metavar="BUNDLE", help="A fault bundle: fault-001-crashed.json.")
]


@fault.command()
def show(bundle: BundleFile, json: arguments.AsJson = False) -> None:
    """Show a fault: what was asked, what was answered, which rule it broke, and what to do."""
    read = read_bundle(bundle)
    if json:
        print_json(_with_messages(read))
        return
    for line in _fault_lines(read):
        print(line)
    again = f"{command('fault', 'rerun', bundle)} --bot DIR"
    print(f"\nTo see whether it still happens: {plain(again)}")


def _with_messages(bundle: FaultBundle) -> dict[str, object]:
    shown = to_json(bundle)
    for written, said in zip(shown["messages"], bundle.messages, strict=True):
        written["message"] = as_json(said.way, said.data)
    return shown


def _fault_lines(bundle: FaultBundle) -> Iterator[str]:
    cost = "which cost the match" if bundle.forfeits else "and the first legal action was played"
    yield f"{plain(bundle.name)} {plain(bundle.version)}: {bundle.kind.upper()}, {cost}"
    yield f"where       {plain(bundle.game.title)}, {plain(bundle.where)}"
    yield f"rule        {plain(bundle.explanation)}"
    if bundle.ending:
        yield f"its end     {plain(bundle.ending)}"
    yield f"what to do  {ADVICE[bundle.kind]}"
    yield from _conversation(bundle)
    if bundle.output:
        yield ""
        yield f"The end of what it wrote ({bundle.output_size} bytes in all):"
        yield from (f"  {line}" for line in last_lines(bundle.output.encode()))


def _conversation(bundle: FaultBundle) -> Iterator[str]:
    asked, answer = turn_in_question(bundle)
    if asked:
        yield ""
        yield "What was asked:"
        yield from (f"  {line}" for line in turn_lines(asked))
    yield ""
    yield "What was answered:"
    yield f"  {answer}"


@fault.command("rerun")
@with_groups
def run_again(
    bundle: BundleFile,
    bot: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="The bot's directory; else the one you are in."),
    ] = None,
    accept_weak: AcceptWeak = None,
    unsafe_no_sandbox: Unsafe = False,
    debug: Debug = False,
    run: RunBy = None,
    json: arguments.AsJson = False,
    *,
    building: BuildOptions,
) -> None:
    """Send a bot the same messages again and report whether the fault comes back."""
    read = read_bundle(bundle)
    directory = find_bot(_directory(bot))
    sandboxed = not (unsafe_no_sandbox or debug)
    bundler = building.bundle(sandboxed=sandboxed)
    if debug and json:
        raise ConfigError("--debug gives the terminal to your bot; leave out --json")
    with candidates([directory], datetime.now(UTC), bundler) as (candidate,):
        if read.game.name not in candidate.bot.games:
            plays = ", ".join(candidate.bot.games)
            raise ConfigError(f"{candidate.bot.name} does not play {read.game.name}; only {plays}")
        words = debugged_run(run, candidate.entrant.manifest, debug=debug)
        debugged = Debugged(read.seat, directory, words) if debug else None
        report = _RerunReport(quiet=json)
        with lent_terminal() if debugged else nullcontext():
            outcome = run_until_stopped(
                _rerun(
                    read,
                    candidate.entrant,
                    report,
                    accept_weak or (),
                    sandboxed=sandboxed,
                    debugged=debugged,
                )
            )
    report.finish(read, outcome)
    if outcome.violation:
        raise typer.Exit(FAILED)


def _directory(bot: str | None) -> str:
    if bot is None and not Path(MANIFEST).is_file():
        raise ConfigError(f"there is no {MANIFEST} here; name the directory with --bot")
    return bot or "."


async def _rerun(
    bundle: FaultBundle,
    entrant: SeatedBot,
    report: "_RerunReport",
    accepted: Sequence[str],
    *,
    sandboxed: bool,
    debugged: Debugged | None,
) -> Rerun:
    async with one_bot(entrant, accepted, sandboxed=sandboxed, debugged=debugged) as launcher:
        if debugged:
            print(without_sandbox(entrant.name, debugged.directory), file=sys.stderr)
        report.begin(bundle, bundle_digest(entrant.bundle), sandboxed=sandboxed)
        return await rerun(bundle, launcher, report.add, timed=debugged is None)


class _RerunReport:
    """The steps of a rerun, shown line by line or as JSON at the end."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._compared: list[ComparedStep] = []

    def begin(self, bundle: FaultBundle, digest: str, *, sandboxed: bool) -> None:
        if self._quiet:
            return
        mark = "" if sandboxed else f"{UNSANDBOXED}: "
        same = "the bot of the bundle" if digest == bundle.digest else "not the files of the bundle"
        print(f"{mark}{plain(bundle.name)}, {bundle.game.seat_names[bundle.seat]} ({same})")

    def add(self, compared: ComparedStep) -> None:
        self._compared.append(compared)
        if self._quiet:
            return
        what = "the same as before"
        if compared.others:
            what = f"{len(compared.others)} not as before"
        print(f"answer {len(self._compared)}: {counted(compared.answered, 'decision')}, {what}")
        for asked, before, now in compared.others:
            print(f"  turn {asked.turn} at table {asked.table}: {now}, before {before}")

    def finish(self, bundle: FaultBundle, outcome: Rerun) -> None:
        if self._quiet:
            print_json(self._as_json(bundle, outcome))
        elif outcome.violation is None:
            print(f"{bundle.kind.upper()} did not come back, nor did another fault")
        else:
            back = "came back" if outcome.is_the_same(bundle) else f"is another than {bundle.kind}"
            print(
                f"{outcome.violation.kind.upper()} {back}: {plain(outcome.violation.explanation)}"
            )
            for line in last_lines(outcome.evidence.output):
                print(f"  wrote  {line}")

    def _as_json(self, bundle: FaultBundle, outcome: Rerun) -> dict[str, object]:
        return {
            "answers": [
                {
                    "decisions": compared.answered,
                    "others": [
                        {"turn": asked.turn, "table": asked.table, "before": before, "now": now}
                        for asked, before, now in compared.others
                    ],
                }
                for compared in self._compared
            ],
            "fault": outcome.violation._asdict() if outcome.violation else None,
            "came_back": outcome.is_the_same(bundle),
        }
