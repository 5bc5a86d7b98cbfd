"""`upcard bots`: what passes its report card is kept as it was, and told apart by its content."""

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from referee.arena.limits import Terms
from referee.bots.digest import bundle_digest
from referee.engine.registry import preset
from referee.examination.report_card import FAIL, Check
from referee.store.leagues import create_league
from referee.store.models import Plan
from referee.store.opening import open_store
from tests.cli.bots import FIRST, UPCARD, Said, environment, run, write_bot
from tests.cli.conftest import Upcard
from tests.cli.test_try import asked, ends, parents
from tests.waiting import until

UNSAFE = "--unsafe-no-sandbox"
TINY = Path(__file__).parents[1] / "examination" / "tiny_bots.py"
MANIFEST = """
name = "{name}"
version = "1.2"
author = "Nobody"
language = "python"
run = ["python", "bot.py", "{misbehaviour}"]
games = ["euchre"]
tables = 2
"""


def tiny(
    directory: Path, misbehaviour: str = "nothing", *, extra: str = "", author: str = ""
) -> Path:
    """Write a tiny bot down; it is called as its directory is."""
    directory.mkdir()
    shutil.copy(TINY, directory / "bot.py")
    told = MANIFEST.format(name=directory.name, misbehaviour=misbehaviour) + extra
    (directory / "bot.toml").write_text(told.replace("Nobody", author or "Nobody"))
    return directory


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("UPCARD_DB", raising=False)
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


@pytest.fixture
def examined(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Pass every bot unexamined, but for one called rook; return the names of those that came."""
    seen: list[str] = []

    async def failures(_: object, candidate: Any, __: object) -> list[Check]:  # noqa: ANN401
        seen.append(candidate.bot.name)
        return [Check("rests", FAIL, "it \x1b[31mhums")] * (candidate.bot.name == "rook")

    monkeypatch.setattr("referee.cli.bots.failures", failures)
    return seen


Add = Callable[..., Said]


@pytest.fixture
def add(upcard: Upcard, examined: list[str]) -> Add:
    del examined
    return lambda *words: upcard("bots", "add", *words, UNSAFE)


def listed(upcard: Upcard) -> Any:  # noqa: ANN401 (as it comes)
    return json.loads(upcard("bots", "list", "--json").out)


@pytest.fixture(scope="module")
def truly(tmp_path_factory: pytest.TempPathFactory) -> Said:
    """Hand in a sound bot and one that is not, and have both examined in the real sandbox."""
    directory = tmp_path_factory.mktemp("truly")
    tiny(directory / "owl")
    tiny(directory / "rook", "is too old")
    ran = run(directory, "bots", "add", "owl", "rook")
    return Said(ran.code, ran.out, ran.err)


def test_a_bot_that_passes_is_kept(truly: Said) -> None:
    assert truly.out.splitlines()[0].startswith("owl 1.2 is kept as ")


def test_a_bot_that_fails_is_refused_with_its_failing_lines(truly: Said) -> None:
    refused, line = truly.out.splitlines()[1:]
    assert refused == ("rook 1.2 is refused for 1 failed check; see all of them: upcard check rook")
    assert line.startswith("FAIL  hello: protocol revision")


def test_one_refusal_is_failure(truly: Said) -> None:
    assert (truly.code, truly.err) == (1, "")


def test_what_is_refused_is_not_kept(add: Add, upcard: Upcard, here: Path) -> None:
    add(tiny(here / "rook"), tiny(here / "owl"))
    assert [bot["name"] for bot in listed(upcard)] == ["owl"]


def test_what_a_failing_bot_makes_the_card_say_is_harmless(add: Add, here: Path) -> None:
    assert "it ?[31mhums" in add(tiny(here / "rook")).out


def test_a_bot_examined_without_a_sandbox_is_marked(add: Add, here: Path) -> None:
    assert add(tiny(here / "owl")).out.startswith("UNSANDBOXED: owl 1.2 is kept as ")


def test_the_bundle_that_is_kept_is_what_was_handed_in(
    add: Add, upcard: Upcard, here: Path
) -> None:
    add(tiny(here / "owl"))
    shutil.rmtree(here / "owl")
    shown = json.loads(upcard("bots", "show", "owl", "--json").out)
    assert bundle_digest(Path(shown["bundle"])) == shown["digest"]


def test_the_same_content_again_is_the_same_bot_and_is_not_examined_again(
    add: Add, examined: list[str], here: Path
) -> None:
    add(tiny(here / "owl"))
    (here / "owl" / "__pycache__").mkdir()
    again = add(here / "owl")
    assert (again.code, again.out.startswith("owl 1.2 is kept already, as ")) == (0, True)
    assert examined == ["owl"]


def test_two_of_the_same_content_are_kept_once(add: Add, examined: list[str], here: Path) -> None:
    shutil.copytree(tiny(here / "owl"), here / "copy")
    said = add(here / "owl", here / "copy")
    assert (said.code, said.out.count("\n"), examined) == (0, 1, ["owl"])


def test_a_change_is_another_bot_though_its_version_is_the_same(
    add: Add, upcard: Upcard, here: Path
) -> None:
    add(tiny(here / "owl"))
    (here / "owl" / "more").touch()
    said = add(here / "owl")
    assert said.code == 0
    assert "  kept too, with the same version but other content: " in said.out
    assert len({bot["digest"] for bot in listed(upcard)}) == 2


def test_a_version_that_two_have_names_neither(add: Add, upcard: Upcard, here: Path) -> None:
    add(tiny(here / "owl"))
    (here / "owl" / "more").touch()
    add(here / "owl")
    said = upcard("bots", "show", "owl@1.2")
    assert (said.code, "digest" in said.err) == (2, True)


def test_what_has_to_be_built_is_kept_as_it_was_built(upcard: Upcard, here: Path) -> None:
    made = 'build = ["cp", "bot.toml", "made"]\nresult = ["bot.py", "made"]\n'
    said = upcard("bots", "add", tiny(here / "owl", extra=made))
    (bundle,) = here.glob("*/bots/*")
    assert said.code == 0
    built = {path.name for path in bundle.iterdir()}
    assert built == {".upcard-built", "bot.py", "bot.toml", "made"}


def test_a_failed_build_is_shown_to_the_author(upcard: Upcard, here: Path) -> None:
    failing = 'build = ["sh", "-c", "echo no ace; exit 3"]\n'
    said = upcard("bots", "add", tiny(here / "owl", extra=failing))
    assert (said.code, said.err.splitlines()[-1]) == (1, "no ace")
    assert said.out.endswith(
        "/owl is refused: the build of owl failed: it ended with exit code 3 "
        "(sh -c 'echo no ace; exit 3')\n"
    )


def test_who_is_handed_in_twice_is_examined_once(add: Add, examined: list[str], here: Path) -> None:
    said = add(tiny(here / "owl"), here / "owl")
    assert (said.code, examined) == (0, ["owl"])


def test_a_failed_build_refuses_nobody_else(
    upcard: Upcard, examined: list[str], here: Path
) -> None:
    owl = tiny(here / "owl", extra='build = ["false"]\n')
    said = upcard("bots", "add", owl, tiny(here / "lark"))
    assert (said.code, examined) == (1, ["lark"])


def test_without_the_sandbox_nothing_is_built(add: Add, here: Path) -> None:
    said = add(tiny(here / "owl", extra='build = ["make"]\nresult = ["made"]\n'))
    assert said.code == 2
    assert said.err.endswith("and without the sandbox nothing is built; run make there\n")


def test_a_wrong_name_among_others_is_refused_before_anything_is_done(
    add: Add, examined: list[str], here: Path
) -> None:
    said = add(tiny(here / "owl"), "nowhere")
    assert (said.code, said.out, examined) == (2, "", [])
    assert said.err.startswith("upcard: there is no bot 'nowhere'")
    assert not (here / "upcard.db").exists()


def test_an_example_is_added_by_its_name(add: Add, upcard: Upcard) -> None:
    add("random")
    assert [bot["name"] for bot in listed(upcard)] == ["random"]


def test_the_store_is_in_the_working_directory_unless_told(add: Add, here: Path) -> None:
    add(tiny(here / "owl"))
    assert (here / "upcard.db").exists()


def test_the_store_can_be_told_by_an_option(add: Add, upcard: Upcard, here: Path) -> None:
    add(tiny(here / "owl"), "--db", "other.db")
    assert len(json.loads(upcard("bots", "list", "--json", "--db", "other.db").out)) == 1


def test_the_store_can_be_told_by_the_environment(
    add: Add, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UPCARD_DB", "other.db")
    add(tiny(here / "owl"))
    assert ((here / "other.db").exists(), (here / "upcard.db").exists()) == (True, False)


@pytest.mark.parametrize("words", [("list",), ("show", "owl")])
def test_a_store_that_is_not_there_is_not_made(
    upcard: Upcard, here: Path, words: tuple[str, ...]
) -> None:
    said = upcard("bots", *words)
    assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
    assert "there is no store upcard.db" in said.err
    assert list(here.iterdir()) == []


def test_an_empty_store_says_how_to_add_a_bot(upcard: Upcard) -> None:
    with open_store("upcard.db", create=True):
        pass
    said = upcard("bots", "list")
    assert (said.code, said.out) == (0, "no bot is kept yet; add one with: upcard bots add BOT\n")


def test_the_list_is_a_table(add: Add, upcard: Upcard, here: Path) -> None:
    digest = add(tiny(here / "owl")).out.partition(" kept as ")[2][:12]
    (row,) = [line for line in upcard("bots", "list").out.splitlines() if "owl" in line]
    cells = [cell.strip() for cell in row.strip("│").split("│")]
    assert cells[:6] == ["owl", "1.2", "Nobody", "python", "euchre", digest]


def test_the_list_as_csv_has_whole_digests(add: Add, upcard: Upcard, here: Path) -> None:
    add(tiny(here / "owl"))
    header, row = upcard("bots", "list", "--csv").out.splitlines()
    assert header == "name,version,author,language,games,digest,added,leagues"
    assert len(row.split(",")[5]) == 64


def test_a_list_has_one_format(upcard: Upcard) -> None:
    said = upcard("bots", "list", "--csv", "--json")
    assert (said.code, said.err) == (2, "upcard: choose one of --json and --csv\n")


@pytest.mark.parametrize("author", ["[/red]", "[bold]me", "me\\\\"])
def test_what_an_author_calls_herself_is_printed_as_it_is(
    add: Add, upcard: Upcard, here: Path, author: str
) -> None:
    add(tiny(here / "owl", author=author))
    said = upcard("bots", "list")
    assert (said.code, author.replace("\\\\", "\\") in said.out) == (0, True)


def test_the_leagues_of_a_bot_are_told(add: Add, upcard: Upcard, here: Path) -> None:
    add(tiny(here / "owl"), tiny(here / "jay"))
    owl = next(bot["digest"] for bot in listed(upcard) if bot["name"] == "owl")
    with open_store("upcard.db") as store:
        plan = Plan(Terms(preset("euchre").game()), 10, 5)
        create_league(store, "autumn", plan, [owl], datetime.now(UTC))
    told = {bot["name"]: bot["leagues"] for bot in listed(upcard)}
    assert told == {"owl": ["autumn"], "jay": []}


def test_a_bot_is_shown_with_its_manifest_and_bundle(add: Add, upcard: Upcard, here: Path) -> None:
    add(tiny(here / "owl"))
    said = upcard("bots", "show", "owl")
    lines = said.out.splitlines()
    words = " ".join(line.split()[0] for line in lines[:9])
    assert words == "name version author language games digest added leagues bundle"
    assert 'run = ["python", "bot.py", "nothing"]' in lines
    assert Path(lines[8].split(maxsplit=1)[1]).is_dir()


@pytest.fixture
def bundle(add: Add, upcard: Upcard, here: Path) -> Path:
    """Return the place of a bot that is kept."""
    add(tiny(here / "owl"))
    return Path(json.loads(upcard("bots", "show", "owl", "--json").out)["bundle"])


def test_a_sound_bundle_is_no_trouble(bundle: Path, upcard: Upcard) -> None:
    shown = json.loads(upcard("bots", "show", "owl", "--json").out)
    assert (shown["bundle"], shown["trouble"]) == (str(bundle), "")


def test_a_bundle_that_was_changed_is_told(bundle: Path, upcard: Upcard) -> None:
    (bundle / "bot.py").chmod(0o755)
    shown = upcard("bots", "show", "owl").out
    assert "\ntrouble   owl 1.2 (" in shown
    assert " is not as it was added: " in shown


def test_a_bundle_that_is_gone_is_told(bundle: Path, upcard: Upcard) -> None:
    shutil.rmtree(bundle)
    shown = upcard("bots", "show", "owl").out
    assert "\nbundle    none\ntrouble   the bundle of bot " in shown


def test_a_bundle_that_is_gone_comes_back_when_its_bot_is_added_again(
    bundle: Path, add: Add, here: Path
) -> None:
    shutil.rmtree(bundle)
    assert "is kept already" in add(here / "owl").out
    assert bundle_digest(bundle) == bundle.name


def test_a_bot_whose_bundle_was_changed_is_not_said_to_be_kept(
    bundle: Path, add: Add, here: Path
) -> None:
    (bundle / "bot.py").chmod(0o755)
    said = add(here / "owl")
    assert (said.code, said.out) == (2, "")
    assert f"remove {bundle} and add the same bot again" in said.err


def test_a_bot_that_is_not_kept_is_refused(add: Add, upcard: Upcard, here: Path) -> None:
    add(tiny(here / "owl"))
    said = upcard("bots", "show", "jay")
    assert (said.code, said.out, "jay" in said.err) == (2, "", True)


@contextmanager
def adding(directory: Path, temporary: str) -> Iterator["subprocess.Popen[str]"]:
    """Hand in a slow bot, and wait until it is asked."""
    # So slow that its examination does not end before it is interrupted, however busy the machine.
    write_bot(directory / "slow", f"open('/tmp/asked', 'w'); time.sleep(5); {FIRST}")
    with subprocess.Popen(
        [*UPCARD, "bots", "add", "slow"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=directory,
        env=environment() | {"TMPDIR": temporary},
        start_new_session=True,
    ) as running:
        try:
            until(lambda: bool(asked(running.pid)) or running.poll() is not None)
            assert running.poll() is None
            yield running
        finally:
            running.kill()


def test_a_signal_while_a_bot_is_examined_leaves_nothing_and_keeps_no_bot(
    here: Path, upcard: Upcard
) -> None:
    """The whole group hears it, as when somebody types Ctrl-C."""
    with TemporaryDirectory(prefix="t-") as temporary, adding(here, temporary) as running:
        processes = parents(running.pid)
        os.killpg(running.pid, signal.SIGINT)
        told = running.communicate()
        assert (running.returncode, *told) == (130, "", "upcard: interrupted\n")
        assert list(Path(temporary).iterdir()) == []
    assert [each for each in processes if not ends(each)] == []
    assert listed(upcard) == []
    assert [path for path in here.rglob("bot.py") if path.parent.name != "slow"] == []
