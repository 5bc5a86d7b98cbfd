"""What monitoring asks for: `/healthz`, and `/metrics` as Prometheus reads them."""

from collections.abc import Callable, Iterator
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from referee.web.league_cache import LeagueCache

_BUCKETS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Of the times that answers take, in seconds."""
_GAUGES: Final = {
    "planned_duels": "Duels to play, at most.",
    "duels": "Duels that are over.",
    "voids": "Voids: duels that counted for nobody.",
    "faults": "Faults of bots.",
    "running": "Whether somebody runs it.",
}


def health_handler(cache: LeagueCache) -> Callable[[Request], Response]:
    """Return the handler of `/healthz`, which fails as any page does if the store cannot be read.

    The listing of leagues also fails if another program has upgraded the store, whether there are
    leagues or not.
    """

    def healthz(request: Request) -> Response:
        del request
        return JSONResponse({"status": "ok", "leagues": len(cache.names())})

    return healthz


class Metrics:
    """Counters of the answers of one application, and figures of its leagues."""

    def __init__(self, cache: LeagueCache) -> None:
        """Start every counter at zero."""
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
            buckets=_BUCKETS,
            registry=self._registry,
        )
        self._registry.register(_LeagueCollector(cache))

    def count_answer(self, page: str, status: int, seconds: float) -> None:
        """Count an answer to a kind of page."""
        self._answers.labels(page, str(status)).inc()
        self._seconds.labels(page).observe(seconds)

    def metrics(self, request: Request) -> Response:
        """Handle `/metrics`."""
        del request
        return Response(generate_latest(self._registry), media_type=CONTENT_TYPE_LATEST)


class _LeagueCollector:
    """Reads the leagues whenever metrics are collected."""

    def __init__(self, cache: LeagueCache) -> None:
        self._cache = cache

    def collect(self) -> Iterator[Metric]:
        gauges = {
            name: GaugeMetricFamily(f"upcard_league_{name}", description, labels=["league"])
            for name, description in _GAUGES.items()
        }
        running = self._cache.running_leagues()
        for overview in self._cache.overviews():
            facts = overview.facts
            figures = {
                "planned_duels": facts["planned"],
                "duels": facts["stored"],
                "voids": len(facts["voids"]),
                "faults": overview.faults,
                "running": facts["league"] in running,
            }
            for name, figure in figures.items():
                gauges[name].add_metric([facts["league"]], float(figure))
        yield from gauges.values()
