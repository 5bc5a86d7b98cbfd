"""What is answered where there is nothing to show, or nothing may be done."""

from posixpath import dirname

import pytest
from starlette.testclient import TestClient

from tests.web.scenes import ids, is_page, links

HUGE = str(10**30)
ENDLESS = "9" * 10_000
NO_NUMBERS = ("0", "-1", "01", "1.5", "abc", "²", "%00", HUGE, ENDLESS)
NUMBERED = (
    "/leagues/club/entrants/{}.html",
    "/leagues/club/pairings/1-{}.html",
    "/leagues/club/pairings/1-2-page-{}.html",
    "/leagues/club/duels/1-2-{}.html",
    "/leagues/club/duels/{}-2-1.html",
)
NUMBERED_FOR_PROGRAMS = (
    "/api/v1/leagues/club/entrants/{}",
    "/api/v1/leagues/club/pairings/1-{}/duels",
    "/api/v1/leagues/club/pairings/1-2/duels/{}",
    "/api/v1/leagues/club/pairings/1-2/duels?after={}",
    "/api/v1/leagues/club/pairings/1-2/duels?most={}",
)
NOWHERE = (
    "/nothing.html",
    "/nothing/",
    "/leagues/",
    "/leagues/none/",
    "/leagues/none/fairness.html",
    "/leagues/none/pairings/",
    "/leagues/none/entrants/1.html",
    "/leagues/none/live",
    "/leagues/CLUB/",
    "/leagues/club/nothing.html",
    "/leagues/club/entrants/4.html",
    "/leagues/club/pairings/1-4.html",
    "/leagues/club/pairings/1-1.html",
    "/leagues/club/pairings/1-2-page-2.html",
    "/leagues/club/duels/1-2-999.html",
    "/leagues/club/duels/2-1-1.html",
    "/leagues/empty/entrants/1.html",
    "/static/nothing.css",
    "/static/",
    "/static/%2e%2e/app.py",
    "/static/..%2fapp.py",
    "/" + "x" * 10_000,
    "/leagues/" + "x" * 10_000 + "/",
    "/docs",
    "/openapi.json",
)
NOWHERE_FOR_PROGRAMS = (
    "/api/v1/nothing",
    "/api/v1/leagues/none",
    "/api/v1/leagues/none/history",
    "/api/v1/leagues/none/crosstable",
    "/api/v1/leagues/none/entrants/1",
    "/api/v1/leagues/none/pairings/1-2/duels",
    "/api/v1/leagues/club/entrants/4",
    "/api/v1/leagues/club/pairings/1-1/duels",
    "/api/v1/leagues/club/pairings/1-4/duels",
    "/api/v1/leagues/club/pairings/1-2/duels/999",
)
PAGES = ("/", "/leagues/club/", "/leagues/club/duels/1-2-1.html", "/api/", "/static/upcard.css")
REST = ("/healthz", "/metrics", "/leagues/club/live", "/api/v1/leagues", "/api/v1/openapi.json")
FOR_PROGRAMS = (
    "/api/v1/leagues",
    "/api/v1/leagues/club",
    "/api/v1/leagues/club/history",
    "/api/v1/leagues/club/crosstable",
    "/api/v1/leagues/club/entrants/1",
    "/api/v1/leagues/club/pairings/1-2/duels",
    "/api/v1/leagues/club/pairings/1-2/duels?most=1",
    "/api/v1/leagues/club/pairings/1-2/duels/1",
)
CHANGES = ("POST", "PUT", "DELETE", "PATCH")


@pytest.mark.parametrize("address", NOWHERE)
def test_what_is_not_there_is_told_on_a_page(asks: TestClient, address: str) -> None:
    answer = asks.get(address)
    assert (answer.status_code, is_page(answer)) == (404, True)


@pytest.mark.parametrize("address", NOWHERE_FOR_PROGRAMS)
def test_what_is_not_there_is_told_to_programs_in_a_sentence(
    asks: TestClient, address: str
) -> None:
    answer = asks.get(address)
    assert answer.status_code == 404
    assert [*answer.json()] == ["error"]
    assert answer.json()["error"].endswith(".")


@pytest.mark.parametrize("number", NO_NUMBERS)
@pytest.mark.parametrize("address", NUMBERED)
def test_what_is_no_number_is_no_address(asks: TestClient, address: str, number: str) -> None:
    answer = asks.get(address.format(number))
    assert (answer.status_code, is_page(answer)) == (404, True)


@pytest.mark.parametrize("number", [*NO_NUMBERS[1:], "999999999999"])
@pytest.mark.parametrize("address", NUMBERED_FOR_PROGRAMS)
def test_a_program_that_asks_for_no_number_is_told_so(
    asks: TestClient, address: str, number: str
) -> None:
    answer = asks.get(address.format(number))
    if number == "01":
        assert answer.status_code in {200, 404}
    else:
        assert answer.status_code == 422
        assert [*answer.json()] == ["error"]


@pytest.mark.parametrize("address", NOWHERE)
def test_the_page_of_an_error_is_short(asks: TestClient, address: str) -> None:
    assert len(asks.get(address).text) < 2000


@pytest.mark.parametrize("address", [*NOWHERE, "//x", "/leagues//x", "/a//b//c.html"])
def test_the_page_of_an_error_leads_home(asks: TestClient, address: str) -> None:
    up = "../" * (address.count("/") + address.count("%2f") - 1)
    assert f"{up}index.html" in links(asks.get(f"http://testserver{address}").text)


@pytest.mark.parametrize("address", ["/%2e%2e/x", "/%2e%2e/%2e%2e/x", "/leagues/%2e%2e/%2e%2e/x/"])
def test_an_address_that_leads_above_the_first_page_tells_nothing_of_the_machine(
    asks: TestClient, address: str
) -> None:
    up = "../" * (address.count("/") - 1)
    assert {dirname(link) for link in links(asks.get(address).text) if "icon" in link} == {
        f"{up}static"
    }


def test_an_error_names_a_league_as_it_is_called(asks: TestClient) -> None:
    words = asks.get("/leagues/club/entrants/9.html").text
    assert "There is no entrant 9 in club." in words


def test_an_error_keeps_the_letters_of_what_was_asked_for(asks: TestClient) -> None:
    words = asks.get("/leagues/NoClub/").text
    assert "There is no league “NoClub” here." in words


def test_an_error_shows_what_was_asked_for_as_text(asks: TestClient) -> None:
    page = asks.get("/<script>alert(1)</script>").text
    assert "<script" not in page
    assert "&lt;script&gt;" in page


def test_an_error_has_nothing_but_its_own_places(asks: TestClient) -> None:
    assert ids(asks.get('/nothing" id="made').text) == {"main"}


@pytest.mark.parametrize("address", [*PAGES, *REST])
@pytest.mark.parametrize("method", CHANGES)
def test_nothing_can_be_changed(asks: TestClient, method: str, address: str) -> None:
    assert asks.request(method, address, content=b"{}").status_code == 405


@pytest.mark.parametrize("address", [*PAGES[:-1], *REST])
def test_who_would_change_something_is_told_what_can_be_done(
    asks: TestClient, address: str
) -> None:
    assert "GET" in asks.post(address).headers["allow"]


def test_a_program_that_would_change_something_is_told_so(asks: TestClient) -> None:
    assert [*asks.post("/api/v1/leagues").json()] == ["error"]


@pytest.mark.parametrize("address", [*PAGES, *REST, *FOR_PROGRAMS])
def test_every_address_answers_head_without_a_body(asks: TestClient, address: str) -> None:
    answer = asks.head(address)
    assert (answer.status_code, answer.content) == (200, b"")


@pytest.mark.parametrize("address", FOR_PROGRAMS)
def test_head_has_the_headers_of_get(asks: TestClient, address: str) -> None:
    assert asks.head(address).headers == asks.get(address).headers


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/leagues/none/", 404),
        ("/leagues/none/live", 404),
        ("/api/v1/leagues/none", 404),
        ("/api/v1/leagues/club/entrants/x", 422),
    ],
)
def test_head_has_the_status_of_get(asks: TestClient, address: str, status: int) -> None:
    assert asks.head(address).status_code == status


@pytest.mark.parametrize(
    "name", ["https:evil.example", "javascript:alert(1)", "a?b", "%2e%2e", ".."]
)
def test_an_address_without_its_slash_leads_nowhere_else(asks: TestClient, name: str) -> None:
    there = asks.build_request("GET", f"/leagues/{name}").url
    location = asks.get(there).headers.get("location", "./")
    assert location.startswith("./")
    assert "//" not in location
