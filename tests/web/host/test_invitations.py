"""Invitations: from the organiser's page to somebody who is signed in."""

import re
from itertools import count

import httpx2 as httpx
import pytest

from referee.hosting.credentials import Signer
from referee.hosting.signing_in import SignInError, Throttle
from referee.store.accounts import account_of_login, change_account, find_account
from tests.web.host.scene import PASSWORD, URL, Browser, Site

LINK = re.compile(re.escape(URL) + r"/invitation#([^<\s]+)")
NUMBERS = count()
UNUSABLE = "This invitation is none, was used before, or has expired"


def codes(answer: httpx.Response) -> list[str]:
    """Return the codes of the links that a page shows."""
    return LINK.findall(answer.text)


@pytest.fixture
def olga(site: Site) -> Browser:
    return site.browser(site.account("olga", "organiser"))


def invited(olga: Browser, **fields: str) -> str:
    """Invite somebody, and return the code."""
    (code,) = codes(olga.post("/organiser/invitations", fields))
    return code


def used(site: Site, code: str, **fields: str) -> httpx.Response:
    """Use an invitation in a new browser."""
    chosen = {"code": code, "password": PASSWORD, **fields}
    return site.browser().post("/invitation", chosen)


def test_who_is_invited_chooses_a_password_and_is_signed_in(site: Site, olga: Browser) -> None:
    code, browser = invited(olga, login="dora", name="Dora D."), site.browser()
    assert "Choose a password for <strong>dora</strong>" in (
        browser.post("/invitation", {"code": code}).text
    )
    answer = browser.post("/invitation", {"code": code, "password": PASSWORD})
    assert (answer.status_code, answer.headers["location"]) == (303, "/account/")
    assert "Dora D." in browser.get("/account/settings").text


def test_who_was_invited_by_somebody_who_is_no_organiser_any_more_chooses_nothing(
    site: Site,
) -> None:
    otto = site.account(f"otto-{next(NUMBERS)}", "organiser")
    code = invited(site.browser(otto), role="organiser")
    change_account(site.host.store, otto, {"role": "author"}, site.by)
    answer = used(site, code, login="eve", name="Eve")
    assert (answer.status_code, "may not invite you any more" in answer.text) == (422, True)
    assert account_of_login(site.host.store, "eve") is None


def test_who_is_invited_without_a_login_chooses_one(site: Site, olga: Browser) -> None:
    code = invited(olga, group="A", role="organiser")
    assert used(site, code, login="emil", name="Emil").status_code == 303
    emil = find_account(site.host.store, "emil")
    assert (emil.role, emil.group) == ("organiser", "A")


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"password": "short"}, "A password has 10"),
        ({"login": "olga"}, "There is an account olga already"),
        ({"login": "A b"}, "A login is 1 to 40"),
        ({"name": ""}, "A name has 1 to 80"),
    ],
    ids=["password", "taken", "login", "name"],
)
def test_what_cannot_be_chosen_is_said_and_uses_nothing_up(
    site: Site, olga: Browser, fields: dict[str, str], says: str
) -> None:
    code, chosen = invited(olga), {"login": f"new-{next(NUMBERS)}", "name": "New"}
    answer = used(site, code, **{**chosen, **fields})
    assert answer.status_code == 422
    assert says in answer.text
    assert used(site, code, **chosen).status_code == 303


def test_an_invitation_is_used_once(site: Site, olga: Browser) -> None:
    code = invited(olga, login="fritz")
    assert used(site, code).status_code == 303
    assert UNUSABLE in used(site, code).text


def test_of_all_that_were_sent_to_somebody_one_is_used(site: Site, olga: Browser) -> None:
    first = invited(olga, login="gerda")
    (second,) = codes(olga.post("/organiser/accounts/gerda/invite"))
    assert used(site, second).status_code == 303
    assert UNUSABLE in used(site, first).text


def test_an_invitation_expires(site: Site, olga: Browser) -> None:
    code = invited(olga, login="hans")
    site.wait(days=14)
    assert UNUSABLE in used(site, code).text


@pytest.mark.parametrize("change", ["cut", "other", "longer", "very long", "control"])
def test_a_code_that_was_changed_is_none(site: Site, olga: Browser, change: str) -> None:
    code = invited(olga)
    changed = {
        "cut": code[:-1],
        "other": Signer("another key").signed("invitation", 1),
        "longer": f"{code}x",
        "very long": code * 100,
        "control": f"\x1b{code}\u202e",
    }[change]
    assert UNUSABLE in used(site, changed, login="ida", name="Ida").text
    assert account_of_login(site.host.store, "ida") is None


def test_a_link_to_choose_another_password_signs_other_browsers_out(
    site: Site, olga: Browser
) -> None:
    browser = site.browser(site.account("jana"))
    (code,) = codes(olga.post("/organiser/accounts/jana/invite"))
    used(site, code)
    assert browser.get("/account/").status_code == 303


def test_who_chooses_another_password_makes_older_links_useless(site: Site, olga: Browser) -> None:
    browser = site.browser(site.account("kate"))
    (code,) = codes(olga.post("/organiser/accounts/kate/invite"))
    chosen = {"old": PASSWORD, "password": "seven swans, no fox"}
    assert browser.post("/account/password", chosen).status_code == 303
    assert UNUSABLE in used(site, code).text


def test_a_roster_makes_a_link_for_each_that_has_no_password(site: Site, olga: Browser) -> None:
    site.account("karl")
    answer = olga.post("/organiser/roster", {"roster": "login,name\nkarl,Karl\nlena,Lena\n"})
    (code,) = codes(answer)
    assert used(site, code).status_code == 303
    assert olga.get("/organiser/accounts").text.count("invitation#") == 0


def test_who_guesses_codes_is_stopped_and_nobody_else_is(site: Site) -> None:
    guesser = site.browser()
    statuses = {guesser.post("/invitation", {"code": f"{n}.x"}).status_code for n in range(60)}
    assert statuses == {422}
    assert guesser.post("/invitation", {"code": "61.x"}).status_code == 429
    site.host.throttle.refuse(None, "192.0.2.7")


def test_nobody_is_kept_from_signing_in_by_many_who_register() -> None:
    throttle = Throttle()
    for _ in range(60):
        throttle.count_account("192.0.2.7")
    throttle.refuse("ada", "192.0.2.7")
    with pytest.raises(SignInError, match="too many tries"):
        throttle.count_account("192.0.2.7")
    throttle.count_account("192.0.2.8")


# Where everybody may register


@pytest.fixture
def open_site(site: Site) -> Site:
    root = site.browser(site.account("root", "admin"))
    root.post("/organiser/settings", {"name": "open_registration", "value": "on"})
    return site


def test_where_registration_is_closed_nobody_registers(site: Site) -> None:
    root = site.browser(site.account("root", "admin"))
    root.post("/organiser/settings", {"name": "open_registration", "value": "off"})
    new = {"login": "max", "name": "Max", "password": PASSWORD}
    assert site.browser().post("/register", new).status_code == 422
    assert account_of_login(site.host.store, "max") is None


def test_who_registers_is_an_author_and_signed_in(open_site: Site) -> None:
    browser = open_site.browser()
    new = {"login": "nora", "name": "Nora", "password": PASSWORD, "role": "admin"}
    assert browser.post("/register", new).headers["location"] == "/account/"
    assert find_account(open_site.host.store, "nora").role == "author"
    assert browser.get("/account/").status_code == 200


def test_a_login_is_registered_once(open_site: Site) -> None:
    open_site.account("oskar")
    new = {"login": "oskar", "name": "Oskar", "password": PASSWORD}
    answer = open_site.browser().post("/register", new)
    assert answer.status_code == 422
    assert "There is an account oskar already" in answer.text
