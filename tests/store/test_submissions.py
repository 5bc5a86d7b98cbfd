"""Submissions: the same content is the same one, and each change of state is one transaction."""

from datetime import timedelta
from pathlib import Path

import pytest

from referee.errors import ConfigError
from referee.store import lifecycle
from referee.store.accounts import account_of_id
from referee.store.audit import audit_log
from referee.store.database import Store, writing
from referee.store.hosting_models import By, Usage
from referee.store.jobs import claim, places, queue
from referee.store.ladders import ladder as find
from referee.store.ladders import ladder_entrants
from referee.store.submissions import (
    events,
    file,
    file_names,
    put_files,
    submission,
    submissions,
    usage,
)
from tests.store.hosting_scenes import (
    HOST,
    NOW,
    accepted,
    account,
    bot,
    examined,
    hand_in,
    house,
    ladder,
)

LATER = NOW + timedelta(hours=1)


def states(store: Store, number: int) -> list[str]:
    return [each.state for each in events(store, number)]


def fail(store: Store, going: lifecycle.Examination) -> None:
    """Let an examination fail by our fault."""
    assert going.job
    lifecycle.fail_examination(store, going.job, "no disk", NOW)


def playing(store: Store, name: str = "spring") -> dict[str, str]:
    """Return the states of all bots on a ladder, by name and version."""
    found = ladder_entrants(store, find(store, name))
    return {f"{each.bot.name} {each.bot.version}": each.state for each in found}


def test_what_is_handed_in_is_queued(store: Store) -> None:
    found = hand_in(store, account(store), ladder(store))
    assert (found.state, found.login, found.ladder) == ("received", "ada", "spring")
    assert [(job.kind, job.subject) for job in queue(store)] == [("examine", found.id)]
    assert states(store, found.id) == ["received"]


def test_the_same_content_is_the_same_submission(store: Store) -> None:
    ada, spring = account(store), ladder(store)
    first = hand_in(store, ada, spring)
    assert hand_in(store, ada, spring, at=LATER) == first
    assert len(submissions(store)) == len(queue(store)) == 1


def test_the_same_content_of_another_author_is_another_submission(store: Store) -> None:
    spring = ladder(store)
    first = hand_in(store, account(store, "ada"), spring)
    second = hand_in(store, account(store, "bert"), spring)
    assert first.id != second.id


def test_what_is_refused_leaves_nothing(store: Store) -> None:
    def refuse(_: Usage) -> None:
        raise ConfigError("no more today")

    ada, spring = account(store), ladder(store)
    with pytest.raises(ConfigError, match="no more today"):
        hand_in(store, ada, spring, refuse=refuse)
    assert (submissions(store), queue(store)) == ([], [])


def test_the_same_content_is_not_refused(store: Store) -> None:
    def refuse(_: Usage) -> None:
        pytest.fail("it was asked")

    ada, spring = account(store), ladder(store)
    assert hand_in(store, ada, spring) == hand_in(store, ada, spring, refuse=refuse)


def test_usage_counts_what_waits_and_what_came_in_a_day(store: Store, tmp_path: Path) -> None:
    ada, spring = account(store), ladder(store)
    hand_in(store, ada, spring, 9, at=NOW - timedelta(days=2))
    examination = examined(store, submissions(store)[0], ada, spring)
    lifecycle.reject(store, examination, "no", NOW)
    accepted(store, tmp_path, ada, spring, 1)
    hand_in(store, ada, spring, 2, "other", at=LATER)
    assert usage(store, ada.id, spring.id, LATER) == Usage(1, (NOW, LATER), ("mine",))


def test_what_was_not_examined_by_our_fault_costs_no_quota(store: Store) -> None:
    ada, spring = account(store), ladder(store)
    found = hand_in(store, ada, spring)
    for _ in range(3):
        fail(store, examined(store, found, ada, spring))
    assert submission(store, found.id).state == "failed"
    assert usage(store, ada.id, spring.id, LATER) == Usage(0, (), ())


# What an examination comes to


def test_an_examination_is_followed(store: Store) -> None:
    ada, spring = account(store), ladder(store)
    found = hand_in(store, ada, spring)
    going = examined(store, found, ada, spring)
    lifecycle.begin(store, going, "building", NOW)
    lifecycle.begin(store, going, "checking", NOW)
    lifecycle.reject(store, going, "it reneges", LATER, {"report.json": b"{}"})
    assert states(store, found.id) == ["received", "building", "checking", "rejected"]
    ended = submission(store, found.id)
    assert (ended.state, ended.reason, ended.since) == ("rejected", "it reneges", LATER)
    assert file_names(store, found.id) == ["report.json"]
    assert file(store, found.id, "report.json") == b"{}"
    assert queue(store) == []


def test_who_is_accepted_plays(store: Store, tmp_path: Path) -> None:
    found = accepted(store, tmp_path, account(store), ladder(store))
    assert states(store, found.id) == ["received", "accepted", "active"]
    assert playing(store) == {"mine 1": "active"}
    assert submission(store, found.id).bot == f"{1:064x}"


def test_a_new_version_takes_the_place_of_the_one_before(store: Store, tmp_path: Path) -> None:
    ada, spring = account(store), ladder(store)
    first = accepted(store, tmp_path, ada, spring, 1)
    accepted(store, tmp_path, ada, spring, 2)
    assert playing(store) == {"mine 1": "resting", "mine 2": "active"}
    assert submission(store, first.id).reason == "replaced by 2"


def test_until_then_the_one_before_plays(store: Store, tmp_path: Path) -> None:
    ada, spring = account(store), ladder(store)
    accepted(store, tmp_path, ada, spring, 1)
    going = examined(store, hand_in(store, ada, spring, 2), ada, spring)
    lifecycle.begin(store, going, "checking", NOW)
    assert playing(store) == {"mine 1": "active"}
    lifecycle.reject(store, going, "no", NOW)
    assert playing(store) == {"mine 1": "active"}


def test_a_bot_of_another_name_plays_beside_it(store: Store, tmp_path: Path) -> None:
    ada, spring = account(store), ladder(store)
    accepted(store, tmp_path, ada, spring, 1)
    accepted(store, tmp_path, ada, spring, 2, "other")
    assert playing(store) == {"mine 1": "active", "other 2": "active"}


def test_a_bot_of_the_same_name_of_another_author_is_let_alone(
    store: Store, tmp_path: Path
) -> None:
    spring = ladder(store)
    accepted(store, tmp_path, account(store, "ada"), spring, 1)
    accepted(store, tmp_path, account(store, "bert"), spring, 2)
    assert playing(store) == {"mine 1": "active", "mine 2": "active"}


def test_a_bot_that_is_somebody_elses_is_not_accepted(store: Store, tmp_path: Path) -> None:
    spring, bert = ladder(store), account(store, "bert")
    (theirs,) = house(store, spring, tmp_path, 1)
    found = hand_in(store, bert, spring)
    with pytest.raises(ConfigError, match="belongs to somebody else"):
        lifecycle.accept(store, examined(store, found, bert, spring), theirs, {}, NOW)
    assert submission(store, found.id).state == "received"


def test_what_was_accepted_already_changes_nothing(store: Store, tmp_path: Path) -> None:
    ada, spring = account(store), ladder(store)
    found = hand_in(store, ada, spring)
    going, mine = examined(store, found, ada, spring), bot(store, tmp_path, 1)
    lifecycle.accept(store, going, mine, {}, NOW)
    lifecycle.accept(store, going, mine, {}, LATER)
    lifecycle.reject(store, going, "no", LATER)
    assert states(store, found.id) == ["received", "accepted", "active"]


# Our own fault


def test_what_failed_by_our_fault_is_tried_again_later(store: Store) -> None:
    ada, spring = account(store), ladder(store)
    found = hand_in(store, ada, spring)
    job = claim(store, ["examine"], NOW)
    assert job
    lifecycle.fail_examination(store, job, "no disk", NOW)
    assert submission(store, found.id).state == "received"
    assert claim(store, ["examine"], NOW + timedelta(seconds=19)) is None
    again = claim(store, ["examine"], NOW + timedelta(seconds=20))
    assert again
    assert (again.attempts, again.error) == (1, "no disk")


def test_after_three_failures_it_is_given_up(store: Store) -> None:
    ada, spring = account(store), ladder(store)
    found = hand_in(store, ada, spring)
    for _ in range(3):
        fail(store, examined(store, found, ada, spring))
    assert submission(store, found.id).reason == "our fault: it was not examined"
    assert queue(store) == []


def test_what_was_given_up_is_examined_again_if_the_organiser_says_so(store: Store) -> None:
    ada, spring = account(store), ladder(store)
    found = hand_in(store, ada, spring)
    for _ in range(3):
        fail(store, examined(store, found, ada, spring))
    lifecycle.examine_once_more(store, submission(store, found.id), By(None, LATER))
    assert submission(store, found.id).state == "received"
    again = claim(store, ["examine"], LATER)
    assert again
    assert again.attempts == 0


def test_what_plays_is_not_examined_again(store: Store, tmp_path: Path) -> None:
    found = accepted(store, tmp_path, account(store), ladder(store))
    with pytest.raises(ConfigError, match="is active; only what was not accepted"):
        lifecycle.examine_once_more(store, submission(store, found.id), HOST)


def test_the_last_submission_of_everybody_is_examined_again(store: Store, tmp_path: Path) -> None:
    spring, ada, bert = ladder(store), account(store, "ada"), account(store, "bert")
    for by, source in ((ada, 1), (ada, 2), (bert, 3)):
        found = hand_in(store, by, spring, source)
        lifecycle.reject(store, examined(store, found, by, spring), "no", NOW)
    accepted(store, tmp_path, account(store, "cleo"), spring, 4)
    assert lifecycle.examine_latest(store, spring, HOST) == [2, 3]
    assert places(store, "examine", [1, 2, 3, 4]) == {2: 1, 3: 2}


# What authors and organisers do


def choose(store: Store, number: int, ada_number: int, source: int, tmp_path: Path) -> None:
    found = submission(store, number)
    who = account_of_id(store, ada_number)
    chosen = lifecycle.Examination(None, found, who, find(store, "spring"))
    lifecycle.choose_version(store, chosen, bot(store, tmp_path, source), lambda _: None, HOST)


def test_an_earlier_version_is_chosen(store: Store, tmp_path: Path) -> None:
    ada, spring = account(store), ladder(store)
    first = accepted(store, tmp_path, ada, spring, 1)
    accepted(store, tmp_path, ada, spring, 2)
    choose(store, first.id, ada.id, 1, tmp_path)
    assert playing(store) == {"mine 1": "active", "mine 2": "resting"}
    assert [each.number for each in ladder_entrants(store, spring)] == [1, 2]


def test_only_a_version_that_rests_is_chosen(store: Store, tmp_path: Path) -> None:
    ada, spring = account(store), ladder(store)
    first = accepted(store, tmp_path, ada, spring, 1)
    with pytest.raises(ConfigError, match="is active; only one that rests"):
        choose(store, first.id, ada.id, 1, tmp_path)


def test_what_is_examined_counts_where_a_version_is_chosen(store: Store, tmp_path: Path) -> None:
    ada, spring = account(store), ladder(store)
    first = accepted(store, tmp_path, ada, spring, 1, "one")
    lifecycle.rest(store, submission(store, first.id), HOST)
    accepted(store, tmp_path, ada, spring, 2, "other")
    hand_in(store, ada, spring, 3, "third")
    chosen = lifecycle.Examination(None, submission(store, first.id), ada, spring)
    others: list[str] = []
    mine = ladder_entrants(store, spring)[0].bot
    lifecycle.choose_version(store, chosen, mine, others.extend, HOST)
    assert sorted(others) == ["other", "third"]


def test_a_bot_may_rest(store: Store, tmp_path: Path) -> None:
    ada, spring = account(store), ladder(store)
    found = accepted(store, tmp_path, ada, spring)
    lifecycle.rest(store, submission(store, found.id), By(ada.id, LATER))
    assert playing(store) == {"mine 1": "resting"}
    assert events(store, found.id)[-1].actor == "ada"


def test_a_ban_is_lifted(store: Store, tmp_path: Path) -> None:
    ada, spring = account(store), ladder(store)
    found = accepted(store, tmp_path, ada, spring)
    lifecycle.ban(store, submission(store, found.id), "a puppet", HOST)
    assert playing(store) == {"mine 1": "banned"}
    assert submission(store, found.id).reason == "a puppet"
    with pytest.raises(ConfigError, match="is banned, and has to be"):
        lifecycle.ban(store, submission(store, found.id), "again", HOST)
    lifecycle.lift(store, submission(store, found.id), HOST)
    assert playing(store) == {"mine 1": "resting"}


def test_no_other_submission_of_the_same_bot_takes_a_ban_back(store: Store, tmp_path: Path) -> None:
    ada, spring = account(store), ladder(store)
    first = accepted(store, tmp_path, ada, spring)
    (entrant,) = ladder_entrants(store, spring)
    second = hand_in(store, ada, spring, 2)
    lifecycle.accept(store, examined(store, second, ada, spring), entrant.bot, {}, NOW)
    lifecycle.ban(store, submission(store, first.id), "a puppet", HOST)
    lifecycle.rest(store, submission(store, second.id), By(ada.id, LATER))
    assert playing(store) == {"mine 1": "banned"}


def test_who_is_suspended_on_the_ladder_is_so_in_its_submission(
    store: Store, tmp_path: Path
) -> None:
    ada, spring = account(store), ladder(store)
    found = accepted(store, tmp_path, ada, spring)
    (entrant,) = ladder_entrants(store, spring)
    lifecycle.suspend_entrant(store, spring, entrant, "at fault", NOW)
    assert playing(store) == {"mine 1": "suspended"}
    assert (submission(store, found.id).state, submission(store, found.id).reason) == (
        "suspended",
        "at fault",
    )


def test_files_of_an_examination_take_the_place_of_those_before(store: Store) -> None:
    found = hand_in(store, account(store), ladder(store))
    with writing(store) as connection:
        put_files(connection, found.id, {"build.log": b"1", "fault-1": b"2"})
    with writing(store) as connection:
        put_files(connection, found.id, {"build.log": b"3"})
    assert file_names(store, found.id) == ["build.log"]
    assert file(store, found.id, "build.log") == b"3"


def test_submissions_are_found_by_what_they_are(store: Store, tmp_path: Path) -> None:
    spring, autumn, ada = ladder(store), ladder(store, "autumn"), account(store)
    accepted(store, tmp_path, ada, spring, 1)
    hand_in(store, ada, autumn, 2)
    hand_in(store, account(store, "bert"), spring, 3)
    assert [each.id for each in submissions(store)] == [3, 2, 1]
    assert [each.id for each in submissions(store, account=ada.id)] == [2, 1]
    assert [each.id for each in submissions(store, ladder=spring.id)] == [3, 1]
    assert [each.id for each in submissions(store, states=["active"])] == [1]
    assert [each.id for each in submissions(store, most=1)] == [3]


def test_what_is_not_there_is_said(store: Store) -> None:
    with pytest.raises(ConfigError, match="there is no submission 7"):
        submission(store, 7)


def test_all_of_it_is_in_the_audit_log(store: Store, tmp_path: Path) -> None:
    ada, spring = account(store), ladder(store)
    found = accepted(store, tmp_path, ada, spring)
    lifecycle.ban(store, submission(store, found.id), "a puppet", HOST)
    assert [(each.action, each.actor) for _, each in audit_log(store, 10)] == [
        ("set banned", None),
        ("submit", "ada"),
        ("create ladder", None),
        ("add account", None),
    ]
