"""What a process was doing when it was killed, stopped or failed is done again, not for ever."""

from pathlib import Path

import pytest

from referee.hosting.queued import Queued, queue_killed_again
from referee.store.challenges import add_challenge, challenge
from referee.store.database import Store
from referee.store.hosting_models import Challenge, Job, NewChallenge, Submission
from referee.store.jobs import claim, failed_jobs, queue
from referee.store.submissions import events, submission
from tests.hosting.conftest import NOW
from tests.store import hosting_scenes


@pytest.fixture
def handed_in(store: Store) -> Submission:
    return hosting_scenes.hand_in(
        store, hosting_scenes.account(store), hosting_scenes.ladder(store)
    )


@pytest.fixture
def challenged(store: Store, tmp_path: Path) -> Challenge:
    spring, ada = hosting_scenes.ladder(store), hosting_scenes.account(store)
    hosting_scenes.house(store, spring, tmp_path, 1, 2)
    return add_challenge(store, NewChallenge(ada.id, spring.id, 1, 2, 4), NOW)


def killed(store: Store, times: int) -> None:
    """Let a process be killed in the middle of what is queued, and the next one begin."""
    for _ in range(times):
        (job,) = queue(store)
        assert claim(store, [job.kind], job.due)
        assert queue_killed_again(store, job.due) == 1


def test_an_examination_that_was_killed_is_begun_again(store: Store, handed_in: Submission) -> None:
    killed(store, 2)
    assert [(job.state, job.attempts) for job in queue(store)] == [("queued", 2)]
    assert submission(store, handed_in.id).state == "received"


def test_a_submission_that_kills_the_process_each_time_is_given_up(
    store: Store, handed_in: Submission
) -> None:
    killed(store, 3)
    found = submission(store, handed_in.id)
    assert (found.state, found.reason) == ("failed", "our fault: it was not examined")
    assert [job.error for job in failed_jobs(store, 9)] == ["the process that did it was killed"]
    assert queue(store) == []


def test_the_author_reads_that_it_was_our_fault(store: Store, handed_in: Submission) -> None:
    killed(store, 1)
    assert [each.reason for each in events(store, handed_in.id)] == [
        "",
        "our fault: tried again soon",
    ]


def test_a_challenge_goes_on_however_often_the_process_was_killed(
    store: Store, challenged: Challenge
) -> None:
    killed(store, 4)
    assert challenge(store, challenged.id).state == "queued"
    assert [(job.state, job.attempts) for job in queue(store)] == [("queued", 0)]


@pytest.mark.parametrize(
    ("end", "attempts", "error"),
    [(KeyboardInterrupt(), 0, ""), (OSError("no disk"), 1, "OSError: no disk")],
    ids=["the host stops", "it fails"],
)
def test_what_was_not_done_is_queued_again_and_only_a_failure_counts(
    store: Store, handed_in: Submission, end: BaseException, attempts: int, error: str
) -> None:
    begun = []

    def do(job: Job) -> None:
        begun.append(job.subject)
        raise end

    assert Queued(store, "examine", do, lambda: NOW, lambda: 0).do_next()
    assert begun == [handed_in.id]
    assert [(job.state, job.attempts, job.error) for job in queue(store)] == [
        ("queued", attempts, error)
    ]
