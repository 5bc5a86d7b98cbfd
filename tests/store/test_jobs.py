"""The queue: each job is begun once, in its order, and again if it was not done."""

from datetime import timedelta

from referee.store.database import Store, writing
from referee.store.jobs import (
    claim,
    count_jobs,
    enqueue,
    fail,
    failed_jobs,
    finish,
    places,
    put_back,
    queue,
    running_jobs,
)
from tests.store.hosting_scenes import NOW


def put(store: Store, *subjects: int) -> None:
    for place, subject in enumerate(subjects):
        with writing(store) as connection:
            enqueue(connection, "examine", subject, NOW + timedelta(seconds=place))


LATER = NOW + timedelta(hours=1)


def test_jobs_are_begun_in_their_order_each_once(store: Store) -> None:
    put(store, 7, 3, 5)
    begun = [claim(store, ["examine"], LATER) for _ in range(4)]
    assert [job and job.subject for job in begun] == [7, 3, 5, None]


def test_a_job_that_is_not_due_is_not_begun(store: Store) -> None:
    put(store, 7)
    assert claim(store, ["examine"], NOW - timedelta(seconds=1)) is None


def test_only_jobs_of_a_kind_are_begun(store: Store) -> None:
    put(store, 7)
    assert claim(store, ["challenge"], LATER) is None
    assert claim(store, ["challenge", "examine"], LATER) is not None


def test_what_was_begun_and_is_not_over_is_known(store: Store) -> None:
    put(store, 7, 3, 5)
    for _ in range(2):
        claim(store, ["examine"], LATER)
    assert [job.subject for job in running_jobs(store)] == [7, 3]


def test_what_was_put_back_is_begun_again_as_if_it_had_not_been(store: Store) -> None:
    put(store, 7, 3)
    first = claim(store, ["examine"], LATER)
    assert first
    put_back(store, first)
    again = claim(store, ["examine"], LATER)
    assert again
    assert (again.subject, again.attempts) == (7, 0)


def test_what_is_done_is_not_begun_again(store: Store) -> None:
    put(store, 7)
    job = claim(store, ["examine"], LATER)
    assert job
    with writing(store) as connection:
        finish(connection, job, LATER)
    put_back(store, job)
    assert (queue(store), count_jobs(store)) == ([], {("examine", "done"): 1})


def test_each_failure_waits_longer_until_the_job_is_given_up(store: Store) -> None:
    put(store, 7)
    waits, now = [], LATER
    for _ in range(3):
        job = claim(store, ["examine"], now)
        assert job
        with writing(store) as connection:
            given_up = fail(connection, job, "no disk", now)
        if not given_up:
            (waiting,) = queue(store)
            waits.append(waiting.due - now)
            now = waiting.due
    assert waits == [timedelta(seconds=20), timedelta(seconds=40)]
    assert [each.error for each in failed_jobs(store, 5)] == ["no disk"]


def test_places_count_those_that_wait_before(store: Store) -> None:
    put(store, 7, 3, 5)
    claim(store, ["examine"], LATER)
    assert places(store, "examine", [7, 3, 5, 9]) == {7: 0, 3: 1, 5: 2}
