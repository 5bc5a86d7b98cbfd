"""Whatever people call themselves and their bots, no page breaks, and no script runs."""

import json
import re
import shutil
import zlib
from collections.abc import Iterator, Mapping
from datetime import timedelta
from pathlib import Path

import httpx2 as httpx
import pytest
from sqlalchemy import Table, update

from referee.hosting.examinations import BUILD_LOG, REPORT, fault_name
from referee.store.assignments import add_assignment
from referee.store.audit import announce
from referee.store.challenges import add_challenge
from referee.store.database import Store, writing
from referee.store.hosting_models import NewAssignment, NewChallenge, Threshold
from referee.store.hosting_rows import (
    ACCOUNT,
    ANNOUNCEMENT,
    ASSIGNMENT,
    AUDIT,
    CHALLENGE,
    JOB,
    SUBMISSION,
    SUBMISSION_EVENT,
    TOKEN,
)
from referee.store.rows import BOT
from referee.store.submissions import put_files
from referee.web.host.hosting import ROUTES
from referee.web.host.provider import ANSWER, GO
from tests.store import hosting_scenes
from tests.web.host import scene
from tests.web.host.scene import LADDER, PACKAGE, PASSWORD, Site
from tests.web.test_strangers import HOSTILE, LONG, MARK, Read

UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Letters that are not seen: some hide or turn what is around them."""
WORDS = "".join(each for each in HOSTILE if each != LONG)
NAMES = {
    ACCOUNT: ("name", "mail", "group"),
    SUBMISSION: ("name", "version", "language", "reason"),
    SUBMISSION_EVENT: ("reason",),
    BOT: ("name", "version", "author", "language"),
    TOKEN: ("name",),
    ASSIGNMENT: ("name", "group"),
    CHALLENGE: ("reason",),
    JOB: ("error",),
    ANNOUNCEMENT: ("text",),
    AUDIT: ("subject",),
}
"""What strangers may choose, or could if a check of it was wrong."""
LONG_NAMES = {ACCOUNT: ("name",), SUBMISSION: ("name", "version"), BOT: ("name", "version")}
"""What is shortened wherever it is shown."""


@pytest.fixture(scope="module", params=[(WORDS, NAMES), (LONG, LONG_NAMES)], ids=["markup", "long"])
def site(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, empty: Path
) -> Iterator[Site]:
    """Return a host on which every word that one can choose is hostile, and the admin's own."""
    directory = tmp_path_factory.mktemp("hostile")
    with scene.hosted(Path(shutil.copy(empty, directory))) as site:
        words, columns = request.param
        store, root = site.host.store, site.account("root", "admin")
        site.account("ada")
        hosting_scenes.house(store, site.ladder, directory, 5)
        found = hosting_scenes.accepted(store, directory, root, site.ladder)
        add_challenge(store, NewChallenge(root.id, site.ladder.id, 2, 1, 4), site.now)
        site.program(root, "read")
        week = timedelta(days=7)
        beaten = (Threshold(1.0, "house-5", 0.95),)
        new = NewAssignment("one", None, site.now + week, week, "last", beaten)
        add_assignment(store, new, site.ladder, site.by)
        announce(store, "welcome", None, site.by)
        line = {"name": WORDS, "verdict": "fail", "says": WORDS, "fault": 1}
        with writing(store) as connection:
            files = {
                REPORT: json.dumps({"lines": [line]}).encode(),
                BUILD_LOG: words.encode(),
                fault_name(1): zlib.compress(b"{}"),
            }
            put_files(connection, found.id, files)
        _rename_all(store, words, columns)
        yield site


def _rename_all(store: Store, words: str, columns: Mapping[Table, tuple[str, ...]]) -> None:
    with writing(store) as connection:
        for table, names in columns.items():
            connection.execute(update(table).values(dict.fromkeys(names, words)))
        connection.execute(update(AUDIT).values(details={"why": WORDS}))


@pytest.fixture(scope="module")
def answers(site: Site) -> Mapping[str, httpx.Response]:
    """Return what is answered at every address."""
    browser = site.browser(site.account("root"))
    paths = {each.path for each in ROUTES if each.method == "GET"} - {GO, ANSWER}
    named = (path.replace("{file:path}", PACKAGE) for path in sorted(paths))
    numbered = (re.sub(r"\{\w+:number\}", "1", path) for path in named)
    filled = (path.format(name=LADDER, login="ada") for path in numbered)
    return {path: browser.get(path) for path in filled}


@pytest.fixture(scope="module")
def pages(answers: Mapping[str, httpx.Response]) -> Mapping[str, str]:
    return {
        path: answer.text
        for path, answer in answers.items()
        if answer.headers.get("content-type", "").startswith("text/html")
    }


def test_every_page_is_shown(answers: Mapping[str, httpx.Response]) -> None:
    statuses = {path: answer.status_code for path, answer in answers.items()}
    assert {path for path, status in statuses.items() if status not in {200, 303}} == set()


def test_words_of_strangers_are_only_words(pages: Mapping[str, str]) -> None:
    read = {path: Read(page) for path, page in pages.items()}
    attributes = {name for each in read.values() for name in each.attributes}
    assert {name for name in attributes if name.startswith("on") or MARK.lower() in name} == set()
    scripts = [script.get("src") or "" for each in read.values() for script in each.scripts]
    assert [each for each in scripts if "static/" not in each] == []


def test_no_page_has_letters_that_hide_or_turn_others(pages: Mapping[str, str]) -> None:
    found = {path: UNSEEN.findall(page) for path, page in pages.items()}
    assert {path: letters for path, letters in found.items() if letters} == {}


def test_a_long_name_is_shortened_but_where_its_owner_changes_it(pages: Mapping[str, str]) -> None:
    found = {path for path, page in pages.items() if "n" * 49 in page}
    assert found <= {"/account/settings"}


# What people write into forms

WRITTEN = {
    "markup": WORDS[:200],
    "turned": f"\u202e{MARK}",
    "control": "a\x1b[2Jb",
    "nothing": "a\0b",
    "long": LONG,
    "half a letter": "\ud83d",
}


@pytest.mark.parametrize("what", WRITTEN)
def test_what_is_written_into_a_form_is_refused_or_kept_but_breaks_nothing(
    whole_site: Site, what: str
) -> None:
    site, words = whole_site, WRITTEN[what].encode("utf-8", "replace").decode()
    root = site.browser(site.account("root", "admin"))
    sent = {
        "/sign-in": {"login": words, "password": words, "to": words},
        "/invitation": {"code": words, "login": words, "name": words, "password": words},
        "/account/details": {"name": words, "mail": words},
        "/account/tokens": {"name": words, "scopes": words, "days": words},
        "/account/password": {"old": words, "password": words},
        "/account/delete": {"login": words},
        "/challenges": {"mine": words, "other": words, "duels": words},
        "/organiser/invitations": {"login": words, "name": words, "group": words, "role": words},
        "/organiser/roster": {"roster": f"login,name\n{words},{words}"},
        "/organiser/announcements": {"text": words},
        "/organiser/settings": {"name": words, "value": words},
        "/organiser/assignments": {
            "name": words, "ladder": LADDER, "due": words, "grace": words, "beat": words,
            "group": words,
        },
        f"/organiser/ladders/{LADDER}": {"state": words},
        "/organiser/examine": {"ladder": words},
    }  # fmt: skip
    answers = {path: root.post(path, fields) for path, fields in sent.items()}
    assert {path for path, answer in answers.items() if answer.status_code >= 500} == set()
    shown = [*(each.text for each in answers.values()), root.get("/organiser/announcements").text]
    assert [letters for page in shown if (letters := UNSEEN.findall(page))] == []
    assert [page for page in shown if f"<script>{MARK}" in page or f"<img src={MARK}" in page] == []


@pytest.mark.parametrize(
    "path",
    ["/ladders/%3Cscript%3E/", "/ladders/%E2%80%AE/", "/ladders/%00/", f"/ladders/{'n' * 5000}/"],
    ids=["markup", "turned", "nothing", "long"],
)
def test_a_ladder_that_is_asked_for_by_a_hostile_name_is_not_there(
    whole_site: Site, path: str
) -> None:
    answer = whole_site.browser().get(path)
    assert answer.status_code == 404
    assert "<script>" not in answer.text
    assert UNSEEN.findall(answer.text) == []
    assert len(answer.text) < 4000


def test_a_login_that_is_asked_for_by_a_hostile_name_is_not_there(whole_site: Site) -> None:
    root = whole_site.browser(whole_site.account("root", "admin"))
    answer = root.post("/organiser/accounts/%E2%80%AE%3Cb%3E%00/disable")
    assert answer.status_code == 404
    assert UNSEEN.findall(answer.text) == []


def test_who_calls_herself_by_what_is_printable_is_called_so(whole_site: Site) -> None:
    root = whole_site.browser(whole_site.account("root", "admin"))
    name = "שלום <i>&amp;</i>"
    root.post("/account/details", {"name": name, "mail": ""})
    assert 'value="שלום &lt;i&gt;&amp;amp;&lt;/i&gt;"' in root.get("/account/settings").text
    assert root.post("/sign-in", {"login": "root", "password": PASSWORD}).status_code == 303
