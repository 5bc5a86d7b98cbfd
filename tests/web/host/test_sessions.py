"""Signing in and out by a browser."""

from urllib.parse import urlsplit

import pytest

from referee.store.accounts import change_account
from referee.web.host import asking, provider
from tests.hosting.openid_scene import Fake
from tests.web.host.scene import PASSWORD, Browser, Site, set_cookies

RIGHT = {"login": "ada", "password": PASSWORD}
WRONG = {"login": "ada", "password": "not this one"}
TOO_MANY = "oo many tries"


@pytest.fixture(autouse=True)
def _ada(site: Site) -> None:
    site.account("ada")


def is_signed_in(browser: Browser) -> bool:
    return browser.get("/account/").status_code == 200


def test_who_signs_in_is_led_to_where_she_was_going(site: Site) -> None:
    browser = site.browser()
    answer = browser.post("/sign-in", {**RIGHT, "to": "/challenges/"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/challenges/")
    assert is_signed_in(browser)


def test_a_login_may_be_written_as_people_do(site: Site) -> None:
    assert site.browser().post("/sign-in", {**RIGHT, "login": " Ada "}).status_code == 303


@pytest.mark.parametrize(
    "to",
    ["https://evil.example", "//evil.example", "/\\evil.example", "/\t/evil.example", "x", "/ä\n"],
)
def test_nobody_is_led_elsewhere(site: Site, to: str) -> None:
    answer = site.browser().post("/sign-in", {**RIGHT, "to": to})
    assert answer.headers["location"] == "/account/"


def test_nor_by_a_provider(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site.host, "provider", Fake().provider())
    browser = site.browser()
    answer = browser.get(f"{provider.GO}?to=/愛")
    assert (answer.status_code, urlsplit(answer.headers["location"]).netloc) == (
        303,
        "id.example.org",
    )
    assert browser.cookies[provider.COOKIE].endswith(":/account/")


def test_no_other_site_keeps_a_network_from_signing_in(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site.host, "provider", Fake().provider())
    for _ in range(59):
        site.host.throttle.failed(None, "testclient")
    browser = site.browser()
    answers = [browser.get(f"{provider.ANSWER}?state=wrong") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [403, 403]
    assert browser.post("/sign-in", RIGHT).status_code == 303


def test_the_cookie_of_a_session_is_of_this_host_alone(site: Site) -> None:
    morsel = set_cookies(site.browser().post("/sign-in", RIGHT))["__Host-upcard"]
    assert (morsel["path"], morsel["domain"]) == ("/", "")
    assert (morsel["secure"], morsel["httponly"], morsel["samesite"]) == (True, True, "lax")
    assert int(morsel["max-age"]) == 14 * 24 * 3600


def test_a_session_is_never_one_that_the_browser_brought(site: Site) -> None:
    browser = site.browser()
    browser.cookies[asking.COOKIE] = planted = "planted" * 6
    browser.post("/sign-in", RIGHT)
    assert browser.cookies[asking.COOKIE] != planted
    browser.cookies[asking.COOKIE] = planted
    assert not is_signed_in(browser)


def test_who_signs_in_once_more_has_a_new_session_and_the_old_one_ends(site: Site) -> None:
    browser = site.browser(site.account("ada"))
    before = browser.cookies[asking.COOKIE]
    browser.post("/sign-in", RIGHT)
    assert is_signed_in(browser)
    browser.cookies[asking.COOKIE] = before
    assert not is_signed_in(browser)


def test_who_signs_out_is_out_even_for_who_kept_the_cookie(site: Site) -> None:
    browser = site.browser(site.account("ada"))
    kept = browser.cookies[asking.COOKIE]
    assert browser.post("/sign-out").headers["location"] == "/"
    assert asking.COOKIE not in browser.cookies
    browser.cookies[asking.COOKIE] = kept
    assert not is_signed_in(browser)


def test_another_browser_stays_signed_in(site: Site) -> None:
    one, other = site.browser(site.account("ada")), site.browser(site.account("ada"))
    one.post("/sign-out")
    assert is_signed_in(other)


def test_a_session_ends_when_it_was_not_used_for_two_weeks(site: Site) -> None:
    browser = site.browser(site.account("ada"))
    site.wait(days=13)
    assert is_signed_in(browser)
    site.wait(days=13)
    assert is_signed_in(browser)
    site.wait(days=14)
    assert not is_signed_in(browser)


def test_who_chooses_another_password_stays_and_other_browsers_are_out(site: Site) -> None:
    dora = site.account("dora")
    browser, other = site.browser(dora), site.browser(dora)
    before = browser.cookies[asking.COOKIE]
    chosen = {"old": PASSWORD, "password": "seven swans, no fox"}
    assert browser.post("/account/password", chosen).headers["location"] == "/account/settings"
    assert is_signed_in(browser)
    assert browser.cookies[asking.COOKIE] != before
    assert not is_signed_in(other)


def test_a_password_is_changed_by_who_knows_it(site: Site) -> None:
    browser = site.browser(site.account("ada"))
    answer = browser.post("/account/password", {"old": "wrong", "password": "seven swans, no fox"})
    assert answer.status_code == 422
    assert "The password until now is another one" in answer.text


def test_who_is_disabled_is_out_at_once(site: Site) -> None:
    gone = site.account("gone")
    browser = site.browser(gone)
    change_account(site.host.store, gone, {"disabled": site.now}, site.by)
    assert not is_signed_in(browser)


# Who tries passwords


def test_a_wrong_login_and_a_wrong_password_are_told_alike(site: Site) -> None:
    answers = [site.browser().post("/sign-in", each) for each in (WRONG, {**RIGHT, "login": "x"})]
    assert [each.status_code for each in answers] == [403, 403]
    says = ["This login and this password do not belong together" in a.text for a in answers]
    assert says == [True, True]


def test_after_ten_failures_not_even_the_right_password_is_tried(site: Site) -> None:
    browser = site.browser()
    for _ in range(10):
        assert TOO_MANY not in browser.post("/sign-in", WRONG).text
    assert TOO_MANY in browser.post("/sign-in", RIGHT).text
    assert not is_signed_in(browser)


def test_a_program_has_no_tries_of_its_own(site: Site) -> None:
    browser = site.browser()
    for _ in range(10):
        browser.post("/sign-in", WRONG)
    answer = site.browser().post_as_is("/api/v1/tokens", RIGHT)
    assert answer.status_code == 429
    assert TOO_MANY in answer.json()["error"]


def test_the_form_to_change_a_password_gives_no_more_tries(site: Site) -> None:
    browser = site.browser(site.account("ada"))
    for _ in range(10):
        browser.post("/account/password", {"old": "wrong", "password": "seven swans, no fox"})
    answer = browser.post("/account/password", {"old": PASSWORD, "password": "seven swans, no fox"})
    assert answer.status_code == 429
    assert TOO_MANY in answer.text


def test_who_changes_too_much_waits_and_nobody_else_does(site: Site) -> None:
    ada = site.account("ada")
    browser, other = site.browser(ada), site.browser(site.account("cara"))
    assert browser.post("/account/details", {"name": "Ada"}).status_code == 303
    for _ in range(299):
        site.host.throttle.count_change(ada.id)
    answers = [
        browser.post("/account/details", {"name": "Ada"}),
        site.browser().post("/sign-in", RIGHT),
        site.browser().post_as_is("/api/v1/tokens", RIGHT),
    ]
    assert [answer.status_code for answer in answers] == [429, 429, 429]
    assert browser.get("/account/").status_code == 200
    assert other.post("/account/details", {"name": "Cara"}).status_code == 303


def test_a_password_is_no_longer_than_what_is_hashed(site: Site) -> None:
    assert site.browser().post("/sign-in", {**RIGHT, "password": "x" * 100_000}).status_code == 403
