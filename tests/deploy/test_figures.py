"""What is drawn, and what alarms, are figures that there are."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from starlette.testclient import TestClient

from referee.store.opening import open_store
from referee.web.app import create_app

DEPLOY = Path(__file__).parents[2] / "deploy"
FIGURE = re.compile(r"\bupcard_[a-z_]+")


@pytest.fixture(scope="module")
def figures(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Return the names of all samples; there need not be any to learn their names."""
    place = str(tmp_path_factory.mktemp("figures") / "upcard.db")
    with (
        open_store(place, create=True) as store,
        TestClient(create_app(store, show_hosts=True)) as asks,
    ):
        kinds = dict(re.findall(r"^# TYPE (\S+) (\S+)$", asks.get("/metrics").text, re.MULTILINE))
    ends = {"histogram": ("_bucket", "_count", "_sum")}
    return {name + end for name, kind in kinds.items() for end in ends.get(kind, ("",))}


def test_every_query_of_the_dashboard_is_about_a_figure_that_there_is(figures: set[str]) -> None:
    dashboard = json.loads((DEPLOY / "grafana" / "upcard.json").read_text())
    queries = [each["definition"] for each in dashboard["templating"]["list"][1:]]
    queries += [each["expr"] for panel in dashboard["panels"] for each in panel["targets"]]
    assert [*_unknown(queries, figures)] == []


def test_every_alarm_is_about_a_figure_that_there_is(figures: set[str]) -> None:
    alerts: Any = yaml.safe_load((DEPLOY / "prometheus" / "alerts.yml").read_text())
    queries = [rule["expr"] for group in alerts["groups"] for rule in group["rules"]]
    assert [*_unknown([query for query in queries if "up{" not in query], figures)] == []


def _unknown(queries: list[str], figures: set[str]) -> Iterator[str]:
    for query in queries:
        named = FIGURE.findall(query)
        yield from (name for name in named if name not in figures)
        if not named:
            yield query
