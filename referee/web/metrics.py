"""Counts what is asked, and tells how far leagues are, as Prometheus reads it."""

from collections.abc import Iterator
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from starlette.requests import Request
from starlette.responses import Response

from referee.web.league_cache import LeagueCache

_SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


class Metrics:
    """What was asked of one application, and its leagues."""

    def __init__(self, almanac: LeagueCache) -> None:
        """Start from nothing."""
        self._registry = CollectorRegistry()
        self._answers = Counter(
            "upcard_web_answers",
            "Answers, by the kind of page.",
            ["page", "status"],
            registry=self._registry,
        )
        self._seconds = Histogram(
            "upcard_web_seconds",
            "How long answers took.",
            ["page"],
            buckets=_SECONDS,
            registry=self._registry,
        )
        self._registry.register(_Leagues(almanac))

    def answered(self, page: str, status: int, seconds: float) -> None:
        """Count an answer."""
        self._answers.labels(page, str(status)).inc()
        self._seconds.labels(page).observe(seconds)

    def metrics(self, request: Request) -> Response:
        """Return all of it."""
        del request
        return Response(generate_latest(self._registry), media_type=CONTENT_TYPE_LATEST)


class _Leagues:
    """Looks at the leagues whenever somebody asks."""

    def __init__(self, almanac: LeagueCache) -> None:
        self._almanac = almanac

    def collect(self) -> Iterator[Metric]:
        told = {
            "planned": GaugeMetricFamily(
                "upcard_league_planned_duels", "Duels to play, at most.", labels=["league"]
            ),
            "stored": GaugeMetricFamily(
                "upcard_league_duels", "Duels that are over.", labels=["league"]
            ),
            "voids": GaugeMetricFamily(
                "upcard_league_voids", "Duels that counted for nobody.", labels=["league"]
            ),
            "faults": GaugeMetricFamily(
                "upcard_league_faults", "Faults of bots.", labels=["league"]
            ),
            "running": GaugeMetricFamily(
                "upcard_league_running", "Whether somebody runs it.", labels=["league"]
            ),
        }
        for name in self._almanac.leagues():
            table = self._almanac.edition(name).table
            figures = {
                "planned": table.planned,
                "stored": len(table.results),
                "voids": len(table.voids),
                "faults": sum(map(sum, (result.faults for result in table.results))),
                "running": self._almanac.running(name),
            }
            for kind, figure in figures.items():
                told[kind].add_metric([name], float(figure))
        yield from told.values()
