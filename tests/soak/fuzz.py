"""Feeds files that a stranger may have made to the commands that read them.

Each input is a sound file that was changed in one to four places, as JSON or as bytes; the sums of
an export are made anew, so that more than those is read. Whatever the input, a command has to end
with a result or with an error of one line, in bounded time and memory. Hypothesis draws the
changes, and makes an input that fails as simple as it can.
"""

import json
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from functools import cache
from hashlib import sha256
from io import TextIOWrapper
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

import typer
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as some

from referee.cli import convert, fault, replay, verify
from referee.cli.output import print_json, print_table
from referee.engine.record import SeededDeal, play_match, to_json
from referee.engine.registry import preset
from referee.errors import UpcardError
from referee.publication.checksums import SUMS, sums
from referee.publication.export import export
from referee.scheduling.keys import DuelKey
from tests.examination.conftest import fault_of, seated_bot
from tests.examination.conftest import written as written_bundle
from tests.publication.exports import exported, league, logged

ENOUGH: Final = 1_000_000
BATCH: Final = 500
SECONDS: Final = 20.0
"""For one input; most take a thousandth of that."""
LONGEST_ERROR: Final = 2000
"""Characters."""
MEMORY: Final = 320 << 20
"""Bytes that a process has taken at its end."""
_WILD: Final[Sequence[object]] = (
    *(None, True, False, -1, 0, 1, 2, 3, 7, 99, 2**31, 2**63, 10**30, 10**400, -0.5, 0.5, 1e308),
    *(
        "",
        "N",
        "S",
        "open",
        "closed",
        "complete",
        "pass",
        "order_up",
        "JD",
        "9S",
        "é\ud800",
        "\x1b",
    ),
    *("\u202e", "9" * 5000, "0" * 64, "f" * 64, "2025-01-31T18:30:00+00:00", "0001-01-01"),
    *("9999-12-31T23:59:59-23:59", "x" * 70_000, "crashed", "decision_timeout", "enforced"),
    *([], {}, [[]], [{}], [0] * 300, {"": 0}, {"schema": 1}, [["N", "pass"]]),
)
_TOKENS: Final = (
    *(b"", b"[", b"]", b"{", b"}", b'"', b",", b":", b"\n", b"\r", b"\0", b"\xff", b"\xef\xbb\xbf"),
    *(b"null", b"NaN", b"-1e999", b"9" * 5000, b"[" * 5000, b'{"a":' * 5000, b"\\ud800", b" "),
    *(b"1", b"-", b".", b"0", b"\xf0\x9f\x98\x80", b"../", b'"schema":3,', b"a,b,c\n"),
)
_KINDS: Final = ("replace", "remove", "repeat", "swap")
_Place = tuple[str | int, ...]


class Change(NamedTuple):
    """One change of a file."""

    as_json: bool
    where: int
    """A place in it; counted from the start again where there are fewer."""
    kind: str
    other: int
    """Another place, of which something is taken."""
    value: object
    token: bytes


class Target(NamedTuple):
    """A command, and the files that it reads."""

    files: Mapping[str, bytes]
    run: Callable[[Path], None]
    whole: bool = False
    """Whether all files are of one export, and so have sums."""


class Batch(NamedTuple):
    """Some inputs of one target."""

    target: str
    number: int
    size: int


class Outcome(NamedTuple):
    """What came of a batch."""

    ended: Counter[str]
    """How often each way of ending was seen."""
    failure: str
    slowest: float
    memory: int


def changes() -> some.SearchStrategy[list[Change]]:
    """Draw what is changed in a file."""
    places = some.integers(0, 1 << 24)
    one = some.builds(
        Change,
        some.booleans(),
        places,
        some.sampled_from(_KINDS),
        places,
        some.sampled_from(_WILD),
        some.sampled_from(_TOKENS),
    )
    return some.lists(one, min_size=1, max_size=4)


def changed(data: bytes, wanted: Sequence[Change]) -> bytes:
    """Return a file with changes; what is no JSON any more is changed as bytes."""
    for change in wanted:
        data = _changed_json(data, change) if change.as_json else _changed_bytes(data, change)
    return data


def _changed_bytes(data: bytes, change: Change) -> bytes:
    start = change.where % (len(data) + 1)
    length = change.other % 40
    match change.kind:
        case "replace":
            return data[:start] + change.token + data[start + length :]
        case "remove":
            return data[:start] + data[start + length :]
        case "repeat":
            return data[: start + length] + data[start:]
        case _:
            bit = 1 << change.other % 8
            flipped = bytes([data[start] ^ bit]) if start < len(data) else change.token
            return data[:start] + flipped + data[start + 1 :]


def _changed_json(data: bytes, change: Change) -> bytes:
    """Change one value in one of the lines; a document in several lines is one."""
    try:
        document, lines = _read(data)
    except (ValueError, RecursionError):
        return _changed_bytes(data, change)
    places = _places(document)
    if not places:
        return _changed_bytes(data, change)
    *way, last = places[change.where % len(places)]
    holder: Any = document
    for step in way:
        holder = holder[step]
    _change_value(holder, last, change, document, places)
    texts = [json.dumps(line) for line in (document if lines else [document])]
    return "".join(f"{text}\n" for text in texts).encode()


def _read(data: bytes) -> tuple[Any, bool]:
    text = data.decode()
    try:
        return json.loads(text), False
    except ValueError:
        return [json.loads(line) for line in text.splitlines()], True


def _places(value: object) -> list[_Place]:
    """Return the way to each value; a document that is one value has none."""
    inside: Sequence[tuple[str | int, object]] = ()
    if isinstance(value, dict):
        inside = [*value.items()]
    elif isinstance(value, list):
        inside = [*enumerate(value)]
    found: list[_Place] = []
    for key, each in inside:
        found.append((key,))
        found.extend((key, *place) for place in _places(each))
    return found


def _change_value(
    holder: Any,  # noqa: ANN401 # JSON
    last: str | int,
    change: Change,
    document: Any,  # noqa: ANN401 # JSON
    places: Sequence[_Place],
) -> None:
    match change.kind:
        case "replace":
            holder[last] = change.value
        case "remove":
            del holder[last]
        case "repeat" if isinstance(holder, list):
            holder.insert(change.other % (len(holder) + 1), holder[int(last)])
        case "repeat":
            holder[f"{last}{change.other % 3}"] = holder[last]
        case _:
            taken = document
            for step in places[change.other % len(places)]:
                taken = taken[step]
            holder[last] = json.loads(json.dumps(taken))


def soak(inputs: int, jobs: int, first: int, *, as_json: bool) -> int:
    """Run the commands on so many inputs; return 1 if any failed."""
    names = [*targets()]
    batches = [
        Batch(names[n % len(names)], first + n, min(BATCH, inputs - n * BATCH))
        for n in range(-(-inputs // BATCH))
    ]
    ended: dict[str, Counter[str]] = {name: Counter() for name in names}
    slowest, memory, failures = 0.0, 0, []
    # Hypothesis remembers what it has drawn, so a process is replaced before that grows large.
    with get_context("spawn").Pool(jobs, maxtasksperchild=20) as pool:
        for batch, outcome in zip(batches, pool.imap(run, batches), strict=True):
            ended[batch.target] += outcome.ended
            slowest, memory = max(slowest, outcome.slowest), max(memory, outcome.memory)
            if outcome.failure:
                failures.append(f"batch {batch.number} of {batch.target}: {outcome.failure}")
            _show(sum(counted.total() for counted in ended.values()), inputs, len(failures))
    _report(ended, slowest, memory, failures, as_json=as_json)
    return bool(failures)


def run(batch: Batch) -> Outcome:
    """Run a batch in this process."""
    ended: Counter[str] = Counter()
    slowest = 0.0
    target = targets()[batch.target]
    with _scratch(target) as directory:

        @seed(batch.number)
        @settings(
            max_examples=batch.size,
            database=None,
            deadline=None,
            phases=[Phase.generate, Phase.shrink],
            suppress_health_check=list(HealthCheck),
        )
        @given(some.sampled_from(sorted(target.files)), changes(), some.booleans())
        def one(name: str, wanted: list[Change], seal: bool) -> None:
            nonlocal slowest
            data = changed(target.files[name], wanted)
            began = time.perf_counter()
            ended[_end(target, directory, name, data, seal=seal or name != SUMS)] += 1
            slowest = max(slowest, time.perf_counter() - began)

        failure = ""
        try:
            one()
        except Exception as error:  # noqa: BLE001 # whatever it is, it is what is looked for
            failure = _words(error)
    memory = _peak()
    if memory > MEMORY and not failure:
        failure = f"it took {memory >> 20} MB"
    return Outcome(ended, failure, slowest, memory)


def _words(error: BaseException) -> str:
    return "".join(traceback.format_exception(error))[-6000:]


def _peak() -> int:
    """Return the peak of this process; the one of getrusage is inherited over exec."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024


def _end(target: Target, directory: Path, name: str, data: bytes, *, seal: bool) -> str:
    """Run a command on a changed file, put the file back, and return how it ended."""
    path = directory / name
    path.write_bytes(data)
    if target.whole and seal:
        digests = _digests(target) | {name: sha256(data).hexdigest()}
        del digests[SUMS]
        (directory / SUMS).write_text(sums(digests))
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
        path.write_bytes(target.files[name])
        if target.whole:
            (directory / SUMS).write_bytes(target.files[SUMS])
    return "exit code 0"


def _digests(target: Target) -> dict[str, str]:
    return {name: sha256(data).hexdigest() for name, data in target.files.items()}


@contextmanager
def _timed() -> Iterator[None]:
    def late(_signal: int, _frame: object) -> None:
        raise TimeoutError(f"it took longer than {SECONDS} s")

    signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


@contextmanager
def _scratch(target: Target) -> Iterator[Path]:
    """Write the files of a target, and let nothing that is printed be seen."""
    with (
        TemporaryDirectory() as directory,
        Path("/dev/null").open("wb") as null,
        TextIOWrapper(null, "utf-8", "backslashreplace") as text,
        redirect_stdout(text),
        redirect_stderr(text),
    ):
        for name, data in target.files.items():
            (Path(directory) / name).write_bytes(data)
        yield Path(directory)


@cache
def targets() -> dict[str, Target]:
    """Return the commands, each with files that are sound."""
    with TemporaryDirectory() as name:
        place = Path(name)
        records = {game: _records(game) for game in ("euchre", "whist")}
        bundle = written_bundle(
            fault_of("misplays the third trick"), seated_bot(place / "tiny"), place / "faults"
        ).read_bytes()
        faulty, lacking = [DuelKey(1, 2, 0)], [DuelKey(2, 3, 0)]
        found = league(duels=1, target=1)
        complete, open_ = place / "complete", place / "open"
        export(complete, logged(exported(found, faulty, lacking)))
        export(open_, logged(exported(league("open", "whist", duels=1, target=1))))
        exports = {"complete": complete, "open": open_}
        return {
            "replay --check": Target(records, _replay),
            "convert": Target(records, _convert),
            "fault show": Target({"fault.json": bundle}, _show_fault),
            **{
                f"verify ({state})": Target(
                    {path.name: path.read_bytes() for path in out.iterdir()}, _verify, whole=True
                )
                for state, out in exports.items()
            },
        }


def _records(game: str) -> bytes:
    rules = preset(game).game({"target": 1})
    deals = (SeededDeal(bytes(32), f"fuzz {n}") for n in range(2))
    matches = [play_match(rules, 3, deal, lambda state: state.legal[-1]) for deal in deals]
    decks = matches[1]._replace(dealt=tuple(map(matches[1].deck, range(len(matches[1].hands)))))
    return "".join(f"{to_json(each)}\n" for each in (matches[0], decks)).encode()


def _replay(path: Path) -> None:
    replay.replay(str(path), check=True)


def _convert(path: Path) -> None:
    suffix = ".egn" if path.name == "euchre" else ".pbn"
    convert.convert(path, path.with_suffix(suffix))


def _show_fault(path: Path) -> None:
    fault.show(path)
    fault.show(path, json=True)


def _verify(directory: Path) -> None:
    verify.verify(directory)


def _show(done: int, wanted: int, failures: int) -> None:
    if sys.stderr.isatty():
        words = f"\r{done} of {wanted} inputs, {failures} failures"
        print(words, end="", file=sys.stderr, flush=True)


def _report(
    ended: Mapping[str, Counter[str]],
    slowest: float,
    memory: int,
    failures: Sequence[str],
    *,
    as_json: bool,
) -> None:
    total = sum(counted.total() for counted in ended.values())
    if as_json:
        document = {
            "inputs": total,
            "ended": {name: dict(counted) for name, counted in ended.items()},
            "slowest_seconds": slowest,
            "peak_bytes": memory,
            "failures": failures,
        }
        print_json(document)
        return
    rows = [
        (f"{name}: {how}", str(times))
        for name, counted in ended.items()
        for how, times in sorted(counted.items())
    ]
    more = [("inputs", str(total)), ("slowest, in s", f"{slowest:.2f}")]
    print_table("fuzz", ("", "times"), [*rows, *more, ("peak, in MB", str(memory >> 20))])
    print("\n".join(failures) or "no failure")
