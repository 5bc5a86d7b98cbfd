"""What no page, address or log of a host has: passwords, cookies, tokens, codes, keys."""

import io
import json
import logging
import re
import zipfile
from collections.abc import Iterator
from typing import NamedTuple

import httpx2 as httpx
import pytest

from referee.hosting.credentials import digest_of
from referee.store.audit import settings
from referee.web.host import asking, forms
from referee.web.host.hosting import ROUTES
from referee.web.host.provider import ANSWER, GO
from tests.web.host.scene import PASSWORD, Site

NEW_PASSWORD = "seven swans, no fox"


class Used(NamedTuple):
    """What was used while somebody was invited, signed in, and made a token."""

    secrets: dict[str, str]
    log: str
    """All that was logged meanwhile, on every level, the addresses of requests with it."""
    shown: list[httpx.Response]
    """All pages afterwards."""
    data: bytes
    """What she downloads of her own."""


@pytest.fixture(scope="module")
def used(whole_site: Site) -> Iterator[Used]:
    """Do all that takes a secret as an author, then read every page."""
    site, stream = whole_site, io.StringIO()
    handler, root = logging.StreamHandler(stream), logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    admin, author = site.browser(site.account("root", "admin")), site.browser()
    invited = admin.post("/organiser/invitations", {"login": "ada", "name": "Ada"})
    code = _found(invited, r"invitation#([^<\s]+)")
    author.post("/invitation", {"code": code})
    author.post("/invitation", {"code": code, "password": PASSWORD})
    author.post("/account/password", {"old": PASSWORD, "password": NEW_PASSWORD})
    author.post("/sign-in", {"login": "ada", "password": NEW_PASSWORD, "to": "/account/"})
    token = _found(author.post("/account/tokens", {"name": "laptop"}), r"upc_[\w-]+")
    form = {"login": "ada", "password": NEW_PASSWORD}
    other = author.site.browser().post_as_is("/api/v1/tokens", form).json()["token"]
    secrets = {
        "password": PASSWORD,
        "password now": NEW_PASSWORD,
        "hash": "$argon2",
        "code": code,
        "token": token,
        "digest of the token": digest_of(token),
        "token by password": other,
        "cookie": author.cookies[asking.COOKIE],
        "digest of the cookie": digest_of(author.cookies[asking.COOKIE]),
        "cookie of an admin": admin.cookies[asking.COOKIE],
        "cookie of forms": author.cookies[forms.COOKIE],
        "form token": author.form_token(),
        "key": settings(site.host.store)["secret_key"],
    }
    paths = {each.path for each in ROUTES if each.method == "GET" and "{" not in each.path}
    pages = sorted(paths - {GO, ANSWER, "/sdk"})
    shown = [by.get(path) for by in (admin, author) for path in ("/", *pages)]
    yield Used(secrets, stream.getvalue(), shown, author.get("/account/data.zip").content)
    root.removeHandler(handler)
    root.setLevel(level)


def _found(answer: httpx.Response, pattern: str) -> str:
    found = re.search(pattern, answer.text)
    assert found
    return found[found.lastindex or 0]


def leaked(used: Used, text: str, *but: str) -> list[str]:
    """Return which secrets are in a text."""
    return [name for name, each in used.secrets.items() if name not in but and each in text]


def test_what_was_used_is_what_there_is(used: Used) -> None:
    assert [name for name, each in used.secrets.items() if len(each) < 7] == []
    assert {each.status_code for each in used.shown} == {200, 403}


def test_no_log_and_no_address_has_a_secret(used: Used) -> None:
    assert "POST https://cards.example.org/invitation" in used.log
    assert leaked(used, used.log) == []


def test_no_page_has_a_secret_but_what_its_forms_are_sent_with(used: Used) -> None:
    found = [leaked(used, each.text, "form token") for each in used.shown]
    assert [each for each in found if each] == []


def test_no_header_has_a_secret(used: Used) -> None:
    found = [leaked(used, str(each.headers)) for each in used.shown]
    assert [each for each in found if each] == []


def test_nobodys_own_data_has_a_secret(used: Used) -> None:
    with zipfile.ZipFile(io.BytesIO(used.data)) as archive:
        text = "".join(archive.read(name).decode() for name in archive.namelist())
        about = json.loads(archive.read("account.json"))
    assert (about["login"], about["password"]) == ("ada", "kept as a hash")
    assert leaked(used, text) == []
