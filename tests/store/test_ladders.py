"""Ladders in the store: plans, epochs, entrants, snapshots, challenges, assignments."""

from datetime import timedelta
from pathlib import Path

import pytest

from referee.errors import ConfigError
from referee.store.assignments import (
    add_assignment,
    assignment,
    assignments,
    remove_assignment,
)
from referee.store.audit import (
    announce,
    announcements,
    audit_log,
    keep_secret,
    withdraw_announcement,
)
from referee.store.challenges import (
    add_challenge,
    challenge,
    challenge_leagues,
    challenges,
    fail_challenge,
    set_challenge_state,
)
from referee.store.database import Store, writing
from referee.store.hosting_models import (
    By,
    EntrantState,
    LadderSnapshot,
    NewAssignment,
    NewChallenge,
    Threshold,
)
from referee.store.jobs import MOST_ATTEMPTS, claim, queue
from referee.store.ladders import (
    begin_ladder_epoch,
    end_ladder_epoch,
    enter_ladder,
    ladder_entrants,
    ladder_epochs,
    ladder_snapshots,
    ladders,
    note_paired,
    save_ladder_snapshot,
    set_entrant_states,
    set_ladder_state,
)
from referee.store.ladders import ladder as find_ladder
from tests.store import scenes
from tests.store.hosting_scenes import HOST, NOW, PLAN, account, bot, house, ladder

LATER = NOW + timedelta(hours=1)


def test_a_ladder_is_read_as_it_was_made(store: Store) -> None:
    made = ladder(store, plan=PLAN._replace(accepted=("tempo",), sandboxed=False))
    assert find_ladder(store, "spring") == made
    assert made.plan.accepted == ("tempo",)
    assert (made.state, made.created) == ("open", NOW)


def test_a_name_is_taken_once(store: Store) -> None:
    ladder(store)
    with pytest.raises(ConfigError, match="there is a ladder spring already"):
        ladder(store)


@pytest.mark.parametrize("name", ["", "a/b", "x" * 41, "-a", "ä"])
def test_what_can_be_no_name_is_refused(store: Store, name: str) -> None:
    with pytest.raises(ConfigError, match="a ladder's name is"):
        ladder(store, name)


def test_a_ladder_that_is_not_there_is_answered_with_the_closest(store: Store) -> None:
    ladder(store)
    with pytest.raises(ConfigError, match="there is no ladder 'sprng'; choose spring"):
        find_ladder(store, "sprng")


def test_the_state_of_a_ladder_changes(store: Store) -> None:
    set_ladder_state(store, ladder(store), "frozen", HOST)
    assert [each.state for each in ladders(store)] == ["frozen"]


def test_epochs_follow_on_each_other(store: Store, tmp_path: Path) -> None:
    spring = ladder(store)
    scenes.cup(store, tmp_path, name="spring-1")
    begin_ladder_epoch(store, spring, "spring-1", NOW)
    note_paired(store, spring, 1, LATER)
    end_ladder_epoch(store, spring, 1, LATER)
    (only,) = ladder_epochs(store, spring)
    assert only == (1, "spring-1", NOW, LATER, LATER)


def test_entrants_keep_their_numbers(store: Store, tmp_path: Path) -> None:
    spring, ada = ladder(store), account(store)
    house(store, spring, tmp_path, 1, 2)
    mine = bot(store, tmp_path, 3)
    with writing(store) as connection:
        enter_ladder(connection, spring, mine, ada, NOW)
        set_entrant_states(connection, spring.id, [3], "resting")
        enter_ladder(connection, spring, mine, ada, LATER)
    found = ladder_entrants(store, spring)
    assert [(each.number, each.owner, each.state) for each in found] == [
        (1, None, "active"),
        (2, None, "active"),
        (3, "Ada", "active"),
    ]


def test_a_house_bot_is_nobody_elses(store: Store, tmp_path: Path) -> None:
    spring, ada = ladder(store), account(store)
    (theirs,) = house(store, spring, tmp_path, 1)
    with writing(store) as connection, pytest.raises(ConfigError, match="somebody else"):
        enter_ladder(connection, spring, theirs, ada, NOW)


@pytest.mark.parametrize("state", ["suspended", "banned"])
def test_a_bot_that_was_stopped_is_not_entered_again(
    store: Store, tmp_path: Path, state: EntrantState
) -> None:
    spring, ada = ladder(store), account(store)
    mine = bot(store, tmp_path, 1)
    with writing(store) as connection:
        enter_ladder(connection, spring, mine, ada, NOW)
        set_entrant_states(connection, spring.id, [1], state)
    with writing(store) as connection, pytest.raises(ConfigError, match=f"is {state} on spring"):
        enter_ladder(connection, spring, mine, ada, LATER)
    assert ladder_entrants(store, spring)[0].state == state


def test_snapshots_are_read_since_a_moment(store: Store) -> None:
    spring = ladder(store)
    for at in (NOW, LATER):
        save_ladder_snapshot(store, spring, LadderSnapshot(at, 4, {1: (25.0, 1.5)}))
    assert ladder_snapshots(store, spring, LATER) == [LadderSnapshot(LATER, 4, {1: (25.0, 1.5)})]


# Challenges


def test_a_challenge_is_queued_and_followed(store: Store, tmp_path: Path) -> None:
    spring, ada = ladder(store), account(store)
    made = add_challenge(store, NewChallenge(ada.id, spring.id, 1, 2, 20), NOW)
    assert [(job.kind, job.subject) for job in queue(store)] == [("challenge", made.id)]
    scenes.cup(store, tmp_path, name="challenge-1")
    with writing(store) as connection:
        set_challenge_state(connection, made.id, "running", league="challenge-1")
    assert challenges(store, ada.id) == [made._replace(state="running", league="challenge-1")]
    assert challenge_leagues(store) == {"challenge-1"}


def test_a_challenge_that_failed_tells_its_author_no_error_of_the_host(store: Store) -> None:
    spring, ada = ladder(store), account(store)
    made = add_challenge(store, NewChallenge(ada.id, spring.id, 1, 2, 20), NOW)
    told = []
    for attempt in range(1, MOST_ATTEMPTS + 1):
        job = claim(store, ["challenge"], NOW + timedelta(days=attempt))
        assert job
        fail_challenge(store, job, "OSError: /srv/upcard: no space", NOW)
        found = challenge(store, made.id)
        told.append((found.state, found.reason))
    again = ("queued", "our fault: tried again soon")
    assert told == [again, again, ("failed", "our fault: it was not played")]


def test_a_challenge_that_is_not_there_is_said(store: Store) -> None:
    with pytest.raises(ConfigError, match="no challenge 3"):
        challenge(store, 3)


# Assignments

ESSAY = NewAssignment(
    "p3", "A", LATER, timedelta(hours=2), "best", (Threshold(50, "random", 0.95),)
)


def test_an_assignment_is_read_as_it_was_made(store: Store) -> None:
    add_assignment(store, ESSAY, ladder(store), HOST)
    found = assignment(store, "p3")
    assert (found.ladder, *found[3:]) == ("spring", *ESSAY[1:])


def test_assignments_are_in_the_order_in_which_they_are_due(store: Store) -> None:
    spring = ladder(store)
    for name, due in (("late", LATER), ("early", NOW)):
        add_assignment(store, ESSAY._replace(name=name, due=due), spring, HOST)
    assert [each.name for each in assignments(store)] == ["early", "late"]


def test_an_assignment_is_removed(store: Store) -> None:
    add_assignment(store, ESSAY, ladder(store), HOST)
    remove_assignment(store, assignment(store, "p3"), HOST)
    with pytest.raises(ConfigError, match="add one: upcard assignments add"):
        assignment(store, "p3")


def test_a_name_of_an_assignment_is_taken_once(store: Store) -> None:
    spring = ladder(store)
    add_assignment(store, ESSAY, spring, HOST)
    with pytest.raises(ConfigError, match="an assignment p3 already"):
        add_assignment(store, ESSAY, spring, HOST)


# Announcements, the audit log, secrets


def test_an_announcement_is_shown_until_it_is_withdrawn(store: Store) -> None:
    number = announce(store, "tomorrow is the final", None, HOST)
    assert [each.text for each in announcements(store, LATER)] == ["tomorrow is the final"]
    withdraw_announcement(store, number, By(None, LATER))
    assert announcements(store, LATER) == []


def test_an_announcement_that_is_not_there_is_said(store: Store) -> None:
    with pytest.raises(ConfigError, match="no announcement 3"):
        withdraw_announcement(store, 3, HOST)


def test_the_audit_log_is_read_in_pages(store: Store) -> None:
    for number in range(5):
        announce(store, str(number), None, HOST)
    first = audit_log(store, 2)
    then = audit_log(store, 2, before=first[-1][0])
    assert [each.subject for _, each in (*first, *then)] == [
        f"announcement {number}" for number in (5, 4, 3, 2)
    ]


def test_a_secret_is_drawn_once(store: Store) -> None:
    assert [keep_secret(store, "key", drawn) for drawn in ("one", "two")] == ["one", "one"]
