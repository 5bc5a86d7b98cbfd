"""Tokens, by which programs sign in: made, shown once, bounded in what they do and how long."""

import re

import httpx2 as httpx
import pytest

from referee.store.accounts import change_account, tokens
from tests.web.host.scene import PASSWORD, Browser, Program, Site

TOKEN = re.compile(r"upc_[\w-]{43}")
ME = "/api/v1/me"


@pytest.fixture
def ada(site: Site) -> Browser:
    """Return the browser of somebody who has no token."""
    browser = site.browser(site.account("ada"))
    for each in tokens(site.host.store, site.account("ada")):
        browser.post(f"/account/tokens/{each.id}/revoke")
    return browser


def made(browser: Browser, **fields: str) -> Program:
    """Make a token, and return a program that has it."""
    (token,) = {*TOKEN.findall(browser.post("/account/tokens", fields).text)}
    return Program(browser.site, token)


def test_a_token_signs_a_program_in(ada: Browser) -> None:
    assert made(ada).get(ME).json() == {
        "login": "ada",
        "name": "Ada",
        "role": "author",
        "scopes": ["read", "submit"],
        "url": "https://cards.example.org",
    }


def test_a_token_is_shown_once_and_for_no_cache(ada: Browser) -> None:
    answer = ada.post("/account/tokens", {"name": "the laptop"})
    assert len(TOKEN.findall(answer.text)) == 1
    assert answer.headers["cache-control"] == "no-store"
    later = ada.get("/account/settings")
    assert "the laptop" in later.text
    assert TOKEN.findall(later.text) == []


def test_a_token_to_read_hands_nothing_in(ada: Browser) -> None:
    program = made(ada, scopes="read")
    assert program.get("/api/v1/submissions").status_code == 200
    assert program.submit(b"").status_code == 403


def test_a_token_may_do_no_more_than_its_owner(ada: Browser) -> None:
    program = made(ada, scopes="submit organise")
    answer = program.post("/organiser/examine", {"ladder": "spring"})
    assert (answer.status_code, answer.json()) == (403, {"error": "Your token is not for that"})


def test_a_token_of_an_organiser_is_for_what_she_may_now(site: Site) -> None:
    otto = site.account("otto", "organiser")
    program = made(site.browser(otto), scopes="submit organise")
    assert program.post("/organiser/examine", {"ladder": "spring"}).status_code == 303
    change_account(site.host.store, otto, {"role": "author"}, site.by)
    assert program.post("/organiser/examine", {"ladder": "spring"}).status_code == 403


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"days": "0"}, "A token is good for 1 to 400 days"),
        ({"days": "401"}, "A token is good for 1 to 400 days"),
        ({"days": "-1"}, "A token is good for 1 to 400 days"),
        ({"days": "\u00b2"}, "A token is good for 1 to 400 days"),
        ({"days": "9" * 5000}, "A token is good for 1 to 400 days"),
        ({"scopes": "everything"}, "is no scope"),
        ({"name": "x" * 81}, "A name has 1 to 80"),
        ({"name": "a\u202eb"}, "A name has 1 to 80"),
    ],
    ids=["0", "401", "negative", "digit", "long", "scope", "long name", "turned name"],
)
def test_what_can_be_no_token_is_refused(ada: Browser, fields: dict[str, str], says: str) -> None:
    answer = ada.post("/account/tokens", fields)
    assert answer.status_code == 422
    assert says in answer.text


def test_a_token_expires(site: Site, ada: Browser) -> None:
    program = made(ada, days="2")
    site.wait(days=2, seconds=-1)
    assert program.get(ME).status_code == 200
    site.wait(seconds=1)
    assert program.get(ME).status_code == 401


def test_a_token_that_is_revoked_is_of_no_use_at_once(site: Site, ada: Browser) -> None:
    program = made(ada)
    newest = tokens(site.host.store, site.account("ada"))[0]
    assert ada.post(f"/account/tokens/{newest.id}/revoke").status_code == 303
    assert program.get(ME).status_code == 401
    assert "revoked" in ada.get("/account/settings").text


def test_nobody_revokes_the_token_of_another(site: Site, ada: Browser) -> None:
    program = made(ada)
    newest = tokens(site.host.store, site.account("ada"))[0]
    bert = site.browser(site.account("bert"))
    assert bert.post(f"/account/tokens/{newest.id}/revoke").status_code == 422
    assert program.get(ME).status_code == 200


def test_an_author_has_so_many_tokens_at_a_time(site: Site) -> None:
    browser = site.browser(site.account("tilda"))
    for _ in range(20):
        made(browser, days="1")
    answer = browser.post("/account/tokens")
    assert answer.status_code == 422
    assert "You have 20 tokens; revoke one of them first" in answer.text
    site.wait(days=1)
    made(browser)


@pytest.mark.parametrize(
    "shown",
    ["", "Bearer", " ", "Basic YWRhOng=", "Bearer upc_", "Bearer \xff", "Bearer " + 9999 * "x"],
    ids=["nothing", "no token", "empty", "another kind", "its beginning", "letters", "long"],
)  # fmt: skip
def test_what_is_no_token_signs_nobody_in(site: Site, shown: str) -> None:
    assert site.browser().send("GET", ME, {"Authorization": shown}).status_code == 401


def test_a_wrong_token_is_not_made_up_for_by_a_cookie(ada: Browser) -> None:
    assert ada.send("GET", ME, {"Authorization": "Bearer upc_wrong"}).status_code == 401


def test_a_token_in_an_address_is_none(site: Site, ada: Browser) -> None:
    token = made(ada).token
    assert site.browser().get(f"{ME}?token={token}&access_token={token}").status_code == 401


# By a login and its password


def by_password(site: Site, **fields: str) -> httpx.Response:
    """Ask for a token as `upcard login` does."""
    site.account("ada")
    form = {"login": "ada", "password": PASSWORD, "name": "laptop", **fields}
    return site.browser().post_as_is("/api/v1/tokens", form)


def test_a_program_gets_a_token_by_a_password(site: Site) -> None:
    token = by_password(site).json()["token"]
    assert Program(site, token).get(ME).json()["scopes"] == ["read", "submit"]


def test_a_program_gets_none_by_a_wrong_password(site: Site) -> None:
    answer = by_password(site, password="wrong")
    assert (answer.status_code, [*answer.json()]) == (403, ["error"])


def test_what_a_program_asks_for_is_checked_likewise(site: Site) -> None:
    answer = by_password(site, days="0")
    assert (answer.status_code, answer.json()) == (
        422, {"error": "A token is good for 1 to 400 days"},
    )  # fmt: skip
