"""`upcard bots`: adds, lists and shows the bots of a store."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.markup import escape

from referee.arena.limits import TimeLimits
from referee.bots.build_environment import BuildFailed
from referee.bots.copying import refuse_changed
from referee.bots.seating import BotLauncher
from referee.cli import arguments
from referee.cli.build_options import BuildOptions
from referee.cli.called import command
from referee.cli.duel_options import AcceptWeak, DecisionLimit, ReadyLimit, Unsafe
from referee.cli.interrupts import run_until_stopped
from referee.cli.league_facts import UNSANDBOXED
from referee.cli.named_bots import submitted_directory
from referee.cli.option_groups import with_groups
from referee.cli.output import one_format, print_csv, print_json, print_table
from referee.cli.progress import waiting
from referee.cli.store_options import Db
from referee.errors import UpcardError
from referee.examination.admission import Bundle, Candidate, candidates, failures
from referee.examination.guarantees import guaranteed_sandboxes
from referee.examination.report_card import Check
from referee.sandbox.launcher import Files, Sandboxes
from referee.sandbox.private_files import NAME
from referee.store import bots as stored_bots
from referee.store.database import Store
from referee.store.leagues import leagues
from referee.store.models import Bot
from referee.store.opening import DEFAULT, open_store
from referee.text import counted, plain

bots = typer.Typer(help="Add bots to the store, and list them.", no_args_is_help=True)

FAILED: Final = 1
SHOWN: Final = 12
"""How many digits of a digest are shown; eight are enough to name a bot."""
_LIMITS: Final = TimeLimits()
_HEADER: Final = (
    *("name", "version", "author", "language"),
    *("games", "digest", "added", "leagues"),
)


@bots.command()
@with_groups
def add(
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="BOT...",
            help="The bots: the directories of their bot.toml, archives of these as 'upcard pack' "
            "writes them, or the names of examples.",
        ),
    ],
    db: Db = DEFAULT,
    decision_limit: DecisionLimit = _LIMITS.decision,
    ready_limit: ReadyLimit = _LIMITS.ready,
    accept_weak: AcceptWeak = None,
    unsafe_no_sandbox: Unsafe = False,
    *,
    building: BuildOptions,
) -> None:
    """Build bots, check them as 'upcard check' does in every game they play, and store what passes.

    A bot is stored as it is now: a later change in its directory makes another bot.
    """
    limits, sandboxed = TimeLimits(decision_limit, ready_limit), not unsafe_no_sandbox
    with ExitStack() as closing:
        directories = [submitted_directory(name, closing) for name in names]
        built = _build_all(
            zip(names, directories, strict=True), building.bundle(sandboxed=sandboxed), closing
        )
        store = closing.enter_context(open_store(db, create=True))
        new = _without_stored(store, built)
        refused = len(built) < len(names)
        if new:
            work = _examine_all(store, new, limits, accept_weak or (), sandboxed=sandboxed)
            refused |= run_until_stopped(work)
    if refused:
        raise typer.Exit(FAILED)


def _build_all(
    named: Iterable[tuple[str, Path]], bundle: Bundle, closing: ExitStack
) -> list[tuple[str, Candidate]]:
    """Build all that are named; one that cannot be built is refused, and the others go on."""
    built = []
    for name, directory in named:
        try:
            found = closing.enter_context(candidates([directory], datetime.now(UTC), bundle))
        except BuildFailed as failed:
            print(f"{plain(name)} is refused: {plain(str(failed))}", flush=True)
        else:
            built += [(name, candidate) for candidate in found]
    return built


def _without_stored(
    store: Store, named: Iterable[tuple[str, Candidate]]
) -> Mapping[str, Candidate]:
    """Leave out what is stored already, and say so; a bot that is named twice is one."""
    kept = {bot.digest for bot in stored_bots.bots(store)}
    new: dict[str, tuple[str, Candidate]] = {}
    for name, candidate in named:
        if candidate.bot.digest in kept:
            _restore(store, candidate)
        else:
            new.setdefault(candidate.bot.digest, (name, candidate))
    return dict(new.values())


def _restore(store: Store, candidate: Candidate) -> None:
    bot = candidate.bot
    # If its bundle has gone from the store meanwhile, this brings it back.
    stored_bots.add_bot(store, bot, candidate.entrant.bundle)
    refuse_changed(bot, stored_bots.bundle(store, bot.digest))
    print(f"{_title(bot)} is kept already, as {bot.digest[:SHOWN]}")


async def _examine_all(
    store: Store,
    new: Mapping[str, Candidate],
    limits: TimeLimits,
    accepted: Sequence[str],
    *,
    sandboxed: bool,
) -> bool:
    """Examine one after the other and store what passes; return whether one was refused."""
    if sandboxed:
        await _check_sandbox(accepted)
    refused = False
    for name, candidate in new.items():
        failed = await _failures(candidate, limits, accepted, sandboxed=sandboxed)
        if failed:
            _refuse(name, candidate.bot, failed)
            refused = True
        else:
            _store(store, candidate, sandboxed=sandboxed)
    return refused


async def _check_sandbox(accepted: Sequence[str]) -> None:
    async with guaranteed_sandboxes(accepted, shown=waiting("Checking the sandbox")):
        pass


async def _failures(
    candidate: Candidate, limits: TimeLimits, accepted: Sequence[str], *, sandboxed: bool
) -> list[Check]:
    entrant = candidate.entrant
    with waiting(f"Examining {escape(_title(candidate.bot))}"):
        # New ones for each bot, so that nothing of one is there when the next is examined.
        files: Files = "shared" if NAME in accepted else "private"
        async with Sandboxes.open(unsafe=not sandboxed, files=files) as sandboxes:
            return await failures(BotLauncher(sandboxes, (entrant, entrant)), candidate, limits)


def _refuse(name: str, bot: Bot, failed: Sequence[Check]) -> None:
    lines = counted(len(failed), "failed check")
    check = command("check", name)
    print(f"{_title(bot)} is refused for {lines}; see all of them: {plain(check)}")
    for mark in failed:
        print(f"{mark.verdict.upper():<5} {mark.name:<32} {plain(mark.says)}", flush=True)


def _store(store: Store, candidate: Candidate, *, sandboxed: bool) -> None:
    bot, entrant = candidate.bot, candidate.entrant
    called, digest = _title(bot), bot.digest[:SHOWN]
    others = [each.digest[:SHOWN] for each in stored_bots.bots(store) if _title(each) == called]
    stored_bots.add_bot(store, bot, entrant.bundle)
    marked = "" if sandboxed else f"{UNSANDBOXED}: "
    print(f"{marked}{called} is kept as {digest}; it plays {' and '.join(bot.games)}", flush=True)
    if others:
        print(
            "  kept too, with the same version but other content: "
            f"{', '.join(others)}; name each by its digest"
        )


@bots.command("list")
def list_bots(
    db: Db = DEFAULT, json: arguments.AsJson = False, csv: arguments.AsCsv = False
) -> None:
    """List the bots, and the leagues that each is in."""
    one_format(json, csv)
    with open_store(db) as store:
        playing = _leagues_by_digest(store)
        kept = [(bot, playing.get(bot.digest, [])) for bot in stored_bots.bots(store)]
    if json:
        print_json([_as_json(bot, names) for bot, names in kept])
    elif csv:
        print_csv(_HEADER, (_row(bot, names, bot.digest) for bot, names in kept))
    elif not kept:
        print(f"no bot is kept yet; add one with: {command('bots', 'add')} BOT")
    else:
        rows = (_row(bot, names, bot.digest[:SHOWN]) for bot, names in kept)
        safe = ([plain(cell) for cell in row] for row in rows)
        print_table(counted(len(kept), "bot"), _HEADER, safe)


@bots.command()
def show(
    name: Annotated[
        str,
        typer.Argument(
            metavar="BOT",
            help="NAME for the last one added of that name, NAME@VERSION, or the first 8 digits or "
            "more of its digest.",
        ),
    ],
    db: Db = DEFAULT,
    json: arguments.AsJson = False,
) -> None:
    """Show a bot, where its bundle is, and whether that is as it was added."""
    with open_store(db) as store:
        bot = stored_bots.find_bot(store, name)
        names = _leagues_by_digest(store).get(bot.digest, [])
        bundle, trouble = _bundle(store, bot)
    if json:
        at = {"bundle": bundle and str(bundle), "trouble": trouble}
        print_json(_as_json(bot, names) | at)
        return
    shown = dict(zip(_HEADER, _row(bot, names, bot.digest), strict=True))
    shown |= {"bundle": str(bundle or "")} | ({"trouble": trouble} if trouble else {})
    for word, value in shown.items():
        print(f"{word:<9} {plain(value) or 'none'}")
    print()
    print("\n".join(map(plain, bot.manifest.splitlines())))


def _bundle(store: Store, bot: Bot) -> tuple[Path | None, str]:
    """Return the place of a bundle, and what is wrong with it if anything is."""
    place = None
    try:
        place = stored_bots.bundle(store, bot.digest)
        refuse_changed(bot, place)
    except UpcardError as error:
        return place, str(error)
    return place, ""


def _leagues_by_digest(store: Store) -> Mapping[str, list[str]]:
    """List the leagues in which each bot was entered."""
    found: dict[str, list[str]] = {}
    for league in leagues(store):
        for entry in league.entries:
            found.setdefault(entry.bot.digest, []).append(league.name)
    return found


def _title(bot: Bot) -> str:
    return plain(f"{bot.name} {bot.version}")


def _row(bot: Bot, names: Sequence[str], digest: str) -> tuple[str, ...]:
    added = bot.added.astimezone(UTC).strftime("%Y-%m-%d %H:%M")
    games = " ".join(bot.games)
    return (bot.name, bot.version, bot.author, bot.language, games, digest, added, " ".join(names))


def _as_json(bot: Bot, names: Sequence[str]) -> dict[str, object]:
    return bot._asdict() | {"added": bot.added.isoformat(), "leagues": names}
