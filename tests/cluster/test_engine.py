"""A run on a cluster: whom it takes, what it does with who fails, and what it tells the log."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import count

import pytest

from referee.cluster.addresses import Endpoint, endpoint
from referee.cluster.desk import Ended
from referee.cluster.engine import (
    MOST_LOSSES,
    ClusterEngine,
    ClusterOptions,
    ClusterPool,
    cluster_engine,
)
from referee.cluster.forms import SentVisit
from referee.cluster.machine import STOPPED
from referee.errors import UpcardError
from referee.league.channel import News, Sent, VisitId
from referee.league.engine import FinishedVisit
from referee.league.visit import Visit
from referee.scheduling.keys import DuelKey
from referee.store.models import Isolation, League, Plan, Side, StoredDuel, StoredVoid
from tests.cluster.conftest import Cluster, greeting
from tests.waiting import until

NOW = datetime(2026, 1, 2, tzinfo=UTC)


def league(visit: Visit) -> League:
    return League("spring", Plan(visit.terms, 8, 0), NOW, "open", (), ())


@contextmanager
def engine(
    where: Endpoint, said: list[str], accepted: Sequence[str] = (), *, sandboxed: bool = False
) -> Iterator[ClusterEngine]:
    options = ClusterOptions(where, accepted, sandboxed=sandboxed)
    with cluster_engine(options, said.append) as made:
        yield made


@contextmanager
def pool(cluster: Cluster, visit: Visit, machines: int) -> Iterator[ClusterPool]:
    """Connect, and wait for so many machines."""
    with engine(cluster.scheduler, []) as made:
        made.examine(league(visit), lambda: 0)
        with made.open([]) as opened:
            until(lambda: not opened.wait(0.1) and opened.size >= machines)
            yield opened


def voids(visit: SentVisit) -> list[News]:
    keys = (DuelKey(*visit.entrants, duel.number) for duel in visit.duels)
    return [StoredVoid(key, "the referee was late", NOW) for key in keys]


def duels(visit: SentVisit) -> list[News]:
    side = Side({}, None)
    keys = (DuelKey(*visit.entrants, duel.number) for duel in visit.duels)
    return [StoredDuel(key, b"", 1, 0.0, 0, (side, side), (), NOW, "ab" * 32, 0) for key in keys]


class Played:
    """What came of visits that were handed out one after the other."""

    def __init__(self, pool: ClusterPool, visit: Visit) -> None:
        self._pool = pool
        self._visit = visit
        self._numbers = count()
        self.sent: list[Sent] = []
        self.finished: list[FinishedVisit] = []

    def play(self, of: Iterable[int] = (0,)) -> None:
        """Play visits, each of two duels of its own."""
        for number in of:
            until(lambda: not self._pool.wait(0) and self._pool.has_room)
            one, other = self._visit.duels
            duels = one._replace(number=2 * number), other._replace(number=2 * number + 1)
            visit = VisitId(self._pool.run, next(self._numbers))
            self._pool.play(self._visit._replace(id=visit, duels=duels))
            until(self._is_over)

    def _is_over(self) -> bool:
        self.sent += self._pool.receive(0.05)
        finished, sent = self._pool.finished()
        self.finished += finished
        self.sent += sent
        return not self._pool.is_busy


def refused_for(
    cluster: Cluster, visit: Visit, about: object, *, sandboxed: bool = False
) -> list[str]:
    """Return what a run says of a machine, until it asks to stop."""
    said: list[str] = []
    with (
        cluster.machine(about),  # type: ignore[arg-type] # also what is no greeting
        engine(cluster.scheduler, said, sandboxed=sandboxed) as made,
        pytest.raises(KeyboardInterrupt),
    ):
        made.examine(league(visit), lambda: len(said))
    return said


def test_a_worker_of_an_older_version_is_refused_by_name(cluster: Cluster, visit: Visit) -> None:
    (said,) = refused_for(cluster, visit, greeting("hall 1")._replace(version="0.0.9"))
    assert said.startswith("worker hall 1 is refused: it has Upcard 0.0.9, and this is ")


def test_a_worker_without_a_sandbox_is_refused_by_a_run_with_one(
    cluster: Cluster, visit: Visit
) -> None:
    (said,) = refused_for(cluster, visit, greeting("hall 1"), sandboxed=True)
    assert said.startswith("worker hall 1 is refused: it plays without a sandbox")


def test_a_worker_that_lacks_a_guarantee_is_refused(cluster: Cluster, visit: Visit) -> None:
    form = {"name": "network", "level": "missing", "reason": "r", "remedy": "m"}
    about = greeting("hall 1")._replace(isolation=Isolation(True, False, (form,)))  # type: ignore[arg-type]
    (said,) = refused_for(cluster, visit, about, sandboxed=True)
    assert said.startswith("worker hall 1 is refused: its sandbox lacks network")


def test_what_is_no_worker_of_ours_is_refused(cluster: Cluster, visit: Visit) -> None:
    (said,) = refused_for(cluster, visit, "{}")
    assert "is refused: it is no worker of Upcard, or one of another version" in said


def test_where_no_scheduler_is_that_is_said(visit: Visit) -> None:
    with (
        engine(endpoint("tcp://127.0.0.1:1", None), []) as made,
        pytest.raises(UpcardError, match=r"no scheduler at tcp://127\.0\.0\.1:1: .*run again"),
    ):
        made.examine(league(visit), lambda: 0)


def test_what_comes_of_a_visit_is_received_before_it_is_over(
    cluster: Cluster, visit: Visit
) -> None:
    with cluster.machine(greeting("a"), voids), pool(cluster, visit, 1) as opened:
        played = Played(opened, visit)
        played.play()
        assert [type(each.news) for each in played.sent] == [StoredVoid] * 2
        assert {each.visit for each in played.sent} == {VisitId(opened.run, 0)}
        assert opened.isolation(VisitId(opened.run, 0)) == Isolation(False, True, ())
        (ended,) = played.finished
        assert ended == FinishedVisit(VisitId(opened.run, 0), seconds=ended.seconds)


def test_a_machine_plays_as_many_visits_at_a_time_as_it_says(
    cluster: Cluster, visit: Visit
) -> None:
    with (
        cluster.machine(greeting("a", 2)),
        cluster.machine(greeting("b", 3)),
        pool(cluster, visit, 5) as opened,
    ):
        for number in range(5):
            assert opened.has_room
            opened.play(visit._replace(id=VisitId(opened.run, number)))
        assert not opened.has_room


def test_a_machine_whose_duels_are_void_is_set_aside_by_name(
    cluster: Cluster, visit: Visit
) -> None:
    with (
        cluster.machine(greeting("bad", 2), voids),
        cluster.machine(greeting("good"), duels),
        pool(cluster, visit, 3) as opened,
    ):
        played = Played(opened, visit)
        # The one that has more to spare is asked first, and never again for the same duels.
        played.play(of=(0, 1, 2))
        played.play(of=(0, 1, 2))
        assert [type(each.news) for each in played.sent] == [StoredVoid] * 6 + [StoredDuel] * 6
        assert opened.size == 3
        played.play(of=(3,))
        assert opened.size == 1
        said = {"worker": "bad", "change": "set aside", "why": "7 of 7 duels were void there"}
        assert opened.log()[-1] == ("worker", said | {"isolation": None})


def test_a_machine_that_sends_what_cannot_be_read_is_set_aside(
    cluster: Cluster, visit: Visit
) -> None:
    with cluster.machine(greeting("a"), lambda _: ["{}"]), pool(cluster, visit, 1) as opened:
        with pytest.raises(UpcardError, match="no worker is left that may play: a: it sends what"):
            Played(opened, visit).play(of=(0, 1))
        assert opened.log()[-1][1]["change"] == "set aside"


def test_a_machine_that_cannot_go_on_is_set_aside(cluster: Cluster, visit: Visit) -> None:
    ended = Ended(why="the disk is full")
    with (
        cluster.machine(greeting("a"), ended=ended),
        pool(cluster, visit, 1) as opened,
        pytest.raises(UpcardError, match="no worker is left that may play: a: the disk is full"),
    ):
        Played(opened, visit).play(of=(0, 1))


def test_a_worker_that_is_stopped_gets_nothing_more_and_is_not_set_aside(
    cluster: Cluster, visit: Visit
) -> None:
    with (
        cluster.machine(greeting("a"), ended=Ended(why=STOPPED)),
        pool(cluster, visit, 1) as opened,
    ):
        Played(opened, visit).play()
        assert not opened.has_room
        assert not opened.wait(0)
        assert [body["change"] for _, body in opened.log()] == ["joined"]


def test_a_machine_on_which_visits_are_killed_again_and_again_is_set_aside(
    cluster: Cluster, visit: Visit
) -> None:
    with (
        cluster.machine(greeting("a"), ended=Ended(killed=True)),
        pool(cluster, visit, 1) as opened,
    ):
        played = Played(opened, visit)
        played.play(range(MOST_LOSSES - 1))
        assert opened.size == 1
        with pytest.raises(UpcardError, match="a: 5 visits there were lost before a duel was over"):
            played.play((MOST_LOSSES, MOST_LOSSES + 1))


def test_a_duel_that_is_over_makes_up_for_visits_that_were_killed(
    cluster: Cluster, visit: Visit
) -> None:
    with (
        cluster.machine(greeting("a"), duels, ended=Ended(killed=True)),
        pool(cluster, visit, 1) as opened,
    ):
        Played(opened, visit).play(range(MOST_LOSSES + 1))
        assert opened.size == 1


def test_the_log_says_who_joined_and_by_what_bots_are_isolated(
    cluster: Cluster, visit: Visit
) -> None:
    with cluster.machine(greeting("a")), pool(cluster, visit, 1) as opened:
        digest = Isolation(False, True, ()).digest
        body = {"worker": "a", "change": "joined", "why": "", "isolation": digest}
        assert opened.log() == [("worker", body)]
        assert opened.log() == []


def test_machines_are_asked_to_wind_up(cluster: Cluster, visit: Visit) -> None:
    with cluster.machine(greeting("a")) as machine, pool(cluster, visit, 1) as opened:
        opened.wind_up()
        assert machine.wound_up.wait(600)
