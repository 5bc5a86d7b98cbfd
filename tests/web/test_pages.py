"""Every page there is, by its address, and what leads from one to another."""

import re
from pathlib import Path
from posixpath import join

import pytest
from starlette.testclient import TestClient

from referee.engine.registry import PRESETS
from referee.scheduling.round_robin import pairings
from referee.store.opening import open_store
from tests.cli.leagues import make_older, write_league
from tests.web import scenes
from tests.web.scenes import CLUB, CUP, EMPTY, NEW, Answers, League, data, ids, is_page, links

OF_A_LEAGUE = (
    "",
    "index.html",
    "fairness.html",
    "game.html",
    "pairings/",
    "pairings/index.html",
)


def pages(league: League) -> list[str]:
    """Return all pages of a league, some by more than one address."""
    pairs = [*pairings(range(1, league.entrants + 1))]
    return [
        f"/leagues/{league.name}/{page}"
        for page in (
            *OF_A_LEAGUE,
            *(f"entrants/{number}.html" for number in range(1, league.entrants + 1)),
            *(f"pairings/{one}-{other}.html" for one, other in pairs),
            *(f"pairings/{other}-{one}.html" for one, other in pairs),
            *(f"pairings/{one}-{other}-page-1.html" for one, other in pairs),
            *(
                f"duels/{one}-{other}-{number}.html"
                for one, other in pairs
                for number in range(1, league.duels + 1)
            ),
        )
    ]


@pytest.mark.slow
@pytest.mark.parametrize("address", [page for each in (CLUB, NEW, EMPTY) for page in pages(each)])
def test_every_page_of_an_open_league_is_there(asks: TestClient, address: str) -> None:
    answer = asks.get(address)
    assert (answer.status_code, is_page(answer)) == (200, True)


@pytest.mark.slow
@pytest.mark.parametrize("address", pages(CUP))
def test_every_page_of_a_league_that_is_over_is_there(asks_over: TestClient, address: str) -> None:
    assert asks_over.get(address).status_code == 200


@pytest.mark.slow
@pytest.mark.parametrize("address", ["/", "/index.html", "/api/", "/api/index.html"])
def test_a_store_without_leagues_has_its_first_pages(tmp_path: Path, address: str) -> None:
    with open_store(str(tmp_path / "upcard.db"), create=True) as store, scenes.client(store) as new:
        assert new.get(address).status_code == 200


@pytest.mark.parametrize(
    ("short", "whole"), [("/leagues/club", "/leagues/club/"), ("/api", "/api/")]
)
def test_a_page_is_found_without_its_slash(asks: TestClient, short: str, whole: str) -> None:
    answer = asks.get(short)
    assert answer.is_redirect
    assert join("/", answer.next_request.url.path if answer.next_request else "") == whole


def test_every_link_leads_to_something(answers: Answers, answers_over: Answers) -> None:
    lost = [
        (address, answer.status_code)
        for all_answers in (answers, answers_over)
        for address, answer in all_answers.items()
        if answer.status_code != 200
    ]
    assert lost == []


@pytest.mark.parametrize("league", [CLUB, NEW, EMPTY], ids=lambda league: league.name)
def test_every_page_can_be_reached(answers: Answers, league: League) -> None:
    there = {address for address in pages(league) if address.endswith(".html")}
    met = {address for address in answers if f"/{league.name}/" in address}
    pairs = [*pairings(range(1, league.entrants + 1))]
    again = {
        f"/leagues/{league.name}/pairings/{each}.html"
        for one, other in pairs
        for each in (f"{other}-{one}", f"{one}-{other}-page-1")
    }
    # Who has not met anybody has no pairing that a page would lead to.
    unmet = (
        set()
        if league.duels
        else {f"/leagues/{league.name}/pairings/{one}-{other}.html" for one, other in pairs}
    )
    assert met == there - again - unmet


def test_pages_are_linked_by_addresses_that_hold_anywhere(answers: Answers) -> None:
    for answer in answers.values():
        if is_page(answer):
            for link in links(answer.text):
                assert not link.startswith("/")
                assert ":" not in link


def test_a_link_to_a_place_in_its_own_page_finds_it(answers: Answers) -> None:
    for address, answer in answers.items():
        if is_page(answer):
            own = {link[1:] for link in links(answer.text) if link.startswith("#")}
            # What has an equals sign is for the script of the replay.
            assert {place for place in own if "=" not in place} <= ids(answer.text), address


def test_no_two_places_of_a_page_have_the_same_name(answers: Answers) -> None:
    for address, answer in answers.items():
        if is_page(answer):
            found = scenes.all_ids(answer.text)
            assert len(found) == len({*found}), address


def test_every_file_is_said_to_be_what_it_is(answers: Answers) -> None:
    kinds = {
        "html": "text/html",
        "css": "text/css",
        "js": "text/javascript",
        "svg": "image/svg+xml",
        "json": "application/json",
        "/": "text/html",
    }
    for address, answer in answers.items():
        kind = kinds["/" if address == "/" else address.rpartition(".")[2]]
        assert answer.headers["content-type"].partition(";")[0] == kind, address


def test_pages_ask_to_be_looked_at_again(answers: Answers) -> None:
    kept = {a.headers.get("cache-control") for a in answers.values() if is_page(a)}
    assert kept == {"no-cache"}


def test_a_rank_is_shown_as_the_range_it_is(asks: TestClient) -> None:
    ranks = re.findall(r'<td class="rank">([^<]+)', asks.get("/leagues/club/").text)
    table = asks.get("/api/v1/leagues/club").json()["table"]
    found = [f"{row['best_rank']}–{row['worst_rank']}" for row in table]
    assert ranks == found == ["1–3"] * 3


def test_the_head_of_the_log_is_shown_on_the_page_of_its_league(asks: TestClient) -> None:
    head = asks.get("/api/v1/leagues/club").json()["log"]["head"]
    assert f'<code id="head">{head}</code>' in asks.get("/leagues/club/").text
    assert head in asks.get("/leagues/club/fairness.html").text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("older", "reason"),
    [
        (False, "suspended: at fault in 10 of 10 duels"),
        (True, "faults: in more than half of its duels"),
    ],
)
def test_who_is_listed_apart_has_a_reason(tmp_path: Path, older: bool, reason: str) -> None:
    place = tmp_path / "upcard.db"
    write_league(place, duels=10, faulty={2})
    if older:
        make_older(place)
    with scenes.served(place) as asks:
        assert reason in asks.get("/leagues/club/").text
        assert reason in asks.get("/leagues/club/entrants/2.html").text


def test_a_large_page_is_sent_compressed(asks: TestClient) -> None:
    answer = asks.get("/leagues/club/duels/1-2-1.html", headers={"Accept-Encoding": "gzip"})
    assert answer.headers["content-encoding"] == "gzip"


CARDS = sorted({card for preset in PRESETS.values() for card in preset.kind.pack})


@pytest.mark.slow
@pytest.mark.parametrize("card", CARDS)
def test_the_replay_has_every_card(asks: TestClient, answers: Answers, card: str) -> None:
    here = "/leagues/club/duels/1-2-1.html"
    cards = data(answers[here].text)["cards"]
    assert asks.get(join("/leagues/club/duels", cards, f"{card}.svg")).status_code == 200


def test_only_the_page_of_an_open_league_renews_itself(
    answers: Answers, answers_over: Answers
) -> None:
    live = {
        address
        for all_answers in (answers, answers_over)
        for address, answer in all_answers.items()
        if is_page(answer) and "htmx" in answer.text
    }
    assert live == {f"/leagues/{name}/index.html" for name in ("club", "new", "empty")}


@pytest.mark.parametrize(
    "address",
    [
        "/leagues/club/duels/1-2-5.html",
        "/api/v1/leagues/club/pairings/1-2/duels/5",
        "/leagues/new/duels/1-2-1.html",
        "/api/v1/leagues/new/pairings/1-2/duels/1",
    ],
)
def test_a_duel_that_is_not_over_is_not_shown(asks: TestClient, address: str) -> None:
    assert asks.get(address).status_code == 404


@pytest.mark.slow
def test_nothing_is_written_to_the_store(over_place: Path) -> None:
    files = [over_place, over_place.with_name(f"{over_place.name}-wal")]

    def written() -> list[bytes]:
        return [path.read_bytes() for path in files if path.exists()]

    with scenes.served(over_place) as asks:
        asks.get("/")
        before = written()
        addresses = [*scenes.crawled(asks), "/api/v1/leagues/cup", "/metrics", "/healthz"]
        for address in addresses:
            for method in ("POST", "PUT", "DELETE"):
                asks.request(method, address)
        assert written() == before
