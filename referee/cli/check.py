"""`upcard check`: a report card of one bot against the protocol and the rules."""

import json as json_format
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from itertools import islice
from typing import Annotated, Final

import typer

from referee.arena.limits import TimeLimits
from referee.bots.build_environment import BuildFailed
from referee.bots.examples import find_bot
from referee.bots.manifest import read_manifest
from referee.bots.seating import BotLauncher, SeatedBot
from referee.cli import arguments
from referee.cli.bundling import BuildOptions
from referee.cli.duel_options import AcceptWeak, DecisionLimit, ReadyLimit, Unsafe
from referee.cli.interrupts import run_until_stopped
from referee.cli.league_facts import UNSANDBOXED
from referee.cli.option_groups import with_groups
from referee.cli.output import print_json
from referee.cli.progress import waiting
from referee.engine.cards import SEAT_NAMES, TEAM_NAMES, Action, Seat
from referee.engine.registry import PRESETS, Preset, kind
from referee.errors import ConfigError
from referee.examination.admission import candidates
from referee.examination.examine import examine
from referee.examination.guarantees import guaranteed_sandboxes
from referee.examination.report_card import FAIL, PASS, Check
from referee.examination.rerun import illegal_answers, steps_of
from referee.rpc.decoding import UNKNOWN, AskedTurn, as_json
from referee.rpc.transcript import TO_BOT, Message, TranscriptEvidence
from referee.sandbox.runtimes import find_runtimes
from referee.text import counted, plain

FAILED: Final = 1
_LIMITS: Final = TimeLimits()
_LAST_MESSAGES: Final = 4
_LONGEST: Final = 1000
_LAST_LINES: Final = 20
_LAST_BYTES: Final = 16 * 1024


@with_groups
def check(
    bot: Annotated[
        str,
        typer.Argument(
            metavar="BOT",
            help="The bot: the directory of its bot.toml, or the name of an example.",
        ),
    ],
    game: Annotated[
        str | None, typer.Option(metavar="GAME", help="Only this game; else all it plays.")
    ] = None,
    decision_limit: DecisionLimit = _LIMITS.decision,
    ready_limit: ReadyLimit = _LIMITS.ready,
    accept_weak: AcceptWeak = None,
    unsafe_no_sandbox: Unsafe = False,
    json: arguments.AsJson = False,
    *,
    building: BuildOptions,
) -> None:
    """Build a bot and examine it in the real sandbox: how it starts, answers, plays and leaves."""
    card, sandboxed = _Card(quiet=json), not unsafe_no_sandbox
    directory = find_bot(bot)
    try:
        manifest = read_manifest(directory, find_runtimes())
    except ConfigError as error:
        card.head(bot, sandboxed=sandboxed)
        card.add(Check("manifest", FAIL, str(error)))
    else:
        presets = _presets(game, manifest.games)
        limits = TimeLimits(decision_limit, ready_limit)
        bundle = building.bundle(sandboxed=sandboxed)
        try:
            with candidates([directory], datetime.now(UTC), bundle) as (candidate,):
                work = _examined(
                    candidate.entrant, presets, limits, card, accept_weak or (), sandboxed=sandboxed
                )
                run_until_stopped(work)
        except BuildFailed as failed:
            card.head(bot, sandboxed=sandboxed)
            card.add(Check("build", FAIL, str(failed)))
    card.finish()
    if card.failed:
        raise typer.Exit(FAILED)


def _presets(game: str | None, games: Sequence[str]) -> list[Preset]:
    """Choose what is played: by the name of a preset, or of a game with all its presets."""
    plays = [preset for preset in PRESETS.values() if preset.kind.name in games]
    chosen = [preset for preset in plays if game in {None, preset.name, preset.kind.name}]
    if not chosen:
        names = ", ".join(preset.name for preset in plays)
        raise ConfigError(f"the bot does not play {str(game)[:80]!r}; choose from {names}")
    return chosen


async def _examined(
    entrant: SeatedBot,
    presets: Sequence[Preset],
    limits: TimeLimits,
    card: "_Card",
    accepted: Sequence[str],
    *,
    sandboxed: bool,
) -> None:
    async with one_bot(entrant, accepted, sandboxed=sandboxed) as launcher:
        manifest = entrant.manifest
        card.head(f"{manifest.name} {manifest.version}", sandboxed=sandboxed)
        card.add(Check("manifest", PASS, f"plays {' and '.join(manifest.games)}"))
        await examine(launcher, presets, limits, manifest.tables, card.add)


@asynccontextmanager
async def one_bot(
    entrant: SeatedBot, accepted: Sequence[str], *, sandboxed: bool
) -> AsyncIterator[BotLauncher]:
    """Open the sandboxes for one bot, if they hold what they should."""
    checking = waiting("Checking the sandbox")
    async with guaranteed_sandboxes(accepted, sandboxed=sandboxed, shown=checking) as (
        sandboxes,
        _,
    ):
        yield BotLauncher(sandboxes, (entrant, entrant))


class _Card:
    """The report card, told line by line or as JSON at the end."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._name = ""
        self._sandboxed = True
        self._marks: list[Check] = []

    @property
    def failed(self) -> bool:
        return any(mark.verdict == FAIL for mark in self._marks)

    def head(self, name: str, *, sandboxed: bool) -> None:
        self._name, self._sandboxed = name, sandboxed
        if not self._quiet:
            print(f"{'' if sandboxed else f'{UNSANDBOXED}: '}{name}")

    def add(self, mark: Check) -> None:
        self._marks.append(mark)
        if self._quiet:
            return
        print(f"{mark.verdict.upper():<5} {mark.name:<32} {plain(mark.says)}", flush=True)
        if mark.evidence:
            for line in _shown(mark.evidence):
                print(f"        {line}")

    def finish(self) -> None:
        if self._quiet:
            print_json(
                {
                    "bot": self._name,
                    "sandboxed": self._sandboxed,
                    "passed": not self.failed,
                    "lines": [_as_json(mark) for mark in self._marks],
                }
            )
            return
        counts = Counter(mark.verdict for mark in self._marks)
        print(", ".join(f"{count} {verdict}" for verdict, count in counts.items()))


def _as_json(mark: Check) -> dict[str, object]:
    told: dict[str, object] = {"name": mark.name, "verdict": mark.verdict, "says": mark.says}
    if mark.evidence:
        told["messages"] = [
            {"seconds": said.seconds, "way": said.way, "message": as_json(said.way, said.data)}
            for said in mark.evidence.messages[-_LAST_MESSAGES:]
        ]
        told["output"] = mark.evidence.output[-_LAST_BYTES:].decode(errors="backslashreplace")
        told["ending"] = mark.evidence.ending
    return told


def _shown(evidence: TranscriptEvidence) -> Iterator[str]:
    """Show the last that was said, and the last the bot wrote."""
    for said in evidence.messages[-_LAST_MESSAGES:]:
        way = "sent" if said.way == TO_BOT else "received"
        yield f"{said.seconds:8.3f} s  {way:<8}  {message_in_words(said)}"
    for asked, choice in islice(illegal_answers(steps_of(evidence.messages)), 1):
        yield f"the turn answered with {choice}:"
        yield from (f"  {line}" for line in view_in_words(asked))
    for line in last_lines(evidence.output):
        yield f"wrote  {line}"


def view_in_words(asked: AskedTurn) -> Iterator[str]:
    """Yield a turn as a card player would see it."""
    north_south, east_west = asked.score
    yield (
        f"turn {asked.turn} at table {asked.table}: {asked.phase}; hand {asked.hand_number + 1}; "
        f"score {TEAM_NAMES[0]} {north_south}, {TEAM_NAMES[1]} {east_west}"
    )
    yield f"you         {_seat(asked.seat)}; {_seat(asked.dealer)} deals"
    yield f"your hand   {' '.join(asked.hand)}"
    yield f"turned up   {asked.turned}"
    speaker = (asked.dealer or 0) + 1
    for place, call in enumerate(asked.calls):
        yield f"{SEAT_NAMES[(speaker + place) % 4]:<11} {_said(asked.game, call)}"
    if asked.trump:
        alone = f"; {_seat(asked.sits_out)} sits out" if asked.sits_out is not None else ""
        maker = f", made by {_seat(asked.maker)}" if asked.maker is not None else ""
        yield f"trump       {asked.trump}{maker}{alone}"
    if asked.discard:
        yield f"laid away   {asked.discard}"
    for number, (leader, cards) in enumerate(asked.tricks, start=1):
        yield f"trick {number:<5} {_seat(leader)} leads{':' if cards else ''} {' '.join(cards)}"
    legal = "  ".join(f"{number} {action}" for number, action in enumerate(asked.legal))
    yield f"legal       {legal}"


def _said(game: str, call: Action) -> str:
    return call if call == UNKNOWN else kind(game).say(call)


def _seat(seat: Seat | None) -> str:
    return "nobody" if seat is None else SEAT_NAMES[seat]


def message_in_words(said: Message) -> str:
    """Show a message on a line."""
    read = as_json(said.way, said.data)
    if not read:
        start = said.data[:32].hex(" ")
        return f"no message of the protocol: {counted(len(said.data), 'byte')} {start}".rstrip()
    words = plain(json_format.dumps(read, separators=(",", ":")))
    return words if len(words) <= _LONGEST else f"{words[:_LONGEST]}… ({len(words)} characters)"


def last_lines(output: bytes) -> list[str]:
    """Return the end of what a bot wrote."""
    lines = output[-_LAST_BYTES:].decode(errors="backslashreplace").splitlines()
    return [plain(line)[:_LONGEST] for line in lines[-_LAST_LINES:]]
