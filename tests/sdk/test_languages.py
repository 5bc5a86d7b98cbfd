"""A bot in any language is begun, built, examined, played and told of like any other."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from referee.arena.limits import Terms, TimeLimits
from referee.bots.build_environment import BuildFailed
from referee.bots.sdks import Sdk
from referee.bots.sdks import sdks as all_sdks
from referee.bots.seating import BotLauncher, SeatedBot
from referee.bots.template import write_template
from referee.cli.league_play import play_league
from referee.engine.registry import PRESETS, Preset
from referee.examination.admission import candidates
from referee.examination.play_checks import decision_checks, whole_matches
from referee.examination.report_card import PASS, Check, Examiner
from referee.league.entries import start_league
from referee.league.running import RunOptions
from referee.league.table import league_table
from referee.sandbox.launcher import Sandboxes
from referee.store.bots import add_bot
from referee.store.duels import faults
from referee.store.models import Plan
from referee.store.opening import open_store
from tests.cli.bots import run
from tests.sdk.conftest import Example, Probe
from tests.sdk.polyglot import LANGUAGES, SDKS, Language, built, named, present_sdk, run_tests
from tests.table import euchre
from tests.workers import workers_as_threads

NOW = datetime(2026, 1, 1, tzinfo=UTC)
LIMITS = TimeLimits(decision=10, ready=60)
"""How long a bot takes depends on what else the machine does; `bench/languages.py` measures it."""
TWOS = tuple(zip(LANGUAGES[1::2], LANGUAGES[2::2], strict=True))
"""All but Python, in which most bots of these tests are."""
Examination = Callable[[Examiner, Preset, Callable[[Check], None]], Awaitable[None]]

SAME_SDK = ("typescript",)
"""Languages whose bots run on the SDK of another one, where it is tried."""

languages = pytest.mark.parametrize("language", LANGUAGES, ids=named)
sdks = pytest.mark.parametrize("language", SDKS, ids=named)
new_bots = pytest.mark.parametrize("sdk", all_sdks(), ids=lambda sdk: sdk.language)


@languages
def test_the_example_has_a_clean_report_card(
    language: Language, example: Example, tmp_path: Path
) -> None:
    said = run(tmp_path, "check", example(language), "--game", "whist", "--json")
    card = said.json()
    assert [mark for mark in card["lines"] if mark["verdict"] == "fail"] == []
    assert said.code == 0


@languages
def test_the_example_answers_whatever_it_is_asked_in_euchre(
    language: Language, example: Example
) -> None:
    # Whole matches of euchre it plays in the league below.
    with candidates([example(language)], NOW) as (bot,):
        checks = asyncio.run(_asked(bot.entrant, decision_checks))
    assert {check.verdict for check in checks} == {PASS}


@sdks
def test_its_own_failure_is_a_fault_that_its_author_can_read(
    language: Language, probe: Probe, tmp_path: Path
) -> None:
    bot = probe(language, "raise")
    said = run(tmp_path, "duel", bot, "random", "--duels", 1, "--json")
    logs = "".join(path.read_text() for path in tmp_path.rglob("output/*.log"))
    assert (said.code, {fault["kind"] for fault in said.json()["faults"]}) == (3, {"crashed"})
    assert "the probe fails on purpose" in logs


@new_bots
def test_a_new_bot_builds_and_plays_whatever_it_is_asked(sdk: Sdk, tmp_path: Path) -> None:
    # A name that every SDK has used itself.
    assert run(tmp_path, "new", "bot", "--language", sdk.language).code == 0
    built(tmp_path / "bot", tmp_path / "bundle")
    with candidates([tmp_path / "bundle"], NOW) as (bot,):
        # How the SDK speaks is seen where the example is examined.
        checks = asyncio.run(_asked(bot.entrant, decision_checks, _whole_matches))
    assert {check.verdict for check in checks} == {PASS}


async def _asked(bot: SeatedBot, *examinations: Examination) -> list[Check]:
    checks: list[Check] = []
    async with Sandboxes.open() as sandboxes:
        examiner = Examiner(BotLauncher(sandboxes, (bot, bot)), LIMITS, bot.manifest.tables)
        for examine in examinations:
            await examine(examiner, PRESETS["euchre"], checks.append)
    return checks


async def _whole_matches(
    examiner: Examiner, preset: Preset, report: Callable[[Check], None]
) -> None:
    report(await whole_matches(examiner, preset))


@new_bots
def test_a_new_bot_passes_its_own_tests(sdk: Sdk, tmp_path: Path) -> None:
    present_sdk(sdk.language)
    write_template(sdk, tmp_path / "early-bird", "early-bird")
    failure, log = asyncio.run(run_tests(sdk, tmp_path / "early-bird", tmp_path))
    assert not failure, log


@pytest.mark.parametrize("two", TWOS, ids=lambda two: "-".join(map(named, two)))
def test_a_league_of_languages_is_played_to_its_end(
    two: Sequence[Language], example: Example, tmp_path: Path
) -> None:
    with open_store(str(tmp_path / "league.db"), create=True) as store, workers_as_threads():
        with candidates([example(language) for language in two], NOW) as handed_in:
            for candidate in handed_in:
                add_bot(store, candidate.bot, candidate.entrant.bundle)
            digests = [candidate.bot.digest for candidate in handed_in]
        start_league(store, "all", Plan(Terms(euchre(), LIMITS), 1, 1), digests, NOW)
        play_league(store, "all", RunOptions())
        duels, at_fault = len(league_table(store, "all").results), faults(store, "all")
    assert (duels, at_fault) == (1, [])


def test_every_sdk_of_the_clone_is_tried() -> None:
    tried = {*SAME_SDK, *(language.name for language in SDKS)}
    assert {sdk.language for sdk in all_sdks()} == tried


def test_a_bot_with_a_wrong_type_is_not_built(tmp_path: Path) -> None:
    run(tmp_path, "new", "bot", "--language", "typescript")
    source = tmp_path / "bot" / "src" / "player.ts"
    source.write_text(source.read_text().replace("return `discard:", "return `lay_away:"))
    with pytest.raises(BuildFailed) as refused:
        built(tmp_path / "bot", tmp_path / "bundle")
    assert b"src/player.ts(19,5): error TS2322" in refused.value.log
