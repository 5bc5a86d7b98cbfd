"""Who may use which route: all of them are in one table, and nothing is allowed by default."""

import re
import shutil
import zlib
from collections.abc import Iterable, Iterator, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Final

import httpx2 as httpx
import pytest
from fastapi.routing import APIRouter
from starlette.routing import BaseRoute, Mount, Route

from referee.hosting.examinations import BUILD_LOG, REPORT, fault_name
from referee.store.accounts import account_of_login, change_account, find_account
from referee.store.assignments import add_assignment
from referee.store.audit import announce
from referee.store.database import writing
from referee.store.hosting_models import NewAssignment
from referee.store.submissions import put_files
from referee.web.host import course
from tests.store import hosting_scenes
from tests.web.host import scene
from tests.web.host.scene import LADDER, MULTIPART, PACKAGE, PASSWORD, Browser, Program, Site

PEOPLE: Final = frozenset({"ada", "bert", "olga", "root"})
"""Who is signed in by a browser: two authors, the first of whom owns what is asked for; an
organiser; an admin."""
READ: Final = frozenset({"ada to read"})
SUBMIT: Final = frozenset({"ada to submit", "ada to organise"})
ORGANISE: Final = frozenset({"olga to organise"})
TOKENS: Final = READ | SUBMIT | ORGANISE | {"bert to submit", "olga to submit"}
NOBODY: Final = frozenset({"nobody", "a disabled one", "an expired token", "no token"})
EVERYBODY: Final = PEOPLE | TOKENS | NOBODY

FORMS: Final = EVERYBODY - {"an expired token", "no token"}
"""Those whom a page gave what its form is sent with, or whose token shows that no page sent it."""
ORGANISERS: Final = frozenset({"olga", "root"})
OF_OLGA: Final = frozenset({"olga to submit", "olga to organise"})
READERS: Final = PEOPLE | TOKENS
SENDERS: Final = PEOPLE | TOKENS - READ
OWN_AND_ORGANISERS: Final = frozenset({"ada"}) | ORGANISERS | READ | SUBMIT | OF_OLGA
OWN: Final = frozenset({"ada"}) | READ | SUBMIT
WITH_A_PROVIDER: Final = frozenset[str]()
"""Nobody on this host, which has no provider; the tests of OpenID Connect have one."""
OWN_TO_CHANGE: Final = frozenset({"ada"}) | SUBMIT

MAY: Final = {
    # Signing in
    "GET /sign-in": EVERYBODY,
    "POST /sign-in": FORMS,
    "POST /sign-out": FORMS,
    "GET /sign-in/provider": WITH_A_PROVIDER,
    "GET /sign-in/provider/answer": WITH_A_PROVIDER,
    "GET /register": EVERYBODY,
    "POST /register": FORMS,
    "GET /invitation": EVERYBODY,
    "POST /invitation": FORMS,
    # One's own account
    "GET /account/": PEOPLE,
    "GET /account/settings": PEOPLE,
    "POST /account/details": PEOPLE,
    "POST /account/password": PEOPLE,
    "POST /account/tokens": PEOPLE,
    "POST /account/tokens/{number}/revoke": PEOPLE,
    "GET /account/data.zip": PEOPLE,
    "POST /account/delete": PEOPLE,
    # Submissions
    "POST /submissions": PEOPLE,
    "GET /submissions/{number}": frozenset({"ada"}) | ORGANISERS,
    "GET /submissions/{number}/build.log": OWN_AND_ORGANISERS,
    "GET /submissions/{number}/report.json": OWN_AND_ORGANISERS,
    "GET /submissions/{number}/faults/{fault}.json": OWN,
    "POST /submissions/{number}/rest": OWN_TO_CHANGE,
    "POST /submissions/{number}/choose": OWN_TO_CHANGE,
    # Ladders
    "GET /ladders/": EVERYBODY,
    "GET /ladders/{name}/": EVERYBODY,
    "GET /ladders/{name}": EVERYBODY,
    "GET /ladders/{name}/entrants/{number}": EVERYBODY,
    "GET /challenges/": PEOPLE,
    "POST /challenges": PEOPLE,
    # The organiser's desk
    "GET /organiser/": ORGANISERS,
    "POST /organiser/submissions/{number}/ban": ORGANISERS | ORGANISE,
    "POST /organiser/submissions/{number}/suspend": ORGANISERS | ORGANISE,
    "POST /organiser/submissions/{number}/lift": ORGANISERS | ORGANISE,
    "POST /organiser/submissions/{number}/examine": ORGANISERS | ORGANISE,
    "POST /organiser/examine": ORGANISERS | ORGANISE,
    "POST /organiser/ladders/{name}": ORGANISERS | ORGANISE,
    "GET /organiser/accounts": ORGANISERS,
    "POST /organiser/invitations": ORGANISERS,
    "POST /organiser/roster": ORGANISERS,
    "POST /organiser/accounts/{login}/invite": ORGANISERS,
    "POST /organiser/accounts/{login}/disable": ORGANISERS,
    "GET /organiser/accounts/{login}": frozenset({"root"}),
    "POST /organiser/accounts/{login}/role": frozenset({"root"}),
    "POST /organiser/accounts/{login}/delete": frozenset({"root"}),
    "GET /organiser/announcements": ORGANISERS,
    "POST /organiser/announcements": ORGANISERS,
    "POST /organiser/announcements/{number}/end": ORGANISERS,
    "GET /organiser/settings": frozenset({"root"}),
    "POST /organiser/settings": frozenset({"root"}),
    "GET /organiser/audit": ORGANISERS,
    "GET /organiser/assignments": ORGANISERS,
    "POST /organiser/assignments": ORGANISERS,
    "POST /organiser/assignments/{number}/remove": ORGANISERS,
    "GET /organiser/assignments/{number}": ORGANISERS,
    "GET /organiser/assignments/{number}/grades.csv": ORGANISERS | ORGANISE,
    # Packages of SDKs
    "GET /sdk": EVERYBODY,
    "GET /sdk/": EVERYBODY,
    "GET /sdk/{file}": EVERYBODY,
    # For programs
    "GET /api/v1/me": READERS,
    "POST /api/v1/tokens": EVERYBODY,
    "GET /api/v1/ladders": READERS,
    "GET /api/v1/ladders/{name}": EVERYBODY,
    "POST /api/v1/submissions": TOKENS - READ,
    "GET /api/v1/submissions": READERS,
    "GET /api/v1/submissions/{number}": OWN_AND_ORGANISERS,
    "GET /api/v1/submissions/{number}/build.log": OWN_AND_ORGANISERS,
    "GET /api/v1/submissions/{number}/faults/{fault}": OWN,
    "POST /api/v1/submissions/{number}/rest": OWN_TO_CHANGE,
    "POST /api/v1/submissions/{number}/choose": OWN_TO_CHANGE,
    "POST /api/v1/challenges": SENDERS,
}
"""Who may use each route of a host."""
FOR_SPECTATORS: Final = frozenset(
    {
        *("/", "/index.html", "/api", "/api/", "/api/index.html", "/healthz", "/metrics"),
        *("/static/...", "/api/v1/openapi.json"),
        *("/leagues/{name}", "/leagues/{name}/", "/leagues/{name}/index.html"),
        *("/leagues/{name}/live", "/leagues/{name}/fairness.html"),
        *(f"/leagues/{{name}}/game.{kind}" for kind in ("html", "rcy", "svg")),
        *("/leagues/{name}/pairings/", "/leagues/{name}/pairings/index.html"),
        "/leagues/{name}/pairings/{one}-{other}.html",
        "/leagues/{name}/pairings/{one}-{other}-page-{page}.html",
        "/leagues/{name}/entrants/{number}.html",
        "/leagues/{name}/duels/{first}-{second}-{number}.html",
        *("/api/v1/leagues", "/api/v1/leagues/{league}", "/api/v1/leagues/{league}/history"),
        *("/api/v1/leagues/{league}/crosstable", "/api/v1/leagues/{league}/entrants/{number}"),
        "/api/v1/leagues/{league}/pairings/{one}-{other}/duels",
        "/api/v1/leagues/{league}/pairings/{one}-{other}/duels/{number}",
    }
)
"""What everybody may read, on a host as elsewhere."""
FIELDS: Final = {
    "/sign-in": {"login": "ada", "password": PASSWORD},
    "/api/v1/tokens": {"login": "ada", "password": PASSWORD},
}
"""What has to be in a form so that its answer is not a refusal."""
ARCHIVE: Final = b"no archive"
BUNDLE: Final = zlib.compress(b"{}")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, empty: Path) -> Iterator[Site]:
    """Return a host on which what is number 1 of each kind is Ada's."""
    directory = tmp_path_factory.mktemp("host")
    with (
        pytest.MonkeyPatch.context() as patch,
        scene.hosted(Path(shutil.copy(empty, directory))) as site,
    ):
        ada = site.account("ada")
        for login in ("bert", "zoe", "gone"):
            site.account(login)
        site.account("olga", "organiser")
        site.account("root", "admin")
        store = site.host.store
        site.program(ada)  # to be revoked
        found = hosting_scenes.accepted(store, directory, ada, site.ladder)
        with writing(store) as connection:
            files = {REPORT: b'{"lines": []}', BUILD_LOG: b"built", fault_name(1): BUNDLE}
            put_files(connection, found.id, files)
        week = timedelta(days=7)
        new = NewAssignment("one", None, site.now + week, week, "last", ())
        add_assignment(store, new, site.ladder, site.by)
        # It stays, for all who ask for it later.
        patch.setattr(course, "remove_assignment", lambda *_: None)
        announce(store, "welcome", None, site.by)
        yield site


@pytest.fixture(scope="module")
def visitors(site: Site) -> Mapping[str, Browser | Program]:
    return visited(site)


def visited(site: Site) -> Mapping[str, Browser | Program]:
    """Return by what everybody asks."""
    return {who: visitor(site, who) for who in sorted(EVERYBODY)}


def visitor(site: Site, who: str) -> Browser | Program:
    """Return by what somebody asks, signed in anew."""
    login, _, scope = who.partition(" to ")
    match who:
        case "nobody":
            return site.browser()
        case "no token":
            return Program(site, "upc_of-nobody")
        case "an expired token":
            return site.program(site.account("ada"), "read", "submit", "organise", days=0)
        case "a disabled one":
            browser = site.browser(gone := site.account("gone"))
            change_account(site.host.store, gone, {"disabled": site.now}, site.by)
            return browser
    if not scope:
        return site.browser(site.account(login))
    scopes = {"read": ["read"], "submit": ["read", "submit"]}
    every = ["read", "submit", "organise"]
    return site.program(site.account(login), *scopes.get(scope, every))


def asked(by: Browser | Program, method: str, path: str) -> httpx.Response:
    """Ask for something, in a way in which nothing but who asks is wrong."""
    address = re.sub(r"\{(number|fault)\}", "1", path).format(
        name=LADDER, login="zoe", file=PACKAGE
    )
    if method == "GET":
        return by.get(address)
    if path == "/submissions" and isinstance(by, Browser):
        return by.upload(ARCHIVE)
    if path == "/submissions":
        kind, content = {"Content-Type": MULTIPART}, scene.multipart([], [("a", "b", ARCHIVE)])
        return by.send("POST", address, kind, content)
    if path == "/api/v1/submissions":
        return by.send("POST", address, content=ARCHIVE)
    return by.post(address, FIELDS.get(path))


def is_refused(answer: httpx.Response) -> bool:
    """Return whether somebody may not do what was asked, or not even know that it is there."""
    to_sign_in = answer.headers.get("location", "").startswith("/sign-in")
    return to_sign_in or answer.status_code in {401, 403, 404}


@pytest.mark.parametrize("route", MAY)
def test_those_may_use_it_who_are_in_the_table(
    site: Site, visitors: Mapping[str, Browser | Program], route: str
) -> None:
    site.begin()
    method, path = route.split()
    found = visitors if path not in {"/sign-in", "/sign-out"} else visited(site)
    answers = {who: asked(by, method, path) for who, by in found.items()}
    assert {who for who, answer in answers.items() if not is_refused(answer)} == MAY[route]


def test_every_route_is_in_the_table(site: Site) -> None:
    app = site.client.app
    assert {*_routes(app.routes)} == {  # type: ignore[attr-defined]
        *MAY,
        *(f"GET {path}" for path in FOR_SPECTATORS),
    }


def _routes(routes: Iterable[BaseRoute], prefix: str = "") -> Iterator[str]:
    """Return each route with its method, without the kinds of what varies in its address."""
    for each in routes:
        match each:
            case Mount():
                yield f"GET {prefix}{each.path}/..."
            case Route():
                path = re.sub(r"\{(\w+):\w+\}", r"{\1}", f"{prefix}{each.path}")
                yield from (f"{method} {path}" for method in {*(each.methods or "any")} - {"HEAD"})
            case _:
                router = vars(each)["original_router"]
                assert isinstance(router, APIRouter)
                yield from _routes(router.routes, vars(each)["include_context"].prefix)


# Whom an organiser may change


@pytest.mark.parametrize("login", ["root", "otto"])
@pytest.mark.parametrize("what", ["invite", "disable"])
def test_an_organiser_changes_nobody_who_may_do_as_much(site: Site, login: str, what: str) -> None:
    site.account("otto", "organiser")
    answer = site.browser(site.account("olga")).post(f"/organiser/accounts/{login}/{what}")
    assert answer.status_code == 422
    assert f"Only an admin may change {login}" in answer.text


@pytest.mark.parametrize("login", ["root", "otto"])
def test_nor_by_a_roster(site: Site, login: str) -> None:
    otto = site.account("otto", "organiser")
    # Who has no password yet would be sent a link.
    change_account(site.host.store, otto, {"password": None}, site.by)
    roster = {"roster": f"login,name\n{login},Olga too\n"}
    answer = site.browser(site.account("olga")).post("/organiser/roster", roster)
    assert answer.status_code == 422
    assert find_account(site.host.store, login).name == login.title()


def test_an_admin_changes_another_but_not_herself(site: Site) -> None:
    site.account("ruth", "admin")
    root = site.browser(site.account("root"))
    assert root.post("/organiser/accounts/ruth/disable").status_code == 303
    assert root.post("/organiser/accounts/root/disable").status_code == 422


def test_an_organiser_makes_no_admin(site: Site) -> None:
    olga = site.browser(site.account("olga"))
    answer = olga.post("/organiser/invitations", {"login": "eve", "role": "admin"})
    assert answer.status_code == 422
    assert account_of_login(site.host.store, "eve") is None


# How a refusal is told


def test_a_browser_is_led_to_sign_in_and_back(site: Site) -> None:
    answer = site.browser().get("/account/settings")
    assert (answer.status_code, answer.headers["location"]) == (
        303, "/sign-in?to=/account/settings",
    )  # fmt: skip


def test_a_program_is_told_what_is_wrong(site: Site) -> None:
    answer = Program(site, "upc_of-nobody").get("/api/v1/me")
    assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")
    assert answer.json()["error"].startswith("Sign in first")
    answer = visitor(site, "ada to read").submit(b"")  # type: ignore[union-attr]
    assert (answer.status_code, answer.json()) == (403, {"error": "Your token is not for that"})


def test_a_submission_of_somebody_else_is_as_if_it_was_not_there(site: Site) -> None:
    bert = site.browser(site.account("bert"))
    there, not_there = bert.get("/submissions/1"), bert.get("/submissions/999")
    assert there.status_code == not_there.status_code == 404
    assert there.text.replace("submission 1 ", "") == not_there.text.replace("submission 999 ", "")


def test_what_is_ones_own_is_for_no_cache(site: Site) -> None:
    ada = site.browser(site.account("ada"))
    for path in ("/account/", "/ladders/"):
        assert ada.get(path).headers["cache-control"] == "no-store"
    answer = ada.post("/account/details", {"name": ""})
    assert (answer.status_code, answer.headers["cache-control"]) == (422, "no-store")
    assert site.browser().get("/ladders/").headers["cache-control"] == "no-cache"
