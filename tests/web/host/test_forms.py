"""Forms are those of our own pages: no other site can send one for somebody who is signed in."""

import re

import pytest

from referee.web.host import forms
from referee.web.host.hosting import ROUTES
from referee.web.host.routes import Route
from tests.web.host.scene import (
    BOUNDARY,
    MULTIPART,
    Browser,
    Site,
    multipart,
    set_cookies,
)

POSTED = {each.path: each for each in ROUTES if each.method == "POST"}
FROM_ELSEWHERE = "from another page"
TOKEN_NAMED = re.compile(rf'name="{forms.FIELD}"')


def sent(browser: Browser, route: Route, token: str | None) -> int:
    """Send a form, or a file, with or without a token; return the status of what is refused."""
    path = re.sub(r"\{(\w+):number\}", "1", route.path).format(name="spring", login="ada")
    fields = {} if token is None else {forms.FIELD: token}
    match route.body:
        case "form":
            answer = browser.post_as_is(path, fields)
        case "file in a form":
            content = multipart(fields.items(), [("archive", "bot.zip", b"PK")])
            answer = browser.send("POST", path, {"Content-Type": MULTIPART}, content)
        case _:
            answer = browser.send("POST", path, content=b"PK")
    assert FROM_ELSEWHERE in answer.text
    return answer.status_code


@pytest.mark.parametrize("path", [each for each in POSTED if each != "/api/v1/tokens"])
def test_a_form_without_what_its_page_was_given_is_refused(site: Site, path: str) -> None:
    browser, other = site.browser(site.account("root", "admin")), site.browser()
    own = browser.form_token()
    tokens = {
        "none": None,
        "empty": "",
        "unsigned": "x" * 40,
        "damaged": own[:-1],
        "of another browser": other.form_token(),
        "for another use": site.host.signer.signed("invitation", 1),
    }
    found = {name: sent(browser, POSTED[path], token) for name, token in tokens.items()}
    assert found == dict.fromkeys(tokens, 403)
    del browser.cookies[forms.COOKIE]
    assert sent(browser, POSTED[path], own) == 403


def test_a_program_without_a_cookie_needs_none_to_sign_in(site: Site) -> None:
    site.account("ada")
    answer = site.browser().post_as_is("/api/v1/tokens", {"login": "ada", "password": "wrong"})
    assert FROM_ELSEWHERE not in answer.text


def test_every_form_of_a_page_has_its_token(site: Site) -> None:
    root = site.browser(site.account("root", "admin"))
    pages = [each.path for each in ROUTES if each.method == "GET" and "{" not in each.path]
    texts = {path: root.get(path).text for path in pages if not path.startswith("/api")}
    forms_of_page = {path: text.count("<form") for path, text in texts.items()}
    assert sum(forms_of_page.values()) > 10
    assert {path: len(TOKEN_NAMED.findall(text)) for path, text in texts.items()} == forms_of_page


def test_the_cookie_of_forms_is_of_this_host_alone(site: Site) -> None:
    (morsel,) = set_cookies(site.browser().get("/sign-in")).values()
    assert morsel.key == "__Host-form"
    assert (morsel["path"], morsel["domain"]) == ("/", "")
    assert (morsel["secure"], morsel["httponly"], morsel["samesite"]) == (True, True, "strict")


@pytest.mark.parametrize(
    "held", ["\u00e4" * 30, "," * 30, "x" * 65, "x"], ids=["letters", "signs", "long", "short"]
)
def test_a_cookie_that_was_not_drawn_here_is_replaced(site: Site, held: str) -> None:
    browser = site.browser()
    browser.cookies[forms.COOKIE] = held
    assert browser.post("/sign-in", {"login": "nobody"}).status_code == 403
    assert browser.cookies[forms.COOKIE] != held


@pytest.mark.parametrize(
    ("kind", "content", "status"),
    [
        ("application/json", b"{}", 415),
        ("", b"", 415),
        ("application/x-www-form-urlencoded", b"a=1&a=2", 400),
        ("application/x-www-form-urlencoded", b"a=%ff", 400),
        ("application/x-www-form-urlencoded", b"a=%00", 400),
        ("application/x-www-form-urlencoded", b"\xff=1", 400),
        ("application/x-www-form-urlencoded", b"&".join(b"f%d=1" % n for n in range(51)), 400),
        ("application/x-www-form-urlencoded", b"a=" + b"x" * (512 << 10), 413),
        (MULTIPART, b"--%s--" % BOUNDARY.encode(), 415),
    ],
    ids=[
        *("json", "no kind", "twice", "no UTF-8", "a zero", "nor this"),
        *("too many fields", "too large", "with a file"),
    ],
)
def test_what_is_no_form_is_refused(site: Site, kind: str, content: bytes, status: int) -> None:
    answer = site.browser().send("POST", "/sign-in", {"Content-Type": kind}, content)
    assert answer.status_code == status


def test_a_form_is_counted_as_it_arrives(site: Site) -> None:
    """Nothing says beforehand how large it is."""
    parts = [b"a=", *[b"x" * (64 << 10)] * 9]
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    answer = site.browser().send("POST", "/sign-in", kind, iter(parts))
    assert answer.status_code == 413


@pytest.mark.parametrize(
    "length",
    ["-1", "x", "1e3", b"\xb2", "9" * 5000],
    ids=["negative", "a letter", "a float", "another digit", "very long"],
)
def test_a_length_that_is_no_number_is_refused(site: Site, length: str | bytes) -> None:
    kind = "application/x-www-form-urlencoded"
    headers = {"Content-Type": kind, "Content-Length": length}
    assert site.browser().send("POST", "/sign-in", headers, b"a=1").status_code == 413
