"""What an organiser does, and that the log says who did it."""

import re
from pathlib import Path

import pytest

from referee.hosting.own_data import delete_account
from referee.store.accounts import accounts, find_account
from referee.store.audit import append_audit, audit_log
from referee.store.database import writing
from referee.store.hosting_models import Account, Submission
from referee.store.jobs import claim, queue
from referee.store.ladders import ladder_entrants, set_ladder_state
from referee.store.lifecycle import reject
from referee.store.submissions import events, submission
from referee.web.host import forms
from tests.store import hosting_scenes
from tests.web.host.scene import LADDER, PASSWORD, Browser, Site

_NUMBERS = iter(range(1, 1000))


@pytest.fixture
def ada(site: Site) -> Account:
    """Return an author who has handed in nothing."""
    return site.account(f"ada-{next(_NUMBERS)}")


@pytest.fixture
def olga(site: Site) -> Browser:
    return site.browser(site.account("olga", "organiser"))


@pytest.fixture(autouse=True)
def _empty_queue(site: Site) -> None:
    while claim(site.host.store, ["examine"], site.now):
        pass


@pytest.fixture
def playing(site: Site, ada: Account, tmp_path: Path) -> Submission:
    """Return a submission that plays."""
    number = next(_NUMBERS)
    return hosting_scenes.accepted(
        site.host.store, tmp_path, ada, site.ladder, number, f"bot-{number}"
    )


@pytest.fixture
def rejected(site: Site, ada: Account) -> Submission:
    """Return a submission that was rejected."""
    store = site.host.store
    found = hosting_scenes.hand_in(store, ada, site.ladder, next(_NUMBERS))
    going = hosting_scenes.examined(store, found, ada, site.ladder)
    reject(store, going, "it crashes", site.now)
    return found


def state(site: Site, found: Submission) -> tuple[str, str]:
    now = submission(site.host.store, found.id)
    return now.state, now.reason


def last(site: Site) -> tuple[str | None, str, str]:
    """Return the last entry of the log: who, what, to what."""
    _, entry = audit_log(site.host.store, 1)[0]
    return entry.actor, entry.action, entry.subject


# Submissions


def test_a_bot_is_banned_for_a_reason_that_its_author_reads(
    site: Site, olga: Browser, ada: Account, playing: Submission
) -> None:
    olga.post(f"/organiser/submissions/{playing.id}/ban", {"why": "it <b>copies</b> another"})
    assert state(site, playing) == ("banned", "it <b>copies</b> another")
    assert last(site) == ("olga", "set banned", f"submission {playing.id}")
    page = site.browser(ada).get(f"/submissions/{playing.id}").text
    assert "it &lt;b&gt;copies&lt;/b&gt; another" in page
    assert "by olga" in page
    states = {each.bot.name: each.state for each in ladder_entrants(site.host.store, site.ladder)}
    assert states[playing.name] == "banned"


def test_nobody_is_banned_without_a_reason(site: Site, olga: Browser, playing: Submission) -> None:
    answer = olga.post(f"/organiser/submissions/{playing.id}/ban", {"why": "  "})
    assert answer.status_code == 422
    assert state(site, playing)[0] == "active"


def test_a_ban_is_lifted_and_its_author_lets_it_play_again(
    site: Site, olga: Browser, ada: Account, playing: Submission
) -> None:
    author = site.browser(ada)
    olga.post(f"/organiser/submissions/{playing.id}/ban", {"why": "a mistake"})
    assert author.post(f"/submissions/{playing.id}/choose").status_code == 422
    olga.post(f"/organiser/submissions/{playing.id}/lift")
    assert state(site, playing)[0] == "resting"
    assert author.post(f"/submissions/{playing.id}/choose").status_code == 303
    assert state(site, playing)[0] == "active"


def test_a_bot_is_suspended_until_that_is_lifted(
    site: Site, olga: Browser, playing: Submission
) -> None:
    path = f"/organiser/submissions/{playing.id}"
    assert olga.post(f"{path}/suspend").status_code == 422
    assert olga.post(f"{path}/suspend", {"why": "under review"}).status_code == 303
    assert state(site, playing) == ("suspended", "under review")
    assert last(site) == ("olga", "set suspended", f"submission {playing.id}")
    olga.post(f"{path}/lift")
    assert state(site, playing)[0] == "resting"


def test_what_was_not_accepted_is_examined_again(
    site: Site, olga: Browser, rejected: Submission
) -> None:
    assert olga.post(f"/organiser/submissions/{rejected.id}/examine").status_code == 303
    assert state(site, rejected) == ("received", "examined again")
    assert rejected.id in {each.subject for each in queue(site.host.store)}
    assert last(site) == ("olga", "examine again", f"submission {rejected.id}")


def test_what_plays_is_not_examined_again(olga: Browser, playing: Submission) -> None:
    answer = olga.post(f"/organiser/submissions/{playing.id}/examine")
    assert answer.status_code == 422
    assert "only what was not accepted is examined again" in answer.text


def test_everybodys_last_submission_is_examined_again(
    site: Site, olga: Browser, rejected: Submission, playing: Submission
) -> None:
    # Of one author the later one counts, which plays.
    assert playing.account == rejected.account
    olga.post("/organiser/examine", {"ladder": LADDER})
    assert state(site, rejected)[0] == "rejected"
    assert state(site, playing)[0] == "active"
    assert last(site) == ("olga", "examine latest again", LADDER)


def test_the_desk_shows_who_handed_in_what(
    olga: Browser, ada: Account, rejected: Submission
) -> None:
    page = olga.get("/organiser/").text
    assert ada.login in page
    assert f'href="/submissions/{rejected.id}"' in page
    assert "it crashes" in page


# Ladders


def test_a_ladder_is_frozen_and_opened_again(site: Site, olga: Browser, ada: Account) -> None:
    assert olga.post(f"/organiser/ladders/{LADDER}", {"state": "frozen"}).status_code == 303
    program = site.program(ada, "submit")
    assert "Spring is frozen and takes no submissions" in program.submit(b"").json()["error"]
    olga.post(f"/organiser/ladders/{LADDER}", {"state": "open"})
    assert "frozen" not in program.submit(b"").json()["error"]


@pytest.mark.parametrize("wanted", ["", "closed", "OPEN"])
def test_a_ladder_has_no_other_states(olga: Browser, wanted: str) -> None:
    assert olga.post(f"/organiser/ladders/{LADDER}", {"state": wanted}).status_code == 422


def test_a_ladder_that_has_ended_stays_so(site: Site, olga: Browser) -> None:
    ended = hosting_scenes.ladder(site.host.store, f"old-{next(_NUMBERS)}")
    set_ladder_state(site.host.store, ended, "ended", site.by)
    assert olga.post(f"/organiser/ladders/{ended.name}", {"state": "open"}).status_code == 422


def test_an_assignment_is_to_beat_house_bots_alone(olga: Browser) -> None:
    fields = {"name": "first", "ladder": LADDER, "due": "2026-05-04", "beat": "nobody=10"}
    answer = olga.post("/organiser/assignments", fields)
    assert (answer.status_code, "nobody is no house bot" in answer.text.lower()) == (422, True)


# Accounts


def test_who_is_disabled_cannot_sign_in_until_she_is_enabled(
    site: Site, olga: Browser, ada: Account
) -> None:
    right, program = {"login": ada.login, "password": PASSWORD}, site.program(ada, "read")
    olga.post(f"/organiser/accounts/{ada.login}/disable")
    assert site.browser().post("/sign-in", right).status_code == 403
    assert program.get("/api/v1/me").status_code == 401
    olga.post(f"/organiser/accounts/{ada.login}/disable")
    assert site.browser().post("/sign-in", right).status_code == 303


def test_an_admin_makes_somebody_an_organiser(site: Site, ada: Account) -> None:
    root = site.browser(site.account("root", "admin"))
    assert root.post(f"/organiser/accounts/{ada.login}/role", {"role": "organiser"}).is_redirect
    assert find_account(site.host.store, ada.login).role == "organiser"
    assert last(site) == ("root", "change account", ada.login)


@pytest.fixture
def root(site: Site) -> Browser:
    return site.browser(site.account("root", "admin"))


def form_of(root: Browser, account: Account, what: str) -> tuple[str, dict[str, str]]:
    """Return where a form on the page of an account is sent, and its token."""
    page = root.get(f"/organiser/accounts/{account.login}").text
    (form,) = re.findall(
        rf'<form method="post" action="([^"]*/{what})">(.*?)</form>', page, re.DOTALL
    )
    (token,) = re.findall(rf'name="{forms.FIELD}" value="([^"]*)"', form[1])
    return form[0], {forms.FIELD: token}


def test_the_page_of_an_account_is_linked_for_an_admin_alone(
    olga: Browser, root: Browser, ada: Account
) -> None:
    link = f'href="/organiser/accounts/{ada.login}"'
    assert [link in each.get("/organiser/accounts").text for each in (olga, root)] == [False, True]


def test_the_page_of_an_account_changes_its_role(site: Site, root: Browser, ada: Account) -> None:
    assert "<option selected>author" in root.get(f"/organiser/accounts/{ada.login}").text
    action, fields = form_of(root, ada, "role")
    assert root.post_as_is(action, fields | {"role": "organiser"}).status_code == 303
    assert find_account(site.host.store, ada.login).role == "organiser"
    assert "<option selected>organiser" in root.get(f"/organiser/accounts/{ada.login}").text


def test_the_page_of_an_account_deletes_it_once_its_login_is_written(
    site: Site, root: Browser, ada: Account
) -> None:
    action, fields = form_of(root, ada, "delete")
    assert root.post_as_is(action, fields | {"login": "no"}).status_code == 422
    assert find_account(site.host.store, ada.login).deleted is None
    assert root.post_as_is(action, fields | {"login": ada.login}).status_code == 303
    assert ada.login not in root.get("/organiser/accounts").text


def test_nobody_changes_an_account_that_is_deleted(site: Site, root: Browser, ada: Account) -> None:
    delete_account(site.host.store, ada, site.by)
    address = f"/organiser/accounts/deleted-{ada.id}"
    assert root.get(address).status_code == 404
    for what in ("invite", "disable", "role", "delete"):
        fields = {"role": "admin", "login": f"deleted-{ada.id}"}
        assert root.post(f"{address}/{what}", fields).status_code == 404


def test_of_who_is_deleted_no_log_and_no_page_has_the_name(
    site: Site, ada: Account, playing: Submission
) -> None:
    root, author = site.browser(site.account("root", "admin")), site.browser(ada)
    author.post("/account/details", {"name": "Ada Lovelace", "mail": "ada@example.org"})
    author.post("/sign-out")
    root.post(f"/organiser/accounts/{ada.login}/delete", {"login": ada.login})
    pages = ("/organiser/audit", "/organiser/accounts", "/organiser/", f"/ladders/{LADDER}/")
    texts = [root.get(path).text for path in (*pages, f"/submissions/{playing.id}")]
    found = [name for name in (ada.login, "Lovelace") for text in texts if name in text]
    assert found == []
    assert f"deleted-{ada.id}" in texts[0]


def test_somebody_is_deleted_by_who_writes_the_login_once_more(site: Site, ada: Account) -> None:
    root = site.browser(site.account("root", "admin"))
    answer = root.post(f"/organiser/accounts/{ada.login}/delete", {"login": "another"})
    assert answer.status_code == 422
    assert ada.login in {each.login for each in accounts(site.host.store)}


def test_the_last_admin_does_not_delete_herself(site: Site) -> None:
    root = site.account("root", "admin")
    answer = site.browser(root).post("/account/delete", {"login": "root"})
    assert answer.status_code == 422
    assert "This is the last admin" in answer.text


# What everybody is told, and what was chosen


def test_an_announcement_is_above_every_page_until_it_is_withdrawn(
    site: Site, olga: Browser
) -> None:
    olga.post("/organiser/announcements", {"text": "The deadline is on <Friday>"})
    assert last(site)[:2] == ("olga", "announce")
    assert "The deadline is on &lt;Friday&gt;" in site.browser().get("/ladders/").text
    olga.post(f"/organiser/announcements/{last(site)[2].partition(' ')[2]}/end")
    assert "Friday" not in site.browser().get("/ladders/").text


@pytest.mark.parametrize("text", ["", " \n", "x" * 2001], ids=["empty", "blank", "long"])
def test_what_is_no_announcement_is_refused(olga: Browser, text: str) -> None:
    assert olga.post("/organiser/announcements", {"text": text}).status_code == 422


def test_an_admin_chooses_a_setting(site: Site) -> None:
    root = site.browser(site.account("root", "admin"))
    assert root.post("/organiser/settings", {"name": "daily", "value": "7"}).is_redirect
    assert site.host.settings().daily == 7
    assert last(site) == ("root", "set", "daily")
    assert root.post("/organiser/settings", {"name": "daily", "value": "x"}).status_code == 422
    root.post("/organiser/settings", {"name": "daily", "value": ""})
    assert site.host.settings().daily == 10


# The log


def test_the_log_says_who_signed_in_and_out_and_who_tried(
    site: Site, olga: Browser, ada: Account
) -> None:
    browser = site.browser()
    browser.post("/sign-in", {"login": ada.login, "password": "wrong"})
    browser.post("/sign-in", {"login": ada.login, "password": PASSWORD})
    browser.post("/account/password", {"old": "wrong", "password": "seven swans, no fox"})
    browser.post("/sign-out")
    done = [
        (e.actor, e.action) for _, e in audit_log(site.host.store, 10) if e.subject == ada.login
    ]
    assert done[:4] == [
        (ada.login, "sign out"),
        (None, "sign in failed"),
        (ada.login, "sign in"),
        (None, "sign in failed"),
    ]
    page = olga.get("/organiser/audit").text
    assert "sign in failed" in page
    assert "sign out" in page


@pytest.mark.parametrize(
    "before", ["", "x", "-1", "%C2%B2", "0", "9" * 30], ids=lambda text: text[:3] or "nothing"
)
def test_the_log_is_read_from_any_place(olga: Browser, before: str) -> None:
    assert olga.get(f"/organiser/audit?before={before}").status_code == 200


def test_the_log_is_read_page_by_page(site: Site, olga: Browser) -> None:
    with writing(site.host.store) as connection:
        for number in range(201):
            append_audit(connection, site.by, "count", f"number {number}")
    newest = audit_log(site.host.store, 1)[0][0]
    page = olga.get("/organiser/audit").text
    assert f"<td>{newest}</td>" in page
    assert f'href="/organiser/audit?before={newest - 199}"' in page
    assert f"<td>{newest - 200}</td>" in olga.get(f"/organiser/audit?before={newest - 199}").text


def test_what_became_of_a_submission_says_by_whom(
    site: Site, olga: Browser, playing: Submission
) -> None:
    olga.post(f"/organiser/submissions/{playing.id}/ban", {"why": "why"})
    found = [(each.state, each.actor) for each in events(site.host.store, playing.id)]
    assert found[-1] == ("banned", "olga")
