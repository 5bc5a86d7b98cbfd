"""What `upcard login`, `submit` and the like ask of a host, and what they are answered."""

import io
import json
import zlib
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from starlette.testclient import TestClient

from referee.hosting.client import logins_file
from referee.hosting.examinations import BUILD_LOG, REPORT, fault_name
from referee.store import lifecycle
from referee.store.accounts import account_of_id, tokens
from referee.store.hosting_models import Account
from referee.store.jobs import claim
from referee.store.lifecycle import Examination
from referee.store.submissions import submission
from tests.cli.bots import FIRST, said, write_bot
from tests.store import hosting_scenes
from tests.web.host.scene import LADDER, PASSWORD, URL, Site

CARD = {
    "lines": [
        {"name": "plays to the end", "verdict": "pass", "says": "100 hands", "fault": None},
        {"name": "follows suit", "verdict": "fail", "says": "it did not\x1b[2J", "fault": 1},
    ]
}
FILES = {
    REPORT: json.dumps(CARD).encode(),
    BUILD_LOG: b"compiling\n\x1b[2Jdone\n",
    fault_name(1): zlib.compress(b'{"schema": 1}'),
}


@pytest.fixture
def author(site: Site) -> Account:
    return site.account("ada")


@pytest.fixture(autouse=True)
def _asks_in_process(
    site: Site, author: Account, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Connect the commands to the host in this process; nothing is kept on their machine yet."""
    del author

    def client(**how: object) -> TestClient:
        return TestClient(site.client.app, base_url=URL, headers=how["headers"])  # type: ignore[arg-type]

    monkeypatch.setattr(httpx2, "Client", client)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)


def typed(monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    """Type a line, as when a command asks for a secret."""
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{line}\n"))


@pytest.fixture
def _signed_in(site: Site, author: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    token = site.program(author, "read", "submit").token
    monkeypatch.setenv("UPCARD_HOST", URL)
    monkeypatch.setenv("UPCARD_TOKEN", token)


@pytest.fixture
def examined(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Examine what waits while somebody waits for it; return in which ways, the first first."""
    ways: list[str] = []

    def examine(_: float) -> None:
        store = site.host.store
        job = claim(store, ["examine"], site.now)
        assert job
        found = submission(store, job.subject)
        owner = account_of_id(store, found.account)
        going = Examination(job, found, owner, site.ladder)
        if ways.pop(0) == "rejected":
            lifecycle.reject(store, going, "it does not follow suit", site.now, FILES)
        else:
            bot = hosting_scenes.bot(store, tmp_path, found.id, found.name, found.version)
            lifecycle.accept(store, going, bot, FILES, site.now)

    monkeypatch.setattr("referee.cli.submit.time.sleep", examine)
    yield ways
    assert ways == []


# Signing in


def test_who_signs_in_by_a_password_keeps_a_token_for_her_eyes_only(
    site: Site, author: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed(monkeypatch, PASSWORD)
    answer = said("login", f"{URL}/", "--login", "ada")
    assert (answer.code, answer.out) == (0, f"signed in to {URL} as ada\n")
    kept = json.loads(logins_file().read_text())
    assert kept[URL].startswith("upc_")
    assert logins_file().stat().st_mode & 0o077 == 0
    assert kept[URL] not in answer.out + answer.err
    assert tokens(site.host.store, author)[0].scopes == ("read", "submit")
    assert said("submissions").code == 0
    assert said("logout").out == f"forgot {URL}\n"
    assert said("submissions").code == 2


def test_a_wrong_password_and_a_wrong_token_keep_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch, "wrong")
    assert "do not belong together" in said("login", URL, "--login", "ada").err
    typed(monkeypatch, "upc_wrong")
    assert "Sign in first" in said("login", URL).err
    assert not logins_file().exists()


# Handing in


@pytest.mark.usefixtures("_signed_in")
def test_a_bot_is_handed_in_and_waited_for(examined: list[str], tmp_path: Path) -> None:
    examined += ["rejected"]
    mine = write_bot(tmp_path / "mine", FIRST, name="weak")
    answer = said("submit", mine, "--wait")
    assert answer.code == 1
    number = answer.out.split()[1].rstrip(":")
    assert answer.out.splitlines()[0] == f"submission {number}: received"
    assert f"submission {number}, weak 1: rejected: it does not follow suit" in answer.out
    assert "FAIL  follows suit                     it did not?[2J" in answer.out
    assert "1 of 2 checks passed" in answer.out
    assert f"{URL}/submissions/{number}" in answer.out
    assert "\x1b" not in answer.out

    again = said("submit", mine, "--json")
    assert (again.code, json.loads(again.out)["is_new"]) == (1, False)

    shown = json.loads(said("submissions", "show", number, "--json").out)
    assert [each["state"] for each in shown["events"]] == ["received", "rejected"]
    assert shown["report"] == CARD
    assert said("logs", number).out == "compiling\n?[2Jdone\n"
    assert said("logs", number, "--fault", 1, "--out", "fault.json").code == 0
    assert Path("fault.json").read_bytes() == b'{"schema": 1}'
    assert "there already" in said("logs", number, "--fault", 1, "--out", "fault.json").err
    assert "has no fault 2" in said("logs", number, "--fault", 2).err


@pytest.mark.usefixtures("_signed_in")
def test_a_bot_that_is_accepted_plays_rests_and_plays_again(
    examined: list[str], tmp_path: Path
) -> None:
    examined += ["accepted"]
    answer = said("submit", write_bot(tmp_path / "good", FIRST, name="good"), "--wait", "--json")
    found = json.loads(answer.out)
    assert (answer.code, found["state"], found["ladder"]) == (0, "active", LADDER)
    number = found["id"]
    assert said("submissions", "rest", number).out == f"submission {number}: resting\n"
    assert "has to be active" in said("submissions", "rest", number).err
    assert said("submissions", "choose", number).out == f"submission {number}: active\n"
    listed = json.loads(said("submissions", "--json").out)
    assert (number, "active") in [(each["id"], each["state"]) for each in listed]


@pytest.mark.usefixtures("_signed_in")
def test_what_a_host_refuses_is_one_line(tmp_path: Path) -> None:
    whist = write_bot(tmp_path / "whist", FIRST, games="whist")
    answer = said("submit", whist)
    assert answer.code == 2
    assert answer.err == f"upcard: {URL}: Spring plays euchre, and mine plays whist\n"
    assert "there is no ladder 'autumn'" in said("submit", whist, "--ladder", "autumn").err.lower()
    assert "no submission 999 of yours" in said("submissions", "show", 999).err


def test_who_is_signed_in_to_no_host_is_told_how(tmp_path: Path) -> None:
    answer = said("submit", write_bot(tmp_path / "mine", FIRST))
    assert answer.code == 2
    assert "you are signed in to no host; upcard login URL" in answer.err


@pytest.mark.parametrize("url", ["http://cards.example.org", "ftp://x", "cards.example.org"])
def test_no_token_is_sent_over_a_connection_that_anybody_reads(
    monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    typed(monkeypatch, "upc_secret")
    assert said("login", url).code == 2
    assert not logins_file().exists()
