"""`upcard try` with real bots in the real sandbox."""

import os
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import chdir, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from select import select
from tempfile import TemporaryDirectory

import pytest

from referee.bots.digest import MOST_BYTES
from referee.bots.examples import example_names
from referee.cli.duel_report import print_voids
from referee.errors import ConfigError
from referee.examination.admission import candidates
from referee.examination.guarantees import refuse_missing
from referee.record_file import read_records
from referee.sandbox.doctor import Guarantee
from referee.scheduling.keys import DuelKey
from referee.store.models import StoredVoid
from tests.cli.bots import (
    CRASHES,
    FIRST,
    SEED,
    UPCARD,
    Ran,
    environment,
    run,
    without_progress,
    write_bot,
)
from tests.cli.conftest import Upcard
from tests.soak.remains import groups
from tests.waiting import until

GUIDE = Path(__file__).parents[2] / "docs" / "bot-authors-guide.md"
THINKS = f"open('/tmp/asked', 'w'); time.sleep(0.05 * (view.hand_number == 0)); {FIRST}"


@pytest.fixture(scope="module")
def tried(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """Try a bot that says what it sees in three duels."""
    directory = tmp_path_factory.mktemp("tried")
    write_bot(directory / "mine", f"upcard.log(view); {FIRST}")
    return run(directory, "try", "mine", "--duels", 3, "--seed", SEED)


@pytest.fixture(scope="module")
def crashed(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """Try a bot that makes its author's first mistake."""
    directory = tmp_path_factory.mktemp("crashed")
    write_bot(directory / "mine", CRASHES)
    return run(directory, "try", "mine", "--duels", 2)


def test_a_bot_without_faults_is_told_its_result(tried: Ran) -> None:
    assert (tried.code, tried.err) == (0, "")
    assert f"seed {SEED} (given)" in tried.out
    assert re.search(r"mine against steady\s", tried.out)
    assert re.search(r"│ mine   │     3 │ .* of 6 │ [+-]\d\.\d{3} ± \d\.\d{3} │", tried.out)


def test_the_slowest_decisions_of_both_are_told(tried: Ran) -> None:
    told = re.findall(
        r"^  (\w+) +[\d.]+ ms  duel \d, \w+ room, hand \d+, \w+, ", tried.out, re.MULTILINE
    )
    assert told == ["mine"] * 3 + ["steady"] * 3


def test_the_deals_that_cost_most_are_told_with_where_the_rooms_parted(
    tried: Ran, upcard: Upcard
) -> None:
    told = re.findall(
        r"^  -\d\.\d  duel \d, hand \d+, [\w ]+: as \w+ (\w+) .+ \(open room\); (\w+) .+ "
        r"\(closed room\)$",
        tried.out,
        re.MULTILINE,
    )
    assert len(told) == 5
    assert {frozenset(names) for names in told} == {frozenset({"mine", "steady"})}
    (shown,) = re.findall(r"card by card: \S+ (replay .*)", tried.out)
    with chdir(tried.directory):
        assert upcard(*shown.split()).code == 0


def test_the_matches_are_kept_duel_by_duel(tried: Ran) -> None:
    records = list(read_records(tried.logs("mine-vs-steady", "duels.jsonl")))
    assert [record.dealt[1] for record in records] == [
        f"duel/euchre/1-2/{number}" for number in (1, 1, 2, 2, 3, 3)
    ]


def test_the_matches_can_be_replayed(tried: Ran, upcard: Upcard) -> None:
    said = upcard("replay", tried.logs("mine-vs-steady", "duels.jsonl"), "--check")
    assert (said.code, "6 matches" in said.out) == (0, True)


def test_what_a_bot_wrote_is_kept_for_each_seat(tried: Ran) -> None:
    written = tried.logs("mine-vs-steady", "output")
    assert len(list(written.iterdir())) == 8
    assert re.search(
        r"^\[duel \d, open room, hand \d+, move \d+, turn \d+\] euchre, playing: hand",
        (written / "mine-north.log").read_text(),
        re.MULTILINE,
    )


def test_what_a_bot_logged_stands_beside_its_decision_in_the_replay(
    tried: Ran, upcard: Upcard
) -> None:
    told = upcard("replay", tried.logs("mine-vs-steady", "duels.jsonl"), 2, "--room", "closed").out
    plays = re.findall(
        r"^  trick \d, (\w+) plays (\w+)\n    euchre, playing: hand (.+), trump", told, re.MULTILINE
    )
    assert len(plays) > 10
    assert {seat for seat, *_ in plays} == {"East", "West"}  # where it sits in the closed room
    assert all(card in hand.split() for _, card, hand in plays)


def test_a_seat_s_replay_has_only_what_that_seat_logged(tried: Ran, upcard: Upcard) -> None:
    words = ("--room", "closed", "--seat", "E")
    told = upcard("replay", tried.logs("mine-vs-steady", "duels.jsonl"), 2, *words).out
    assert {*re.findall(r"^  trick \d, (\w+) plays", told, re.MULTILINE)} == {"East"}


def test_what_held_of_the_sandbox_is_kept(tried: Ran) -> None:
    kept = tried.logs("mine-vs-steady", "guarantees.json").read_text()
    assert '"sandboxed": true' in kept
    assert '"level": "enforced"' in kept


def test_a_fault_is_told_with_its_place_and_its_traceback_s_last_line(crashed: Ran) -> None:
    assert (crashed.code, crashed.err) == (3, "")
    assert "mine: CRASHED" in crashed.out
    assert re.search(
        r"^  duel \d, \w+ room, hand 1, \w+: its process ended", crashed.out, re.MULTILINE
    )
    assert "the last line it wrote: ZeroDivisionError" in crashed.out


def test_a_fault_is_kept_in_a_bundle(crashed: Ran) -> None:
    (bundle, *_) = re.findall(r"upcard fault show (\S+)", crashed.out)
    assert (crashed.directory / bundle).exists()


def test_the_same_seed_gives_the_same_matches(tried: Ran, tmp_path: Path) -> None:
    write_bot(tmp_path / "mine", FIRST)
    again = run(tmp_path, "try", tmp_path / "mine", "--duels", 3, "--seed", SEED)
    first, second = (
        ran.logs("mine-vs-steady", "duels.jsonl").read_text() for ran in (tried, again)
    )
    assert first == second


def test_the_bot_of_the_guide_does_as_well_as_the_guide_says(tmp_path: Path) -> None:
    bot = tmp_path / "mine"
    bot.mkdir()
    guide = GUIDE.read_text()
    for language, file in (("toml", "bot.toml"), ("python", "bot.py")):
        (text,) = re.findall(rf"```{language}\n(.*?)```", guide, re.DOTALL)
        (bot / file).write_text(text)
    (shown,) = re.findall(r"^    seed (\w+)\n((?:    .+\n)+)", guide, re.MULTILINE)
    ran = run(tmp_path, "try", "mine", "--against", "random", "--seed", shown[0])
    lines = [line.strip() for line in ran.out.splitlines()]
    assert [line for line in shown[1].splitlines() if line.strip() not in lines] == []


def test_the_store_is_kept_where_it_is_told_to_be(upcard: Upcard, tmp_path: Path) -> None:
    words = ("--duels", 1, "--unsafe-no-sandbox", "--keep", tmp_path / "kept")
    assert run(tmp_path, "try", "random", *words).code == 0
    kept = upcard("replay", "duel", 1, "--db", tmp_path / "kept" / "upcard.db")
    assert (kept.code, "Duel 1, open room: random North-South" in kept.out) == (0, True)


def test_logs_take_the_place_of_older_logs(crashed: Ran, tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    crashed.logs("mine-vs-steady").rename(logs)
    try:
        ran = run(tmp_path, "try", "random", "--against", "random", "--duels", 1, "--logs", logs)
        assert (ran.code, sorted(path.name for path in logs.iterdir())) == (
            0,
            ["duels.jsonl", "guarantees.json", "output", "result.json"],
        )
    finally:
        logs.rename(crashed.logs("mine-vs-steady"))


def test_a_directory_that_holds_something_else_is_no_place_for_logs(
    upcard: Upcard, tmp_path: Path
) -> None:
    bot = write_bot(tmp_path / "mine", FIRST)
    said = upcard("try", bot, "--logs", bot)
    assert said.code == 2
    assert "holds bot.py, which is no log of duels; name another with --logs" in said.err
    assert (bot / "bot.py").exists()


def test_without_a_sandbox_every_result_says_so(tmp_path: Path) -> None:
    ran = run(tmp_path, "try", "random", "--duels", 1, "--unsafe-no-sandbox")
    assert "UNSANDBOXED: random against steady" in ran.out


EXAMPLES = ", ".join(example_names())
WRONG = {
    "nobody": "there is no bot 'nobody'; name the directory with its bot.toml, or choose an "
    f"example: {EXAMPLES}",
    "Steady": "there is no bot 'Steady'; did you mean steady?",
    "empty": f"empty has no bot.toml; write one, or choose an example: {EXAMPLES}",
    "mine/bot.py": "mine/bot.py is not a directory; name the one with its bot.toml, or choose an "
    f"example: {EXAMPLES}",
}


@pytest.mark.parametrize("name", WRONG)
def test_a_bot_that_is_not_there_is_refused_with_what_there_is(
    upcard: Upcard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    write_bot(tmp_path / "mine", FIRST)
    (tmp_path / "empty").mkdir()
    said = upcard("try", name)
    assert (said.code, said.out, said.err) == (2, "", f"upcard: {WRONG[name]}\n")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--game", "whist"), "mine does not play whist; its bot.toml names euchre"),
        (("--json", "--csv"), "choose one of --json and --csv"),
        (("--rule", "alone"), "a rule is given as name=value, not 'alone'"),
    ],
)
def test_what_cannot_be_played_is_refused_in_one_line(
    upcard: Upcard, tmp_path: Path, words: tuple[str, ...], says: str
) -> None:
    said = upcard("try", write_bot(tmp_path / "mine", FIRST), *words, "--logs", tmp_path / "logs")
    assert (said.code, said.out, said.err) == (2, "", f"upcard: {says}\n")


MISSING = Guarantee("network", "missing", "", "no namespace", "install bubblewrap")


def test_a_bot_with_a_link_to_something_else_is_refused_before_it_plays(
    upcard: Upcard, tmp_path: Path
) -> None:
    bot = write_bot(tmp_path / "mine", FIRST)
    (bot / "secret").symlink_to("/etc/shadow")
    said = upcard("try", bot, "--logs", tmp_path / "logs")
    assert (said.code, "is a link that leads out of the bundle" in said.err) == (2, True)


def test_copies_of_one_who_was_killed_are_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    left = tmp_path / "upcard-bots-left"
    left.mkdir()
    mine = write_bot(tmp_path / "mine", FIRST)
    with candidates([mine], datetime.now(UTC)):
        assert not left.exists()


def test_a_bot_that_is_too_large_is_not_even_copied(
    upcard: Upcard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def copied(*_: object, **__: object) -> None:
        raise AssertionError

    monkeypatch.setattr("referee.bots.copying.copy_tree", copied)
    bot = write_bot(tmp_path / "mine", FIRST)
    (bot / "weights").touch()
    os.truncate(bot / "weights", MOST_BYTES + 1)
    said = upcard("try", bot, "--logs", tmp_path / "logs")
    assert said.code == 2
    assert said.err.startswith(f"upcard: {bot}: a bundle holds at most 256 MiB; most of it")


def test_file_names_cannot_reach_the_terminal(upcard: Upcard, tmp_path: Path) -> None:
    bot = write_bot(tmp_path / "mine\x1b]0;pwn\x07", FIRST)
    os.mkfifo(bot / "pipe")
    said = upcard("try", bot, "--logs", tmp_path / "logs")
    assert (said.code, "mine?]0;pwn?" in said.err, "\x1b" in said.err) == (2, True, False)


def test_voids_are_told_once_for_each_reason(capsys: pytest.CaptureFixture[str]) -> None:
    reasons = ("killed", "killed", "starved", "killed", "starved")
    keys = [DuelKey(1, 2, number) for number in (0, 1, 2, 3, 2)]
    now = datetime.now(UTC)
    voids = [StoredVoid(key, reason, now) for key, reason in zip(keys, reasons, strict=True)]
    print_voids(voids, [DuelKey(1, 2, 2)])
    assert capsys.readouterr().out.splitlines() == [
        "3 duels were void and played again, by nobody's fault: killed",
        "1 duel was void and played again, by nobody's fault: starved",
        "1 duel could not be played, by nobody's fault: starved",
    ]


def test_a_missing_guarantee_stops_play_and_says_what_to_do() -> None:
    with pytest.raises(ConfigError) as refused:
        refuse_missing([MISSING], [])
    assert str(refused.value) == (
        "the sandbox lacks guarantees: network: no namespace (install bubblewrap); "
        "or play all the same: --accept-weak network"
    )


def test_a_missing_guarantee_can_be_accepted_by_its_name() -> None:
    refuse_missing([MISSING], ["network"])


def test_only_a_guarantee_that_exists_can_be_accepted() -> None:
    with pytest.raises(ConfigError, match="there is no guarantee 'net'; choose from network"):
        refuse_missing([MISSING], ["net"])


@pytest.fixture
def temporary() -> Iterator[Path]:
    """Return a directory for what is temporary, with a path short enough for sockets."""
    with TemporaryDirectory(prefix="t-") as directory:
        yield Path(directory)


def parents(referee: int) -> dict[int, int]:
    """Return the parent of every process that has come of a referee."""
    found: dict[int, int] = {}
    waiting = [referee]
    for process in waiting:
        # All that starts others here has one thread, or starts them from its first.
        told = what_is_told(Path("/proc", str(process), "task", str(process), "children"))
        children = [int(number) for number in told.split()]
        found |= dict.fromkeys(children, process)
        waiting += children
    return found


def what_is_told(file: Path) -> str:
    """Read what the kernel tells of a process, nothing if that has gone."""
    try:
        return file.read_text()
    except OSError:
        return ""


def ends(process: int) -> bool:
    """Wait for the end of a process that is not ours; the last one hears of it by a pipe."""
    try:
        process = os.pidfd_open(process)
    except ProcessLookupError:
        return True
    ready, _, _ = select([process], [], [], 20)
    os.close(process)
    return bool(ready)


def asked(referee: int) -> list[int]:
    """List the processes in whose sandboxes a bot has been asked for a decision."""
    return [process for process in parents(referee) if was_asked(process)]


def was_asked(process: int) -> bool:
    with suppress(ProcessLookupError):  # it may end while it is looked at
        return Path("/proc", str(process), "root/tmp/asked").exists()
    return False


def sandbox_of(referee: int, process: int) -> int:
    """Find the outermost process of a sandbox, which bubblewrap keeps outside of it."""
    above = parents(referee)
    while process in asked(referee):
        process = above[process]
    return process


@contextmanager
def playing(directory: Path, temporary: Path) -> Iterator["subprocess.Popen[str]"]:
    """Start a slow bot's duels, and wait until it is asked."""
    write_bot(directory / "mine", THINKS)
    with subprocess.Popen(
        [*UPCARD, "try", "mine", "--duels", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=directory,
        env=environment() | {"TMPDIR": str(temporary)},
        start_new_session=True,
    ) as running:
        try:
            until(lambda: bool(asked(running.pid)) or running.poll() is not None)
            assert running.poll() is None
            yield running
        finally:
            running.kill()


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_it_with_130_and_leaves_nothing(
    tmp_path: Path, temporary: Path, sent: int
) -> None:
    """The whole group hears it, as when somebody types Ctrl-C."""
    with playing(tmp_path, temporary) as running:
        processes = parents(running.pid)
        os.killpg(running.pid, sent)
        _, err = running.communicate()
    assert (running.returncode, without_progress(err)) == (130, "upcard: interrupted\n")
    assert len(processes) >= 8
    assert [each for each in processes if not ends(each)] == []
    assert list(temporary.iterdir()) == []
    assert [each for each in groups() if each.name.startswith(f"upcard-{running.pid}-")] == []


def test_a_sandbox_that_is_killed_from_outside_is_nobody_s_fault(
    tmp_path: Path, temporary: Path
) -> None:
    with playing(tmp_path, temporary) as running:
        os.kill(sandbox_of(running.pid, asked(running.pid)[0]), signal.SIGKILL)
        out, err = running.communicate()
    assert (running.returncode, without_progress(err)) == (0, "")
    assert "void and played again, by nobody's fault: its sandbox was killed" in out
