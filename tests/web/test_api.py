"""The API: every answer is as the OpenAPI description says, which describes each field."""

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest
from jsonschema import Draft202012Validator
from starlette.testclient import TestClient

import referee.reports
from referee.scheduling.keys import DuelKey
from referee.scheduling.round_robin import pairings
from referee.store.database import Store
from referee.store.leagues import begin_epoch, league
from referee.store.leases import lease
from referee.store.opening import open_store
from referee.web import api
from tests.cli.leagues import HELD, NOW, SEED
from tests.store.saving import save_duel
from tests.store.scenes import duel as played
from tests.web import scenes
from tests.web.scenes import CLUB, CUP, EMPTY, NEW, League

Described = Mapping[str, Any]
PREFIX: Final = "/api/v1"
ONE_LEAGUE: Final = f"{PREFIX}/leagues/{{league}}"
OF_A_LEAGUE: Final = (ONE_LEAGUE, f"{ONE_LEAGUE}/history", f"{ONE_LEAGUE}/crosstable")
ENTRANT: Final = f"{ONE_LEAGUE}/entrants/{{number}}"
PAIRING: Final = f"{ONE_LEAGUE}/pairings/{{one}}-{{other}}/duels"
DUEL: Final = f"{PAIRING}/{{number}}"
SOURCES: Final = (*Path(referee.reports.__file__).parent.glob("*.py"), Path(api.__file__))


def asked(each: League) -> Iterator[tuple[str, dict[str, object]]]:
    """Return all that can be asked about a league, by its pattern and what stands in that."""
    for pattern in OF_A_LEAGUE:
        yield pattern, {"league": each.name}
    for number in range(1, each.entrants + 1):
        yield ENTRANT, {"league": each.name, "number": number}
    for one, other in pairings(range(1, each.entrants + 1)):
        pair = {"league": each.name, "one": one, "other": other}
        yield PAIRING, pair
        for number in range(1, each.duels + 1):
            yield DUEL, {**pair, "number": number}


@pytest.fixture(scope="module")
def described(asks: TestClient) -> Described:
    found: Described = asks.get(f"{PREFIX}/openapi.json").json()
    return found


def strict(schema: Any) -> Any:  # noqa: ANN401 (as JSON comes)
    """Return a schema by which nothing may be told that it does not have."""
    match schema:
        case dict():
            own = {key: strict(value) for key, value in schema.items()}
            return {"additionalProperties": False, **own} if "properties" in own else own
        case list():
            return [*map(strict, schema)]
    return schema


def validator(described: Described, pattern: str, status: str = "200") -> Draft202012Validator:
    answer = described["paths"][pattern]["get"]["responses"][status]
    schema = answer["content"]["application/json"]["schema"]
    whole = {**schema, "components": strict(described["components"])}
    Draft202012Validator.check_schema(whole)
    return Draft202012Validator(whole)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("pattern", "words"), [each for some in (CLUB, NEW, EMPTY) for each in asked(some)]
)
def test_an_answer_is_as_it_is_described(
    asks: TestClient, described: Described, pattern: str, words: dict[str, object]
) -> None:
    answer = asks.get(pattern.format(**words))
    assert answer.status_code == 200
    validator(described, pattern).validate(answer.json())


@pytest.mark.slow
@pytest.mark.parametrize(("pattern", "words"), [*asked(CUP)])
def test_so_is_an_answer_about_a_league_that_is_over(
    asks_over: TestClient, described: Described, pattern: str, words: dict[str, object]
) -> None:
    validator(described, pattern).validate(asks_over.get(pattern.format(**words)).json())


def test_so_is_the_list_of_leagues(asks: TestClient, described: Described) -> None:
    answer = asks.get(f"{PREFIX}/leagues").json()
    validator(described, f"{PREFIX}/leagues").validate(answer)
    assert [each["league"] for each in answer["leagues"]] == ["empty", "new", "club"]


def test_so_is_the_list_of_no_leagues(tmp_path: Path, described: Described) -> None:
    with open_store(str(tmp_path / "upcard.db"), create=True) as store, scenes.client(store) as new:
        answer = new.get(f"{PREFIX}/leagues").json()
    validator(described, f"{PREFIX}/leagues").validate(answer)
    assert answer == {"leagues": []}


@pytest.mark.parametrize(("status", "address"), [("404", "none"), ("422", "x" * 65)])
def test_so_is_an_error(asks: TestClient, described: Described, status: str, address: str) -> None:
    answer = asks.get(f"{PREFIX}/leagues/{address}")
    assert answer.status_code == int(status)
    validator(described, ONE_LEAGUE, status).validate(answer.json())


def test_all_that_can_be_asked_is_asked_here(described: Described) -> None:
    assert {*described["paths"]} == {f"{PREFIX}/leagues", *OF_A_LEAGUE, ENTRANT, PAIRING, DUEL}


def test_nothing_can_be_asked_but_to_be_told(described: Described) -> None:
    assert {method for path in described["paths"].values() for method in path} == {"get"}


def test_names_of_what_is_told_are_those_of_the_code(described: Described) -> None:
    schemas = described["components"]["schemas"]
    assert [name for name in schemas if "__" in name or not re.fullmatch(r"\w+", name)] == []


class _Class:
    """A class as it stands in the code: its words, and those below its fields."""

    def __init__(self, defined: ast.ClassDef) -> None:
        self.bases = [ast.unparse(base).rpartition(".")[2] for base in defined.bases]
        self.words = " ".join((ast.get_docstring(defined) or "").split())
        self.fields: dict[str, str] = {}
        last = ""
        for each in defined.body:
            if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
                last = each.target.id
            elif isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant) and last:
                self.fields[last] = " ".join(str(each.value.value).split())


@pytest.fixture(scope="module")
def classes() -> Mapping[str, _Class]:
    """Read the classes from the sources."""
    defined = [
        each
        for source in SOURCES
        for each in ast.parse(source.read_text()).body
        if isinstance(each, ast.ClassDef)
    ]
    assert len({each.name for each in defined}) == len(defined)
    return {each.name: _Class(each) for each in defined}


def words(classes: Mapping[str, _Class], name: str) -> dict[str, str]:
    """Return the words below each field of a class and of its bases."""
    own = classes[name]
    inherited = [words(classes, base) for base in own.bases if base in classes]
    return {field: said for each in (*inherited, own.fields) for field, said in each.items()}


def test_every_field_is_described_by_the_words_that_stand_below_it(
    described: Described, classes: Mapping[str, _Class]
) -> None:
    for name, schema in described["components"]["schemas"].items():
        if name in classes:
            found = {
                field: each["description"]
                for field, each in schema["properties"].items()
                if "description" in each
            }
            assert found == words(classes, name), name


def test_everything_that_is_told_is_described(
    described: Described, classes: Mapping[str, _Class]
) -> None:
    for name, schema in described["components"]["schemas"].items():
        if name in classes:
            assert " ".join(schema["description"].split()) == classes[name].words, name
    assert len({*described["components"]["schemas"]} & {*classes}) > 25


def test_every_question_and_all_that_stands_in_it_is_described(described: Described) -> None:
    for path in described["paths"].values():
        assert path["get"]["description"]
        assert all(each["description"] for each in path["get"].get("parameters", []))


def duels(asks: TestClient, question: str) -> list[str]:
    return [each["duel"] for each in asks.get(question).json()["duels"]]


@pytest.mark.parametrize(
    ("question", "numbers"),
    [
        ("", [1, 2, 3, 4]),
        ("?most=2", [1, 2]),
        ("?after=2", [3, 4]),
        ("?after=1&most=2", [2, 3]),
        ("?after=4", []),
        ("?after=1000000000", []),
    ],
)
def test_some_of_many_duels_can_be_asked_for(
    asks: TestClient, question: str, numbers: list[int]
) -> None:
    address = PAIRING.format(league="club", one=2, other=1)
    assert duels(asks, f"{address}{question}") == [f"1-2/{number}" for number in numbers]
    assert asks.get(f"{address}{question}").json()["count"] == 4


@pytest.mark.parametrize("question", ["most=0", "most=201", "after=-1", "most=x"])
def test_what_cannot_be_is_refused(asks: TestClient, question: str) -> None:
    address = PAIRING.format(league="club", one=2, other=1)
    assert asks.get(f"{address}?{question}").status_code == 422


def test_a_duel_is_told_alone_as_among_others_with_its_rooms(asks: TestClient) -> None:
    pair = {"league": "club", "one": 1, "other": 2}
    alone = asks.get(DUEL.format(**pair, number=3)).json()
    assert {*alone.pop("rooms")} == {"open", "closed", "deals"}
    assert alone == asks.get(PAIRING.format(**pair)).json()["duels"][2]


def begins(store: Store) -> None:
    """Begin a league, and play the first duel of it."""
    with lease(store, NEW.name) as ours:
        begin_epoch(store, ours, SEED, seed_given=False, now=NOW)
        save_duel(store, ours, played(league(store, NEW.name), DuelKey(1, 2, 0)), HELD)


@pytest.mark.slow
@pytest.mark.parametrize(
    "address",
    ["/leagues/new/duels/1-2-1.html", DUEL.format(league="new", one=1, other=2, number=1)],
)
def test_a_duel_that_the_table_does_not_know_yet_is_not_told(
    open_place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setattr("referee.web.league_cache.PATIENCE", float("inf"))
    place = scenes.copied(open_place, tmp_path)
    with open_store(str(place)) as store, scenes.client(store) as asks:
        asks.get("/leagues/new/")
        begins(store)
        assert asks.get(address).status_code == 404
