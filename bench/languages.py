"""What a bot costs in each language that has an SDK, against the same bot in Python.

The bots are the probes of `tests/sdk`: each takes the first legal action everywhere, so what is
measured is the SDK and the language's runtime. They are built as any bot is, and play in the
sandbox with a seat's limits. They and the referee, which says what was written beforehand, are
all held to one core. The example in Ruby, which needs no SDK, is told of besides; it thinks.

A shared machine changes its speed from second to second, so the bot in Python plays before and
after every other one, and each figure is the median of ratios to what it took meanwhile.
"""

import argparse
import asyncio
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import fmean, median
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest
from figures import Row, as_json
from lean_referee import LONGEST, GoneError, Measured, Script, measure, script

from referee.bots.manifest import read_manifest
from referee.bots.seating import BotLauncher, SeatedBot
from referee.errors import UpcardError
from referee.sandbox.launcher import Sandboxes
from referee.sandbox.runtimes import find_runtimes
from tests.sdk.polyglot import LANGUAGES, Language, example, probe, told

PYTHON, *OTHERS = LANGUAGES
ROUNDS = 5
WARMING, MANY, ALONE = 100, 400, 1000
"""Frames: at 256 tables, not measured and measured; and at one."""
QUICK = (5, 10, 50)


class LanguageFigure(NamedTuple):
    """Something that is told of every language."""

    name: str
    unit: str
    scale: float
    """How many of the unit are in what was measured."""
    is_rate: bool = False
    at_least: float | None = None
    """The bound, for who has an SDK."""


FIGURES = {
    "hello": LanguageFigure("time from start to hello", "ms", 1e3),
    "first": LanguageFigure("time from start to the first answer", "ms", 1e3),
    "alone": LanguageFigure("time of a decision at one table, median", "us", 1e6),
    "many": LanguageFigure(
        "decisions a second at 256 tables", "1/s", 1, is_rate=True, at_least=1.0
    ),
    "cpu": LanguageFigure("processor time of the bot for one of those", "us", 1e6),
    "memory": LanguageFigure("memory, peak", "MiB", 2**-20),
}
"""By the field of what is measured."""

Round = Sequence[tuple[Language, Measured]]
"""Every other language, with Python before and after it."""


def plain(measured: Sequence[Measured], field: str) -> float:
    """Return a figure in its unit, the median of several."""
    figure = FIGURES[field]
    found: float = median(getattr(each, field) for each in measured)
    return figure.scale / found if figure.is_rate else figure.scale * found


def rows(rounds: Sequence[Round]) -> list[Row]:
    """Judge every language against Python."""
    return [
        Row(f"{FIGURES[field].name}, {language.name} against python", ratio, *bound)
        for language, ratios in against_python(rounds).items()
        for field, ratio in ratios.items()
        for bound in (_bound(language, FIGURES[field]),)
    ]


def _bound(language: Language, figure: LanguageFigure) -> tuple[str, float] | tuple[()]:
    if figure.at_least is None or not language.has_sdk:
        return ()
    return "at_least", figure.at_least


def against_python(rounds: Sequence[Round]) -> dict[Language, dict[str, float]]:
    """Return the ratio of each figure for each language, the median of the rounds."""
    found: dict[Language, list[dict[str, float]]] = {}
    for each in rounds:
        for (_, before), (language, own), (_, after) in zip(
            each[::2], each[1::2], each[2::2], strict=False
        ):
            ratios = {field: _ratio(field, own, (before, after)) for field in FIGURES}
            found.setdefault(language, []).append(ratios)
    return {
        language: {field: median(each[field] for each in several) for field in FIGURES}
        for language, several in found.items()
    }


def _ratio(field: str, own: Measured, python: Sequence[Measured]) -> float:
    around = fmean(getattr(each, field) for each in python)
    ratio: float = getattr(own, field) / around
    return 1 / ratio if FIGURES[field].is_rate else ratio


# Playing


async def play(bots: dict[Language, Path], core: int, said: Script, rounds: int) -> list[Round]:
    """Play a round of each, with Python before and after it."""
    order = [PYTHON]
    for language in bots:
        order += [language, PYTHON] if language != PYTHON else []
    async with Sandboxes.open() as sandboxes:
        seatings = {
            language: BotLauncher(sandboxes, (bot, bot), core)
            for language, bundle in bots.items()
            for bot in (_entrant(bundle),)
        }
        found: list[Round] = []
        for number in range(rounds):
            print(f"round {number + 1} of {rounds}", file=sys.stderr, flush=True)
            found.append([(each, await measure(seatings[each], said)) for each in order])
    return found


def _entrant(bundle: Path) -> SeatedBot:
    runtimes = find_runtimes()
    manifest = read_manifest(bundle, runtimes)
    return SeatedBot(manifest, bundle, runtimes[manifest.runtime])


@contextmanager
def built(languages: Sequence[Language]) -> Iterator[dict[Language, Path]]:
    """Build the bots; a language that this machine does not have is passed over."""
    with TemporaryDirectory(prefix="upcard-bench-") as place:
        Path(place).chmod(0o755)
        bots = {}
        for language in languages:
            bundle = Path(place, language.name)
            try:
                if language.has_sdk:
                    bots[language] = told("first", probe(language, bundle))
                else:
                    bots[language] = example(language, bundle)
            except pytest.skip.Exception as lacking:
                print(f"{language.name} is passed over: {lacking}", file=sys.stderr)
        yield bots


# Telling


def as_tables(rounds: Sequence[Round]) -> str:
    """Return the ratios and the plain figures, each as a table in Markdown."""
    ratios = against_python(rounds)
    names = [figure.name for figure in FIGURES.values()]
    units = [f"{figure.name}, {figure.unit}" for figure in FIGURES.values()]
    against = [
        [language.name, *(f"{ratio:.2f}" for ratio in found.values())]
        for language, found in ratios.items()
    ]
    return "\n\n".join(
        (
            _table(["against python", *names], against),
            _table(["medians", *units], [_medians(rounds, each) for each in (PYTHON, *ratios)]),
        )
    )


def _medians(rounds: Sequence[Round], language: Language) -> list[str]:
    own = [measured for each in rounds for who, measured in each if who == language]
    return [language.name, *(_short(plain(own, field)) for field in FIGURES)]


def _short(figure: float) -> str:
    return f"{figure:.1f}" if figure < 100 else f"{figure:.0f}"


def _table(heads: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    rule = ["---"] * len(heads)
    return "\n".join(f"| {' | '.join(line)} |" for line in (heads, rule, *lines))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure bots in every language, in ratios.")
    names = [language.name for language in OTHERS]
    parser.add_argument(
        "language", nargs="*", help=f"beside python: all, or some of {', '.join(names)}"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument(
        "--quick", action="store_true", help="try whether it runs: one short round, never failing"
    )
    asked = parser.parse_args()
    if unknown := {*asked.language} - {*names}:
        parser.error(f"there is no language {', '.join(unknown)} here")
    return asked


def main() -> int:
    """Measure and print; give the exit code."""
    asked = _arguments()
    wanted = [each for each in OTHERS if not asked.language or each.name in asked.language]
    core = max(os.sched_getaffinity(0))
    try:
        with built([PYTHON, *wanted]) as bots:
            lacking = {*wanted} - bots.keys()
            if lacking == {*wanted} or (asked.language and lacking):
                return 2  # what is missing was told
            os.sched_setaffinity(0, {core})  # not before: builds take all there are
            frames = QUICK if asked.quick else (WARMING, MANY, ALONE)
            rounds = asyncio.run(play(bots, core, script(*frames), 1 if asked.quick else ROUNDS))
    except (UpcardError, GoneError, TimeoutError) as error:
        print(str(error) or f"a bot was not done after {LONGEST} s", file=sys.stderr)
        return 2
    judged = rows(rounds)
    print(as_json(judged) if asked.json else as_tables(rounds))
    missed = [row for row in judged if not row.ok]
    if not asked.json:
        print("\n".join(f"MISSED: {row.name} is {row.ratio:.2f}" for row in missed))
    return bool(missed) and not asked.quick


if __name__ == "__main__":
    sys.exit(main())
