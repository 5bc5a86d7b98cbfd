"""`upcard league`: from nothing to a table that was published, as an organiser would."""

import io
import json
import zlib
from datetime import UTC, datetime
from pathlib import Path

import pytest

from referee.cli import league_play
from referee.examination.admission import candidates
from referee.ratings.stopping import Until
from referee.scheduling.keys import DuelKey
from referee.store.bots import add_bot
from referee.store.chain import START, chained
from referee.store.leagues import league, set_state, suspend, withdraw
from referee.store.leases import lease
from referee.store.models import NEVER_STARTED, Suspension
from referee.store.opening import open_store
from tests.cli.bots import FIRST, run, write_bot
from tests.cli.conftest import Upcard
from tests.cli.leagues import bots, write_league

NOW = datetime(2026, 5, 1, tzinfo=UTC)
SEED = "5a" * 32


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a directory whose store has three bots: one, two, and one of whist."""
    monkeypatch.chdir(tmp_path)
    bots = {"one": FIRST, "two": "return legal[-1]", "whister": FIRST}
    games = {"whister": "whist"}
    written = [
        write_bot(tmp_path / name, choose, name=name, games=games.get(name, "euchre"))
        for name, choose in bots.items()
    ]
    with (
        open_store(str(tmp_path / "upcard.db"), create=True) as store,
        candidates(written, NOW) as handed_in,
    ):
        for candidate in handed_in:
            add_bot(store, candidate.bot, candidate.entrant.bundle)
    return tmp_path


@pytest.mark.slow
def test_a_league_is_made_run_and_published(upcard: Upcard, place: Path) -> None:
    words = ("--bot", "one", "--bot", "two", "--duels", 4, "--ready-limit", 60)
    assert upcard("league", "create", "spring", *words, "--decision-limit", 20).code == 0
    played = run(place, "league", "run", "spring", "--json")
    assert played.code == 0
    said = played.json()
    assert (said["state"], said["played"], said["planned"]) == ("complete", 4, 4)
    exported = upcard("league", "export", "spring", "published")
    assert said["export_digest"] in exported.out
    assert upcard("verify", "published", "--digest", said["export_digest"]).code == 0


def test_a_plan_is_what_was_asked_for(upcard: Upcard, place: Path) -> None:
    words = ("--rule", "alone=off", "--duels", 32, "--block", 16, "--policy", "substitute:3")
    more = ("--until-separated", 0.9, "--by", "points", "--bank", 60, "--ask-forced", "--strict")
    assert upcard("league", "create", "spring", *words, *more).code == 0
    with open_store(str(place / "upcard.db")) as store:
        plan = league(store, "spring").plan
    assert plan.terms.game.rules._asdict()["alone"] is False
    assert (plan.duels, plan.block, plan.until) == (32, 16, Until(0.9, "points"))
    assert (plan.terms.policy.forfeit_at, plan.terms.at_least) == (3, 1)
    assert (plan.terms.limits.bank, plan.terms.beat) == (60, 0.05)


def test_a_league_may_stop_when_its_first_places_are_sure(upcard: Upcard, place: Path) -> None:
    assert upcard("league", "create", "spring", "--until", "top:2").code == 0
    with open_store(str(place / "upcard.db")) as store:
        assert league(store, "spring").plan.until == Until(0.95, "rating", top=2)


def test_only_those_may_play_on_who_are_not_told_apart(upcard: Upcard, place: Path) -> None:
    assert upcard("league", "create", "spring", "--until", "top:2", "--adaptive").code == 0
    with open_store(str(place / "upcard.db")) as store:
        assert league(store, "spring").plan.until == Until(0.95, "rating", 2, adaptive=True)


@pytest.mark.parametrize("text", ["top", "top:0", "top:x", "first:2", "top:-1"])
def test_it_stops_at_nothing_else(upcard: Upcard, text: str) -> None:
    found = upcard("league", "create", "spring", "--until", text)
    assert (found.code, "top:3" in found.err) == (2, True)


def test_the_size_of_visits_is_chosen_while_it_runs_unless_it_is_asked_for(
    upcard: Upcard, place: Path
) -> None:
    upcard("league", "create", "spring")
    with open_store(str(place / "upcard.db")) as store:
        assert league(store, "spring").plan.block == 0


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("spring", "--bot", "nobody"), "nobody"),
        (("spring", "--bot", "whister"), "whister does not play euchre; its bot.toml names whist"),
        (("spring", "--bot", "one", "--bot", "one"), "enter each bot once"),
        (("spring/../x",), "a league's name is letters"),
        (("spring", "--policy", "mercy"), "a policy is 'forfeit' or 'substitute:N', not 'mercy'"),
        (("spring", "--policy", "substitute:0"), "a policy is"),
        (("spring", "--duels", 0), "--duels"),
        (("spring", "--rule", "aces=high"), "aces"),
        (("spring", "--by", "rating"), "--until-separated"),
        (("spring", "--adaptive"), "--adaptive is for --until-separated and --until"),
        (("spring", "--beat", 0.05), "--strict"),
    ],
)
@pytest.mark.usefixtures("place")
def test_a_league_that_cannot_be_is_refused(
    upcard: Upcard, words: tuple[object, ...], why: str
) -> None:
    said = upcard("league", "create", *words)
    assert said.code == 2
    assert why in said.err
    assert said.err.count("\n") == 1


@pytest.mark.usefixtures("place")
def test_a_name_is_taken_once(upcard: Upcard) -> None:
    assert upcard("league", "create", "spring").code == 0
    said = upcard("league", "create", "spring")
    assert (said.code, "there is a league spring already" in said.err) == (2, True)


@pytest.mark.usefixtures("place")
def test_how_many_play_at_a_time_is_not_for_the_coordinator_to_say(upcard: Upcard) -> None:
    upcard("league", "create", "spring", "--bot", "one", "--bot", "two")
    refused = upcard("league", "run", "--cluster", "tcp://127.0.0.1", "--jobs", 2)
    assert refused.code == 2
    assert "--jobs is for this machine; each 'upcard worker' has its own" in refused.err


@pytest.mark.usefixtures("place")
def test_a_dry_run_tells_what_would_be_played_and_plays_nothing(upcard: Upcard) -> None:
    upcard("league", "create", "spring", "--bot", "one", "--bot", "two", "--duels", 10)
    said = upcard("league", "run", "--dry-run", "--json")
    forecast = json.loads(said.out)
    del forecast["most_seconds"]
    assert forecast == {"pairings": 1, "duels": 10, "sessions": 1, "seconds": None}
    assert json.loads(upcard("league", "status", "--json").out)[0]["played"] == 0


@pytest.mark.usefixtures("place")
def test_a_dry_run_tells_how_long_the_limits_let_bots_take(upcard: Upcard) -> None:
    terms = ("--duels", 10, "--bank", 30, "--ready-limit", 5)
    upcard("league", "create", "spring", "--bot", "one", "--bot", "two", *terms)
    forecast = json.loads(upcard("league", "run", "--dry-run", "--json", "--jobs", 1).out)
    # Two rooms of four seats a duel, and two starts of the only session.
    assert forecast["most_seconds"] == 10 * 2 * 4 * 30 + 2 * 5
    said = upcard("league", "run", "--dry-run", "--jobs", 1).out
    assert "the time limits allow 0:40:10, if every bot uses all of its time" in said


@pytest.mark.usefixtures("place")
def test_a_bank_is_fifteen_times_the_decision_limit_unless_it_is_chosen(
    upcard: Upcard, place: Path
) -> None:
    for name, chosen in (("usual", ()), ("none", ("--bank", 0))):
        upcard("league", "create", name, "--decision-limit", 2, *chosen)
    with open_store(str(place / "upcard.db")) as store:
        banks = [league(store, name).plan.terms.limits.bank for name in ("usual", "none")]
    assert banks == [30, 0]


@pytest.mark.usefixtures("place")
def test_a_league_of_one_is_refused_with_what_to_do(upcard: Upcard) -> None:
    upcard("league", "create", "spring", "--bot", "one")
    said = upcard("league", "run")
    assert (said.code, "upcard league add-bot spring BOT" in said.err) == (2, True)


@pytest.mark.usefixtures("place")
def test_who_enters_later_is_shown_as_not_begun(upcard: Upcard) -> None:
    upcard("league", "create", "spring", "--bot", "one")
    assert (
        "two is entered in spring; play on: upcard league run spring"
        in upcard("league", "add-bot", "spring", "two").out
    )
    (status,) = json.loads(upcard("league", "status", "--json").out)
    assert [(each["name"], each["epoch"]) for each in status["entrants"]] == [
        ("one", 0),
        ("two", 0),
    ]


def test_who_withdraws_is_listed_apart(upcard: Upcard, tmp_path: Path) -> None:
    place = tmp_path / "upcard.db"
    write_league(place)
    assert upcard("league", "withdraw", "club", "bert", "--yes", "--db", place).code == 0
    said = json.loads(upcard("ratings", "--json", "--db", place).out)
    assert [each["why"] for each in said["apart"]] == ["withdrawn"]


def withdrawn(upcard: Upcard, place: Path) -> list[int]:
    (said,) = json.loads(upcard("league", "status", "--json", "--db", place).out)
    return [each["number"] for each in said["entrants"] if each["withdrawn"]]


def test_a_withdrawal_is_taken_back(upcard: Upcard, tmp_path: Path) -> None:
    place = tmp_path / "upcard.db"
    write_league(place)
    before = upcard("ratings", "--csv", "--db", place)
    upcard("league", "withdraw", "club", "bert", "--yes", "--db", place)
    said = upcard("league", "reinstate", "club", "bert", "--db", place)
    assert (said.code, said.out.splitlines()[0]) == (
        0,
        "bert is in club again; play on: upcard league run club",
    )
    assert upcard("ratings", "--csv", "--db", place) == before


@pytest.mark.slow
def test_a_suspension_is_shown_and_taken_back(upcard: Upcard, tmp_path: Path) -> None:
    place = tmp_path / "upcard.db"
    write_league(place, duels=12, faulty={2})
    shown = upcard("league", "status", "--db", place).out
    assert "after duel 10: at fault in 10 of 10 duels" in shown
    said = json.loads(upcard("league", "status", "--json", "--db", place).out)
    (found,) = [each["suspended"] for each in said[0]["entrants"] if each["suspended"]]
    assert (found["after"], found["reason"]) == (10, "at fault in 10 of 10 duels")
    assert upcard("league", "reinstate", "club", "bert", "--db", place).code == 0
    assert json.loads(upcard("ratings", "--json", "--db", place).out)["apart"] == []


def test_who_was_not_withdrawn_cannot_be_reinstated(upcard: Upcard, tmp_path: Path) -> None:
    place = tmp_path / "upcard.db"
    write_league(place)
    said = upcard("league", "reinstate", "club", "bert", "--db", place)
    assert (said.code, "bert was not withdrawn" in said.err) == (2, True)


@pytest.mark.slow
@pytest.mark.parametrize("number", ["0", "1", "2", "3", "9" * 20, "9" * 5000])
def test_a_number_names_no_entrant(upcard: Upcard, tmp_path: Path, number: str) -> None:
    place = tmp_path / "upcard.db"
    write_league(place)
    said = upcard("league", "withdraw", "club", number, "--yes", "--db", place)
    assert (said.code, said.err.count("\n"), "those are ada, bert" in said.err) == (2, 1, True)
    assert withdrawn(upcard, place) == []


def test_a_bot_whose_name_is_a_number_is_named_so(upcard: Upcard, tmp_path: Path) -> None:
    place = tmp_path / "upcard.db"
    write_league(place, [("ada", "1"), ("1", "1")])
    assert upcard("league", "withdraw", "club", "1", "--yes", "--db", place).code == 0
    assert withdrawn(upcard, place) == [2]


def test_where_two_share_a_name_the_version_says_which(upcard: Upcard, tmp_path: Path) -> None:
    place = tmp_path / "upcard.db"
    write_league(place, [("ada", "1"), ("ada", "2")])
    said = upcard("league", "withdraw", "club", "ada", "--yes", "--db", place)
    assert (said.code, "may be any of ada@1, ada@2" in said.err) == (2, True)
    assert upcard("league", "withdraw", "club", "ada@2", "--yes", "--db", place).code == 0
    assert withdrawn(upcard, place) == [2]


def test_where_nobody_can_answer_a_withdrawal_needs_yes(upcard: Upcard, tmp_path: Path) -> None:
    place = tmp_path / "upcard.db"
    write_league(place)
    said = upcard("league", "withdraw", "club", "bert", "--db", place)
    assert (said.code, "add --yes" in said.err) == (2, True)
    assert withdrawn(upcard, place) == []


@pytest.mark.slow
@pytest.mark.parametrize(("answer", "gone"), [("y\n", [2]), ("n\n", []), ("\n", []), ("", [])])
def test_on_a_terminal_a_withdrawal_is_asked_for(
    upcard: Upcard,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    answer: str,
    gone: list[int],
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    place = tmp_path / "upcard.db"
    write_league(place)
    monkeypatch.setattr("sys.stdin", Terminal(answer))
    said = upcard("league", "withdraw", "club", "bert", "--db", place)
    assert "Withdraw bert from club?" in said.out + said.err
    assert withdrawn(upcard, place) == gone


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [("withdraw", "bert", "--yes"), ("reinstate", "bert"), ("add-bot", "two")],
)
def test_a_complete_league_is_changed_only_by_opening_it_again(
    upcard: Upcard, place: Path, words: tuple[str, ...]
) -> None:
    command, entrant, *more = words
    db = place / "upcard.db"
    write_league(db)
    with open_store(str(db)) as store:
        if command == "reinstate":
            withdraw(store, "club", 2, NOW)
        with lease(store, "club") as own:
            set_state(store, own, "complete")
    before = upcard("ratings", "--json")
    refused = upcard("league", command, "club", entrant, *more)
    assert (refused.code, "--reopen" in refused.err) == (2, True)
    assert upcard("ratings", "--json") == before
    changed = upcard("league", command, "club", entrant, *more, "--reopen")
    assert (changed.code, "club was complete and is open again" in changed.out) == (0, True)
    assert json.loads(upcard("ratings", "--json").out)["state"] == "open"


@pytest.mark.slow
@pytest.mark.parametrize(("option", "code"), [((), 0), (("--strict-exit",), 3)])
def test_faults_end_a_run_with_an_exit_code_only_if_that_is_asked_for(
    upcard: Upcard,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    option: tuple[str, ...],
    code: int,
) -> None:
    place = tmp_path / "upcard.db"
    write_league(place, faulty={2})
    monkeypatch.setattr(league_play, "run_league", lambda *_: None)
    assert upcard("league", "run", *option, "--db", place).code == code


def test_a_league_in_which_all_but_one_are_suspended_ends_a_run_with_an_exit_code(
    upcard: Upcard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "upcard.db"
    write_league(place, duels=12, faulty={2})
    monkeypatch.setattr(league_play, "run_league", lambda *_: None)
    assert upcard("league", "run", "--db", place).code == 1


def test_duels_that_stay_unplayed_end_a_run_with_an_exit_code(
    upcard: Upcard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "upcard.db"
    write_league(place, voids=[DuelKey(1, 2, 0)] * 3)
    monkeypatch.setattr(league_play, "run_league", lambda *_: None)
    assert upcard("league", "run", "--db", place).code == 1


@pytest.mark.usefixtures("place")
def test_a_dry_run_of_a_league_of_one_is_refused_as_a_run_is(upcard: Upcard) -> None:
    upcard("league", "create", "spring", "--bot", "one")
    assert upcard("league", "run", "--dry-run") == upcard("league", "run")


def test_a_dry_run_of_a_closed_league_is_refused_as_a_run_is(
    upcard: Upcard, tmp_path: Path
) -> None:
    place = tmp_path / "upcard.db"
    write_league(place, played=1)
    upcard("league", "close", "club", "--db", place)
    dry = upcard("league", "run", "--dry-run", "--db", place)
    assert dry == upcard("league", "run", "--db", place)


def test_a_closed_league_shows_its_seed_and_is_final(upcard: Upcard, tmp_path: Path) -> None:
    place = tmp_path / "upcard.db"
    write_league(place, played=1)
    assert json.loads(upcard("ratings", "--json", "--db", place).out)["epochs"][0]["seed"] is None
    assert upcard("league", "close", "club", "--db", place).code == 0
    assert json.loads(upcard("ratings", "--json", "--db", place).out)["epochs"][0]["seed"]
    said = upcard("league", "run", "club", "--db", place)
    assert (said.code, "club is closed" in said.err) == (2, True)


def test_a_league_that_runs_cannot_be_closed(upcard: Upcard, tmp_path: Path) -> None:
    place = tmp_path / "upcard.db"
    write_league(place, played=1)
    with open_store(str(place)) as store, lease(store, "club"):
        said = upcard("league", "close", "club", "--db", place)
        (told,) = json.loads(upcard("league", "status", "club", "--json", "--db", place).out)
    assert (said.code, "is being run by process" in said.err) == (2, True)
    assert told["run_by"].startswith("process")


@pytest.mark.parametrize("command", ["run", "status", "close", "export"])
def test_without_a_store_it_says_how_to_make_one(
    upcard: Upcard, tmp_path: Path, command: str
) -> None:
    words = {"run": ["x"], "status": [], "close": ["x"], "export": ["x", "y"]}[command]
    said = upcard("league", command, *words, "--db", tmp_path / "none.db")
    assert (said.code, said.err.count("\n")) == (2, 1)
    assert "upcard bots add" in said.err


def test_the_head_that_is_shown_is_that_of_the_log(upcard: Upcard, tmp_path: Path) -> None:
    place = tmp_path / "upcard.db"
    write_league(place)
    log = json.loads(upcard("league", "log", "club", "--json", "--db", place).out)
    shown = f"The head of its log, at entry {len(log)}: {log[-1]['head']}\n"
    assert upcard("league", "status", "--db", place).out.endswith(shown)
    assert upcard("league", "log", "club", "--db", place).out.endswith(shown)


def test_the_log_as_json_is_the_chain(upcard: Upcard, tmp_path: Path) -> None:
    place = tmp_path / "upcard.db"
    write_league(place)
    log = json.loads(upcard("league", "log", "club", "--json", "--db", place).out)
    heads = [START, *(entry.pop("head") for entry in log)]
    assert [entry["kind"] for entry in log] == ["created", "epoch", "run", *["duel"] * 4]
    assert heads[1:] == [*map(chained, heads, log)]


def test_the_log_lists_what_was_done(upcard: Upcard, tmp_path: Path) -> None:
    place = tmp_path / "upcard.db"
    write_league(place, duels=10, faulty={2})
    said = upcard("league", "log", "club", "--db", place).out
    assert "1-2/10, digest" in said
    assert "entrant 2, after duel 10, reason at fault in 10 of 10 duels" in said


def test_an_export_is_an_entry_of_the_log_once(upcard: Upcard, tmp_path: Path) -> None:
    place = tmp_path / "upcard.db"
    write_league(place)
    for number in range(2):
        assert upcard("league", "export", "club", tmp_path / str(number), "--db", place).code == 0
    log = json.loads(upcard("league", "log", "club", "--json", "--db", place).out)
    assert [entry["kind"] for entry in log].count("exported") == 1


@pytest.mark.slow
def test_a_league_with_a_suspended_entrant_is_verified(upcard: Upcard, tmp_path: Path) -> None:
    place, directory = tmp_path / "upcard.db", tmp_path / "export"
    write_league(place, bots(["ada", "bert", "carl"]), duels=12, faulty={2}, given=True)
    upcard("league", "close", "club", "--db", place)
    upcard("league", "export", "club", directory, "--db", place)
    said = upcard("verify", directory)
    assert (said.code, said.err) == (0, ""), said.out
    exported = json.loads((directory / "league.json").read_text())["entrants"]
    assert [each["suspended"] for each in exported] == [None, 4, None]
    assert len((directory / "duels.jsonl").read_text().splitlines()) == 12 + 2 * 5


def test_what_the_author_of_a_bot_that_never_started_needs_is_saved_by_its_name(
    upcard: Upcard, tmp_path: Path
) -> None:
    place, file = tmp_path / "upcard.db", tmp_path / "fault.json"
    write_league(place)
    never = Suspension(2, NEVER_STARTED, "it never started", NOW, zlib.compress(b"evidence"))
    with open_store(str(place)) as store, lease(store, "club") as own:
        assert suspend(store, own, league(store, "club"), [never])
    assert upcard("fault", "save", "bert", file, "--db", place).code == 0
    assert file.read_text() == "evidence"
    said = upcard("fault", "save", "ada", tmp_path / "none.json", "--db", place)
    assert (said.code, "has no bundle" in said.err) == (2, True)
