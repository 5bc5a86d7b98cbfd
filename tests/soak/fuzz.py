"""Feeds files that a stranger may have made to the commands that read them, and to a host.

Each input is a sound file that was changed in one to four places. In an export the sums are made
anew, and mostly the chain of the log, so that more than those is read. Whatever the input, a
command has to end with a result or with an error of one line, in bounded time and memory. The
number of an input is the seed of all that is drawn for it; of one that fails, only the changes that
matter are shown.
"""

import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from functools import cache, partial
from io import TextIOWrapper
from multiprocessing import get_context
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple, TypeVar
from unittest.mock import patch

import typer

from referee import beacon
from referee.cli import convert, fault, games, replay, verify
from referee.cli.output import print_json, print_table
from referee.engine.record import SeededDeal, play_match, to_json
from referee.engine.registry import preset
from referee.errors import UpcardError
from referee.publication import tables
from referee.publication.checksums import SUMS
from referee.publication.export import LOG_FILE, STATEMENT_FILE, Exported, export
from referee.publication.log_reading import statement_digest
from referee.ratings.standings import standings
from referee.scheduling.keys import DuelKey
from referee.store.chain import canonical_json
from tests.examination.conftest import fault_of, seated_bot
from tests.examination.conftest import written as written_bundle
from tests.publication.exports import LogWriter, exported, forged_log, league, logged, sealed
from tests.publication.test_verification_statement import STATED, shared
from tests.soak import handed_in
from tests.soak.changes import Change, changed, drawn

ENOUGH: Final = 1_000_000
GAMES: Final = Path(__file__).parents[2] / "examples_games"
TARGETS: Final = (
    *("replay --check", "convert", "fault show", "games check"),
    *("verify (complete)", "verify (open)", "submit (archive)", "submit (form)"),
)
"""The names of the commands, in their order."""
BATCH: Final = 1000
SECONDS: Final = 20.0
"""Of a processor, for one input; most take a thousandth of one."""
LONGEST_ERROR: Final = 2000
"""Characters."""
MEMORY: Final = 320 << 20
"""Bytes that a process has taken at its end."""
TIMERS: Final = (
    (signal.SIGPROF, signal.ITIMER_PROF, SECONDS),
    (signal.SIGALRM, signal.ITIMER_REAL, 60 * SECONDS),
)
"""What ends it, the second one where it waits, and so takes no processor."""
_IN_MEMORY: Final = Path("/dev/shm")  # noqa: S108 # a new directory is made in it
_MOST_REMEMBERED: Final = 100
_Value = TypeVar("_Value")


class Target(NamedTuple):
    """A command, and the files that it reads."""

    files: Mapping[str, bytes]
    run: Callable[[Path], None]
    whole: bool = False
    """Whether all files are of one export."""
    share: int = 1
    """How many inputs it gets in a turn."""


class Input(NamedTuple):
    """A file that was changed."""

    target: str
    file: str
    changes: Sequence[Change]
    forged: bool
    """Whether the chain of a log is made anew."""


class Batch(NamedTuple):
    """Inputs one after the other, by their numbers."""

    first: int
    size: int
    target: str | None = None
    """The only one that gets them, if not all do."""


class FuzzOutcome(NamedTuple):
    """What came of a batch."""

    ended: Mapping[str, Counter[str]]
    """How often each way of ending was seen, by target."""
    failures: Mapping[str, str]
    """The first of each kind."""
    slowest: float
    memory: int


def soak(inputs: int, jobs: int, first: int, target: str | None, *, as_json: bool) -> int:
    """Run the commands, or one of them, on so many inputs; return 1 if any failed."""
    past = first + inputs
    batches = [Batch(n, min(BATCH, past - n), target) for n in range(first, past, BATCH)]
    whole = FuzzOutcome({name: Counter() for name in targets()}, {}, 0.0, 0)
    with (
        TemporaryDirectory(dir=_IN_MEMORY if _IN_MEMORY.is_dir() else None) as place,
        get_context("spawn").Pool(jobs) as pool,
    ):
        for outcome in pool.imap(partial(run, Path(place)), batches):
            whole = _both(whole, outcome)
            _show(whole, inputs)
    _report(whole, as_json=as_json)
    return bool(whole.failures)


def _both(one: FuzzOutcome, other: FuzzOutcome) -> FuzzOutcome:
    return FuzzOutcome(
        {name: counted + other.ended[name] for name, counted in one.ended.items()},
        {**other.failures, **one.failures},
        max(one.slowest, other.slowest),
        max(one.memory, other.memory),
    )


def run(place: Path, batch: Batch) -> FuzzOutcome:
    """Run a batch in this process, with its files in a new directory in this place."""
    ended: dict[str, Counter[str]] = {name: Counter() for name in targets()}
    failures: dict[str, str] = {}
    slowest = 0.0
    with (
        _scratch(place) as directories,
        patch.object(tables, "standings", _standings),
        patch.object(beacon, "is_signature", _is_signature),
    ):
        for number in range(batch.first, batch.first + batch.size):
            wanted = input_of(number, batch.target)
            error = None
            began = time.process_time()
            try:
                how = _end(wanted, directories[wanted.target])
            except Exception as caught:  # noqa: BLE001 # whatever it is, it is what is looked for
                how, error = "failed", caught
            slowest = max(slowest, time.process_time() - began)
            ended[wanted.target][how] += 1
            if error and (kind := f"{wanted.target}: {_kind(error)}") not in failures:
                shown = simplest(wanted, directories[wanted.target])
                failures[kind] = f"{kind}\ninput {number}: {shown}\n{_words(error)}"
    memory = _peak()
    if memory > MEMORY:
        failures["memory"] = f"after {batch}, a process had taken {memory >> 20} MB"
    return FuzzOutcome(ended, failures, slowest, memory)


def input_of(number: int, target: str | None = None) -> Input:
    """Return the input of a number, of one target or of all in turn; it is the same each time."""
    if target is None:
        turns = [name for name, each in targets().items() for _ in range(each.share)]
        target = turns[number % len(turns)]
    random = Random(number)
    file = random.choice(sorted(targets()[target].files))
    return Input(target, file, drawn(random), forged=random.random() < 0.75)


def _end(wanted: Input, directory: Path) -> str:
    """Run a command on a changed file, put the file back, and return how it ended."""
    target = targets()[wanted.target]
    path = directory / wanted.file
    path.write_bytes(changed(target.files[wanted.file], wanted.changes))
    if target.whole:
        _seal(directory, wanted)
    try:
        with _timed():
            target.run(directory if target.whole else path)
    except typer.Exit as ended:
        return f"exit code {ended.exit_code}"
    except UpcardError as error:
        if len(str(error)) > LONGEST_ERROR:
            raise ValueError("an error is a line that somebody reads") from error
        return type(error).__name__
    finally:
        for name in {wanted.file, *((SUMS, STATEMENT_FILE) if target.whole else ())}:
            (directory / name).write_bytes(target.files[name])
    return "exit code 0"


def _seal(directory: Path, wanted: Input) -> None:
    """Make anew what holds the files of an export together, as far as a forger can."""
    if wanted.file == SUMS:
        return
    if wanted.file == LOG_FILE and wanted.forged:
        # Whatever a log has become, it may not be one.
        with suppress(AttributeError, LookupError, RecursionError, TypeError, ValueError):
            forged_log(directory, lambda entries: _restate(directory, entries))
    sealed(directory)


def _restate(directory: Path, entries: Sequence[Any]) -> None:
    opened = [entry for entry in entries if entry["kind"] == "opened"]
    for entry in opened:
        entry["digest"] = statement_digest(entry["statement"])
    (directory / STATEMENT_FILE).write_bytes(canonical_json(opened[0]["statement"]))


def simplest(wanted: Input, directory: Path) -> Input:
    """Leave out the changes without which it fails as well."""
    for change in wanted.changes:
        fewer = wanted._replace(changes=[each for each in wanted.changes if each is not change])
        try:
            _end(fewer, directory)
        except Exception:  # noqa: BLE001 # likewise
            wanted = fewer
    return wanted


def _kind(error: Exception) -> str:
    *_, last = traceback.extract_tb(error.__traceback__)
    return f"{type(error).__name__} in {last.name}, line {last.lineno}"


def _words(error: Exception) -> str:
    return "".join(traceback.format_exception(error))[-6000:]


def _peak() -> int:
    """Return the peak of this process; the one of getrusage is inherited over exec."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024


@contextmanager
def _timed() -> Iterator[None]:
    def late(_signal: int, _frame: object) -> None:
        raise TimeoutError(f"it took longer than {SECONDS} s, or did not end")

    for number, timer, seconds in TIMERS:
        signal.signal(number, late)
        signal.setitimer(timer, seconds)
    try:
        yield
    finally:
        for _, timer, _ in TIMERS:
            signal.setitimer(timer, 0)


@contextmanager
def _scratch(place: Path) -> Iterator[Mapping[str, Path]]:
    """Write the files of each target, and let nothing that is printed be seen."""
    with (
        TemporaryDirectory(dir=place) as name,
        Path("/dev/null").open("wb") as null,
        TextIOWrapper(null, "utf-8", "backslashreplace") as text,
        redirect_stdout(text),
        redirect_stderr(text),
    ):
        directories = {}
        for number, (target, found) in enumerate(targets().items()):
            directories[target] = directory = Path(name) / str(number)
            directory.mkdir()
            for file, data in found.files.items():
                (directory / file).write_bytes(data)
        yield directories


def _remembering(pure: Callable[..., _Value]) -> Callable[..., _Value]:
    """Compute once for the same arguments what `verify` would spend most of its time on."""
    known: dict[str, _Value] = {}

    def remember(*args: object, **named: object) -> _Value:
        key = repr((args, named))
        if key not in known:
            if len(known) == _MOST_REMEMBERED:
                known.clear()
            known[key] = pure(*args, **named)
        return known[key]

    return remember


# Most inputs change no result that a table is fitted to, and no signature of a beacon.
_standings = _remembering(standings)
_is_signature = _remembering(beacon.is_signature)


@cache
def targets() -> dict[str, Target]:
    """Return the commands, each with files that are sound."""
    with TemporaryDirectory() as name:
        place = Path(name)
        records = {game: _records(game) for game in ("euchre", "whist")}
        # No more fit in an .egn file.
        one_match = records["euchre"].splitlines(keepends=True)[-1]
        bundle = written_bundle(
            fault_of("misplays the third trick"), seated_bot(place / "tiny"), place / "faults"
        ).read_bytes()
        faulty, lacking = [DuelKey(1, 2, 0)], [DuelKey(2, 3, 0)]
        complete, open_ = place / "complete", place / "open"
        export(complete, logged(exported(shared(), faulty, lacking), STATED))
        found = league("open", "whist", entrants=2, duels=2, target=1)
        export(open_, _eventful(logged(exported(found, lacking=[DuelKey(1, 2, 1)]))))
        exports = {"complete": complete, "open": open_}
        return {
            "replay --check": Target(records, _replay, share=2),
            "convert": Target(records | {"euchre": one_match}, _convert, share=2),
            "fault show": Target({"fault.json": bundle}, _show_fault, share=2),
            "games check": Target(_programs(), _check_game, share=2),
            **{
                f"verify ({state})": Target(
                    {path.name: path.read_bytes() for path in out.iterdir()}, _verify, whole=True
                )
                for state, out in exports.items()
            },
            "submit (archive)": Target(handed_in.archives(), handed_in.unpack_archive, share=2),
            "submit (form)": Target({"form": handed_in.form()}, handed_in.receive, share=2),
        }


def _eventful(whole: Exported) -> Exported:
    """Add all that can happen to a league whose first duel was played and its second void."""
    log = LogWriter()
    for entry in whole.log:
        log.add(entry.kind, entry.body)
    log.add("unplayed", {"duel": [1, 2, 1]})
    log.add("killed", {"since": None})
    log.add("stopped", {"why": "interrupted"})
    log.add("suspended", {"entrant": 1, "after": 0, "reason": "at fault in 10 of 10 duels"})
    log.add("withdrawn", {"entrant": 2})
    for entrant in (1, 2):
        log.add("reinstated", {"entrant": entrant, "counted_from": 0})
    log.add("exported", {"digest": "0" * 64})
    return whole._replace(log=log.entries)


def _records(game: str) -> bytes:
    rules = preset(game).game({"target": 1})
    deals = (SeededDeal(bytes(32), f"fuzz {n}") for n in range(2))
    matches = [play_match(rules, 3, deal, lambda state: state.legal[-1]) for deal in deals]
    decks = matches[1]._replace(dealt=tuple(map(matches[1].deck, range(len(matches[1].hands)))))
    return "".join(f"{to_json(each)}\n" for each in (matches[0], decks)).encode()


def _programs() -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(GAMES.glob("*.rcy"))}


def _check_game(path: Path) -> None:
    games.check(str(path), rollouts=2, seed="0" * 64)


def _replay(path: Path) -> None:
    replay.replay(what=str(path), check=True)


def _convert(path: Path) -> None:
    suffix = ".egn" if path.name == "euchre" else ".pbn"
    convert.convert(path, path.with_suffix(suffix))


def _show_fault(path: Path) -> None:
    fault.show(path)
    fault.show(path, json=True)


def _verify(directory: Path) -> None:
    verify.verify(directory)


def _show(whole: FuzzOutcome, wanted: int) -> None:
    if sys.stderr.isatty():
        words = f"\r{_total(whole)} of {wanted} inputs, {len(whole.failures)} kinds of failure"
        print(words, end="", file=sys.stderr, flush=True)


def _total(whole: FuzzOutcome) -> int:
    return sum(counted.total() for counted in whole.ended.values())


def _report(whole: FuzzOutcome, *, as_json: bool) -> None:
    if as_json:
        document = {
            "inputs": _total(whole),
            "ended": {name: dict(counted) for name, counted in whole.ended.items()},
            "slowest_seconds": whole.slowest,
            "peak_bytes": whole.memory,
            "failures": [*whole.failures.values()],
        }
        print_json(document)
        return
    rows = [
        (f"{name}: {how}", str(times))
        for name, counted in whole.ended.items()
        for how, times in sorted(counted.items())
    ]
    more = [
        ("inputs", str(_total(whole))),
        ("slowest, in s", f"{whole.slowest:.2f}"),
        ("peak, in MB", str(whole.memory >> 20)),
    ]
    print_table("fuzz", ("", "times"), [*rows, *more])
    print("\n".join(whole.failures.values()) or "no failure")
