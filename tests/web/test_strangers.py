"""Names and words that strangers chose to do harm with them: they are text, and nothing else."""

from collections.abc import Iterator, Mapping
from html.parser import HTMLParser

import pytest
from sqlalchemy import update
from starlette.testclient import TestClient

from referee.scheduling.keys import DuelKey
from referee.store.database import writing
from referee.store.opening import open_store
from referee.store.rows import BOT, VOID
from tests.cli.leagues import write_league
from tests.web import scenes
from tests.web.scenes import Answers, data, is_page

MARK = "MARK-OF-THE-STRANGER"
LONG = "n" * 10_000
HOSTILE = (
    f"<script>{MARK}</script>\"><img src={MARK} onerror={MARK}>' {MARK}=' onmouseover='",
    f"</script><!--<script {MARK}>",
    f"\u202e{MARK}\u2066\x1b[2J\0",
    LONG,
    "{{ 7 * 7 }}{% raw %}",
)


class Read(HTMLParser):
    """What a browser makes of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.attributes: set[str] = set()
        self.tags: set[str] = set()
        self.scripts: list[dict[str, str | None]] = []
        self.words = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag == "script":
            self.scripts.append(dict(attrs))

    def handle_data(self, data: str) -> None:
        self.words += data


@pytest.fixture(scope="module")
def asks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """Serve a league of strangers, who chose every word that one can choose."""
    place = tmp_path_factory.mktemp("strangers") / "upcard.db"
    words = " ".join(HOSTILE[:3])
    write_league(
        place,
        [(name, f"<b>{MARK}") for name in HOSTILE],
        duels=2,
        played=1,
        faulty={1},
        voids=[DuelKey(1, 2, 1)],
        explanation=words,
    )
    with open_store(str(place)) as store:
        with writing(store) as connection:
            connection.execute(update(BOT).values(author=words, language=words[:60]))
            connection.execute(update(VOID).values(reason=words))
        with scenes.client(store) as client:
            yield client


@pytest.fixture(scope="module")
def answers(asks: TestClient) -> Answers:
    return scenes.crawled(asks)


@pytest.fixture(scope="module")
def pages(answers: Answers) -> Mapping[str, Read]:
    return {at: Read(answer.text) for at, answer in answers.items() if is_page(answer)}


def test_every_page_is_there(answers: Answers) -> None:
    assert {answer.status_code for answer in answers.values()} == {200}


def test_strangers_are_on_every_kind_of_page(answers: Answers) -> None:
    """No check here is empty."""
    kinds = {at.rpartition("/")[0] for at, each in answers.items() if MARK in each.text}
    club = "/leagues/club"
    assert kinds >= {"", club, f"{club}/pairings", f"{club}/entrants", f"{club}/duels"}


def test_no_name_brings_an_element_along(pages: Mapping[str, Read]) -> None:
    for address, page in pages.items():
        assert not {"img", "b", "script"} & page.tags - own(address), address


def own(address: str) -> set[str]:
    """Return what a page has itself: the mark of Upcard, its scripts, what is set in bold."""
    scripts = {"script"} if "/duels/" in address or address == "/leagues/club/index.html" else set()
    return {"img", *scripts, *({"b"} if address.endswith("pairings/index.html") else ())}


def test_no_name_brings_an_attribute_along(pages: Mapping[str, Read]) -> None:
    for address, page in pages.items():
        strange = {
            name for name in page.attributes if name.startswith("on") or MARK.lower() in name
        }
        assert strange == set(), address


def test_no_name_brings_a_picture_along(answers: Answers) -> None:
    for address, answer in answers.items():
        if is_page(answer):
            assert not [each for each in scenes.links(answer.text) if MARK in each], address


def test_scripts_are_files_of_ours_or_data(pages: Mapping[str, Read]) -> None:
    for address, page in pages.items():
        for script in page.scripts:
            ours = "static/" in (script.get("src") or "")
            assert ours or script.get("type") == "application/json", address


def test_nothing_is_shown_that_turns_letters_around(answers: Answers) -> None:
    for address, answer in answers.items():
        if is_page(answer):
            for letter in "\u202e\u2066\x1b\0":
                assert letter not in answer.text, address


def test_a_long_name_is_nowhere_shown_in_full(answers: Answers) -> None:
    for address, answer in answers.items():
        if is_page(answer):
            assert "n" * 100 not in answer.text, address


def test_a_name_is_never_a_template(answers: Answers) -> None:
    assert "{{ 7 * 7 }}" in answers["/leagues/club/entrants/5.html"].text


def test_the_replay_is_told_names_as_text(answers: Answers) -> None:
    for address, answer in answers.items():
        if "/duels/" in address:
            for room in ("open", "closed"):
                names = {*data(answer.text)["rooms"][room]["sides"]}
                assert len(names) == 2
                assert all(len(name) <= 48 for name in names)


def test_programs_are_told_names_as_they_are(asks: TestClient) -> None:
    answer = asks.get("/api/v1/leagues/club/entrants/1")
    assert answer.json()["name"] == HOSTILE[0]
    assert answer.headers["content-type"] == "application/json"


def test_a_league_cannot_be_called_anything_that_is_markup(asks: TestClient) -> None:
    page = asks.get("/leagues/<script>/").text
    assert "<script" not in page
