"""The organiser's commands: what they change, what they print, and what they refuse."""

import csv
import json
from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from referee.hosting.credentials import signer_of
from referee.store.accounts import find_account
from referee.store.database import Store, writing
from referee.store.jobs import claim, fail
from referee.store.ladders import ladder_entrants
from referee.store.submissions import submission
from tests.cli.bots import Said, said
from tests.hosting.conftest import MakeAccount
from tests.hosting.played_ladders import PlayedLadder, play_at_once
from tests.store.hosting_scenes import NOW, bot, hand_in

Run = Callable[..., Said]


@pytest.fixture
def run(store: Store) -> Run:
    """Return what runs a command on the store."""
    return lambda *words: said(*words, "--db", store.location)


def fine(found: Said) -> str:
    assert found.code == 0, found.err
    return found.out


def listed(found: Said) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(fine(found))
    return rows


@pytest.fixture
def spring(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PlayedLadder:
    play_at_once(monkeypatch)
    made = PlayedLadder(store, tmp_path)
    made.house(1, 2)
    return made


# Accounts


def test_an_invitation_is_a_link_of_the_host(store: Store, run: Run) -> None:
    link = fine(run("accounts", "invite", "Ada", "--url", "https://cards.example.org"))
    assert link.startswith("https://cards.example.org/invitation#")
    assert find_account(store, "ada").password is None
    assert signer_of(store)


def test_a_roster_is_imported_with_a_link_for_each(run: Run, tmp_path: Path) -> None:
    roster = tmp_path / "roster.csv"
    roster.write_text("login,name,group\nada,Ada L.,a\nbert,Bert,b\n")
    rows = [*csv.DictReader(StringIO(fine(run("accounts", "import", roster))))]
    assert [row["login"] for row in rows] == ["ada", "bert"]
    assert len({row["link"] for row in rows}) == 2
    assert [row["group"] for row in listed(run("accounts", "list", "--json"))] == ["a", "b"]


def test_a_roster_that_cannot_be_read_is_named(run: Run, tmp_path: Path) -> None:
    found = run("accounts", "import", tmp_path / "none.csv")
    assert found.code == 2
    assert "none.csv: No such file" in found.err


def test_an_account_is_disabled_enabled_and_promoted(run: Run, account: MakeAccount) -> None:
    account("ada")
    fine(run("accounts", "disable", "ada"))
    assert listed(run("accounts", "list", "--json"))[0]["state"] == "disabled"
    fine(run("accounts", "enable", "ada"))
    fine(run("accounts", "role", "ada", "organiser"))
    (only,) = listed(run("accounts", "list", "--json"))
    assert (only["state"], only["role"]) == ("invited", "organiser")


def test_who_has_an_account_is_invited_as_what_she_is(run: Run, account: MakeAccount) -> None:
    account("ada", "organiser")
    fine(run("accounts", "invite", "ada"))
    fine(run("accounts", "invite", "ada", "--role", "organiser"))
    assert "with another role" in run("accounts", "invite", "ada", "--role", "admin").err


@pytest.mark.parametrize("url", ["ftp://x", "http://[", "cards.example.org", ""])
def test_links_begin_with_a_url_of_a_host(run: Run, url: str) -> None:
    assert "is no URL of a host" in run("accounts", "invite", "ada", "--url", url).err
    assert listed(run("accounts", "list", "--json")) == []


def test_a_deleted_account_keeps_no_name(run: Run, account: MakeAccount) -> None:
    account("ada")
    fine(run("accounts", "delete", "ada", "--yes"))
    (only,) = listed(run("accounts", "list", "--json"))
    assert (only["login"], only["name"], only["state"]) == ("deleted-1", "deleted 1", "deleted")


def test_what_is_for_good_is_asked_for(run: Run, account: MakeAccount) -> None:
    account("ada")
    refused = run("accounts", "delete", "ada")
    assert (refused.code, "add --yes" in refused.err) == (2, True)
    assert [row["login"] for row in listed(run("accounts", "list", "--json"))] == ["ada"]


# The desk


def test_who_handed_in_what_is_listed(run: Run, spring: PlayedLadder, account: MakeAccount) -> None:
    spring.accepted(account("ada"), 3)
    hand_in(spring.store, account("bert"), spring.ladder, 4, "other")
    rows = listed(run("desk", "submissions", "--json"))
    assert [(row["login"], row["state"]) for row in rows] == [
        ("bert", "received"),
        ("ada", "active"),
    ]
    (only,) = listed(run("desk", "submissions", "--login", "ada", "--json"))
    assert only["name"] == "mine"
    (waiting,) = listed(run("desk", "queue", "--json"))
    assert (waiting["what"], waiting["subject"], waiting["state"]) == ("examine", 2, "queued")


def test_what_was_given_up_is_listed_with_the_cause(
    run: Run, spring: PlayedLadder, account: MakeAccount
) -> None:
    hand_in(spring.store, account("ada"), spring.ladder, 4)
    for days in range(1, 4):
        now = NOW + timedelta(days=days)
        job = claim(spring.store, ["examine"], now)
        assert job
        with writing(spring.store) as connection:
            fail(connection, job, "no disk", now)
    (only,) = listed(run("desk", "queue", "--json"))
    assert (only["state"], only["failures"], only["error"]) == ("failed", 3, "no disk")


@pytest.mark.parametrize(("word", "state"), [("ban", "banned"), ("suspend", "suspended")])
def test_a_bot_is_stopped_for_a_reason_until_that_is_lifted(
    run: Run, spring: PlayedLadder, account: MakeAccount, word: str, state: str
) -> None:
    found = spring.accepted(account(), 3)
    assert run("desk", word, found.id, "--why", " ").code == 2
    fine(run("desk", word, found.id, "--why", "copied"))
    stopped = submission(spring.store, found.id)
    assert (stopped.state, stopped.reason) == (state, "copied")
    assert ladder_entrants(spring.store, spring.ladder)[2].state == state
    fine(run("desk", "lift", found.id))
    assert ladder_entrants(spring.store, spring.ladder)[2].state == "resting"


def test_what_was_not_accepted_is_examined_again(
    run: Run, spring: PlayedLadder, account: MakeAccount
) -> None:
    spring.accepted(account(), 3)
    assert "queued: none" in fine(run("desk", "examine", "--latest", "spring"))
    assert run("desk", "examine", 1).err.startswith("upcard: submission 1 is active")
    assert "--latest LADDER" in run("desk", "examine").err


def test_announcements_are_shown_until_withdrawn(run: Run) -> None:
    fine(run("desk", "announce", "The final begins at noon"))
    (only,) = listed(run("desk", "announcements", "--json"))
    assert only["text"] == "The final begins at noon"
    fine(run("desk", "withdraw", only["id"]))
    assert listed(run("desk", "announcements", "--json")) == []


def test_settings_are_changed_and_set_back(run: Run) -> None:
    fine(run("desk", "settings", "daily", "5"))
    fine(run("desk", "settings", "open_registration", "on"))
    shown = {row["name"]: row["value"] for row in listed(run("desk", "settings", "--json"))}
    assert (shown["daily"], shown["open_registration"]) == (5, True)
    fine(run("desk", "settings", "daily"))
    shown = {row["name"]: row["value"] for row in listed(run("desk", "settings", "--json"))}
    assert shown["daily"] == 10
    assert "daily is a whole number" in run("desk", "settings", "daily", "many").err
    assert "choose daily" in run("desk", "settings", "dialy", "5").err


def test_the_audit_log_has_every_action(run: Run, account: MakeAccount) -> None:
    account("ada")
    fine(run("desk", "announce", "Hello"))
    rows = listed(run("desk", "audit", "--json"))
    assert [row["action"] for row in rows] == ["announce", "add account"]


# Ladders and courses


def test_a_ladder_is_made_listed_and_frozen(run: Run, store: Store, tmp_path: Path) -> None:
    bot(store, tmp_path, 1, "steady")
    fine(run("ladder", "create", "spring", "--house", "steady", "--interval", "5m"))
    (only,) = listed(run("ladder", "list", "--json"))
    assert (only["ladder"], only["state"], only["bots"]) == ("spring", "open", 1)
    fine(run("ladder", "freeze", "spring"))
    assert listed(run("ladder", "list", "--json"))[0]["state"] == "frozen"
    assert run("ladder", "create", "spring").code == 2


def test_a_course_is_graded_by_who_beats_which_house_bot(
    run: Run, spring: PlayedLadder, account: MakeAccount
) -> None:
    spring.wild["house-2"] = 1.0
    spring.accepted(account("ada"), 3)
    account("bert")
    for _ in range(6):
        spring.later(minutes=10)
    thresholds = ("--beat", "house-2=60@0.5", "--beat", "house-1=100@0.9999")
    words = ("assignments", "add", "first", "--ladder", "spring", "--due", f"{NOW:%Y-%m-%d}")
    fine(run(*words, *thresholds))
    graded = [*csv.DictReader(StringIO(fine(run("grades", "first", "--csv"))))]
    assert [(row["login"], float(row["points"])) for row in graded] == [("ada", 60), ("bert", 0)]
    assert 0.5 < float(graded[0]["beats_house-2"]) < 1
    assert "is no house bot of spring" in run(*words, "--beat", "steady=1").err
    fine(run("assignments", "remove", "first"))
    assert listed(run("assignments", "list", "--json")) == []
