"""What monitoring asks for: `/healthz`, and `/metrics` as Prometheus reads them."""

from collections import Counter as Tally
from collections.abc import Callable, Container, Iterator, Mapping
from threading import Lock
from typing import Final, get_args

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from referee.reports.facts import Facts
from referee.store.leases import Run
from referee.store.log import kinds
from referee.store.models import State
from referee.store.stamps import Stamp
from referee.web.league_cache import LeagueCache, Overview

_BUCKETS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Of the times that answers take, in seconds."""
_GAUGES: Final = {
    "planned_duels": "Duels to play, at most.",
    "duels": "Duels that are over.",
    "missing_duels": "Duels that are still to be played, at most; none once it is not open.",
    "unplayed_duels": "Duels that were void too often to be tried again.",
    "voids": "Voids: duels that counted for nobody.",
    "faults": "Faults of bots.",
    "entrants": "Entrants, with those who are withdrawn or suspended.",
    "running": "Whether somebody runs it.",
}
_RUN_GAUGES: Final = {
    "run_start_time_seconds": "When the run that goes on began.",
    "run_heartbeat_age_seconds": "How long ago the run that goes on was last heard of.",
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

    def __init__(self, cache: LeagueCache, *, show_hosts: bool) -> None:
        """Start every counter at zero.

        Args:
            cache: what the figures of leagues are read from.
            show_hosts: whether everybody may learn which machines run leagues.
        """
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
        self._registry.register(_LeagueCollector(cache, show_hosts=show_hosts))

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

    def __init__(self, cache: LeagueCache, *, show_hosts: bool) -> None:
        self._cache = cache
        self._show_hosts = show_hosts
        self._log_kinds = _LogKinds(cache)

    def collect(self) -> Iterator[Metric]:
        overviews, runs = self._cache.overviews(), self._cache.running_leagues()
        figures = {each.facts["league"]: _figures(each, runs) for each in overviews}
        yield from _gauges(_GAUGES, figures)
        yield from _gauges(_RUN_GAUGES, {name: _run_figures(run) for name, run in runs.items()})
        yield _states(overviews)
        yield self._log_entries(overviews)
        if self._show_hosts:
            yield _hosts(runs)

    def _log_entries(self, overviews: list[Overview]) -> Metric:
        family = CounterMetricFamily(
            "upcard_league_log_entries", "Entries of its log.", labels=["league", "kind"]
        )
        for overview in overviews:
            league = overview.facts["league"]
            for kind, count in self._log_kinds.count(league, overview.stamp).items():
                family.add_metric([league, kind], count)
        return family


class _LogKinds:
    """How many entries of each kind the logs have; each entry is counted once."""

    def __init__(self, cache: LeagueCache) -> None:
        self._cache = cache
        self._lock = Lock()
        self._counted: dict[str, tuple[int, Tally[str]]] = {}
        """How many entries of a league's log are counted, and of which kinds they are."""

    def count(self, league: str, stamp: Stamp) -> Tally[str]:
        with self._lock:
            number, tally = self._counted.get(league, (0, Tally[str]()))
            if number < stamp.entries:
                tally = tally + Tally(kinds(self._cache.store, league, number))
                self._counted[league] = tally.total(), tally
            return tally.copy()


def _figures(overview: Overview, runs: Container[str]) -> dict[str, float]:
    facts = overview.facts
    return {
        "planned_duels": facts["planned"],
        "duels": facts["stored"],
        "missing_duels": _missing(facts),
        "unplayed_duels": len(facts["unplayed"]),
        "voids": len(facts["voids"]),
        "faults": overview.faults,
        "entrants": overview.entrants,
        "running": facts["league"] in runs,
    }


def _missing(facts: Facts) -> int:
    if facts["state"] != "open":
        return 0
    return facts["planned"] - facts["played"] - len(facts["unplayed"])


def _run_figures(run: Run) -> dict[str, float]:
    return {
        "run_start_time_seconds": run.since.timestamp(),
        "run_heartbeat_age_seconds": run.silent,
    }


def _gauges(
    descriptions: Mapping[str, str], figures: Mapping[str, Mapping[str, float]]
) -> Iterator[Metric]:
    """Return a gauge for each description, with the figure of each league."""
    for name, description in descriptions.items():
        gauge = GaugeMetricFamily(f"upcard_league_{name}", description, labels=["league"])
        for league, these in figures.items():
            gauge.add_metric([league], float(these[name]))
        yield gauge


def _states(overviews: list[Overview]) -> Metric:
    gauge = GaugeMetricFamily(
        "upcard_league_state", "Whether it is in that state.", labels=["league", "state"]
    )
    for overview in overviews:
        for state in get_args(State):
            league, now = overview.facts["league"], overview.facts["state"]
            gauge.add_metric([league, state], float(state == now))
    return gauge


def _hosts(runs: Mapping[str, Run]) -> Metric:
    gauge = GaugeMetricFamily(
        "upcard_league_run_host", "The process that runs it.", labels=["league", "host", "pid"]
    )
    for league, run in runs.items():
        gauge.add_metric([league, run.host, str(run.pid)], 1.0)
    return gauge
