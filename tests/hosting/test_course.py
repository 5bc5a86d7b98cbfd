"""A week of a course with 30 authors, by a clock of its own: what each is told, and her grade."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import pytest

from referee.arena.limits import Terms
from referee.bots.packing import pack
from referee.errors import ConfigError
from referee.hosting.examinations import Examinations
from referee.hosting.examining import CheckOutcome, CheckTask, build_submission
from referee.hosting.finals import make_final
from referee.hosting.grades import Grade, grades_of
from referee.hosting.invitations import import_roster, read_roster
from referee.hosting.queued import Queued, queue_killed_again
from referee.hosting.receiving import receive
from referee.hosting.settings import change_setting, host_settings
from referee.store import lifecycle
from referee.store.accounts import find_account
from referee.store.assignments import add_assignment, assignment
from referee.store.hosting_models import By, LadderPlan, NewAssignment, Submission, Threshold
from referee.store.jobs import claim
from referee.store.ladders import ladder as find_ladder
from referee.store.ladders import ladder_entrants, set_ladder_state
from referee.store.opening import open_store
from referee.store.sources import receiving
from referee.store.submissions import events, submission, submissions
from tests.hosting.played_ladders import PlayedLadder, play_at_once
from tests.store.hosting_scenes import HOST, NOW
from tests.table import euchre

AUTHORS: Final = [f"author-{number:02}" for number in range(1, 31)]
WILD: Final = AUTHORS[10:15]
"""They call trump whatever they have."""
CRASHING, COPIED, LATE, TOO_LATE = AUTHORS[4:8]
UNLUCKY, FIXED, HASTY, LOST = AUTHORS[26:]
DUE: Final = NOW + timedelta(days=5, hours=10)
PLAN: Final = LadderPlan(
    Terms(euchre(target=3)), 4, timedelta(days=4), timedelta(days=1), 1, (), sandboxed=False
)
MANIFEST: Final = """
name = "{name}"
version = "{version}"
author = "{name}"
language = "python"
run = ["python", "bot.py"]
games = ["euchre"]
"""
GradeOf = Callable[[str], Grade]
BAD: Final = "raise SystemExit"


class Workers:
    """Takes the place of the workers of a host: it builds as they do, and looks for one word."""

    sandboxing: Any = type("None", (), {"mode": None, "shared_files": False})

    def __init__(self) -> None:
        self.fail_once: str | None = None
        """The name of the bot whose examination fails once, by the host's own fault."""

    def submit(self, _: str, work: Callable[..., object], task: Any) -> Future[object]:  # noqa: ANN401 (any task)
        future = Future[object]()
        if work is build_submission:
            future.set_result(work(task))
        elif task.bot.name == self.fail_once:
            self.fail_once = None
            future.set_exception(OSError(28, "No space left on device"))
        else:
            future.set_result(self._checked(task))
        return future

    def _checked(self, task: CheckTask) -> CheckOutcome:
        passed = BAD not in (task.bundle / "bot.py").read_text()
        return CheckOutcome("" if passed else "says hello in time: crashed", b"{}", ())


@dataclass
class Course:
    """The ladder of a course, and all who take it."""

    on: PlayedLadder
    directory: Path
    workers: Workers = field(default_factory=Workers)
    versions: dict[str, int] = field(default_factory=dict)
    told: dict[str, str] = field(default_factory=dict)
    """What each was told last when a submission was refused."""

    def hand_in(self, login: str, content: str = "") -> None:
        """Hand in the next version of an author's bot, as `upcard submit` does."""
        version = self.versions[login] = self.versions.get(login, 0) + 1
        bot = self.directory / f"{login}-{version}"
        bot.mkdir()
        (bot / "bot.toml").write_text(MANIFEST.format(name=login, version=version))
        (bot / "bot.py").write_text(f"# {version}\n{content}")
        store, settings = self.on.store, host_settings(self.on.store)
        on, who = find_ladder(store, "spring"), find_account(store, login)
        with receiving(store.files) as place:
            with (archive := place / "archive").open("wb") as out:
                pack(bot, out, settings.limits)
            try:
                receive(store, archive, on, who, settings=settings, now=self.on.now)
            except ConfigError as error:
                self.told[login] = str(error)

    def examine(self) -> None:
        """Examine all that waits, and what is tried again soon."""
        now, store = self.on.now, self.on.store
        pool: Any = self.workers
        clock, stops = lambda: self.on.now, lambda: 0
        examine = Examinations(store, pool, self.directory, clock, stops).examine
        examinations = Queued(store, "examine", examine, clock, stops)
        for _ in range(3):
            while examinations.do_next():
                pass
            self.on.now += timedelta(minutes=10)
        self.on.now = now

    def die_while_examining(self) -> None:
        """Begin an examination and be killed."""
        assert claim(self.on.store, ["examine"], self.on.now)
        self.examine()
        assert queue_killed_again(self.on.store, self.on.now) == 1
        self.examine()

    def last(self, login: str) -> Submission:
        who = find_account(self.on.store, login).id
        return submissions(self.on.store, account=who)[0]

    def day(self, *logins: str) -> None:
        """Let some hand in, and play until the next morning."""
        for login in logins:
            self.hand_in(login)
        self.examine()
        self.on.turns()
        self.on.later(days=1)


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Course]:
    """Return the course when the week is over."""
    directory = tmp_path_factory.mktemp("course")
    with (
        pytest.MonkeyPatch.context() as patch,
        open_store(str(directory / "upcard.db"), create=True) as store,
    ):
        play_at_once(patch)
        on = PlayedLadder(store, directory, PLAN)
        on.house(1, 2)
        on.wild = {"house-2": 1.0, **dict.fromkeys(WILD, 1.0)}
        roster = "login,group\n" + "".join(f"{login},a\n" for login in AUTHORS)
        import_roster(store, read_roster(roster), HOST)
        change_setting(store, "daily", "3", HOST)
        thresholds = (Threshold(50, "house-2", 0.6), Threshold(100, "house-1", 0.99))
        new = NewAssignment("first", "a", DUE, timedelta(hours=1), "last", thresholds)
        add_assignment(store, new, on.ladder, HOST)
        made = Course(on, directory)
        _play_week(made)
        yield made


def _play_week(course: Course) -> None:
    on = course.on
    on.faulty = CRASHING
    # The first day: three hand in what does not pass, and the host fails once.
    course.workers.fail_once = UNLUCKY
    for login in AUTHORS[:-3]:
        course.hand_in(login)
    for login in (FIXED, HASTY, LOST):
        course.hand_in(login, BAD)
    course.examine()
    course.hand_in(FIXED)
    for attempt in ("1", "2", "3"):
        course.hand_in(HASTY, f"{BAD}\n# {attempt}")
        course.examine()
    course.day()
    # New versions; one bot crashes in each duel, and one is a copy.
    course.day(*AUTHORS[:4])
    course.day(*AUTHORS[15:18])
    lifecycle.ban(on.store, course.last(COPIED), "copied", By(None, on.now))
    course.day()
    course.day(HASTY)
    # The day on which it is due: half of them hand in in the last minutes, and the host dies.
    on.now = DUE - timedelta(minutes=5)
    for login in AUTHORS[8:23]:
        course.hand_in(login)
    course.die_while_examining()
    on.now = DUE + timedelta(minutes=30)
    course.hand_in(LATE)
    on.now = DUE + timedelta(hours=2)
    course.hand_in(TOO_LATE)
    course.examine()
    on.turns()
    on.later(days=1)
    set_ladder_state(on.store, on.ladder, "frozen", By(None, on.now))
    course.hand_in(AUTHORS[0])


@pytest.fixture(scope="module")
def graded(course: Course) -> list[Grade]:
    return grades_of(course.on.store, assignment(course.on.store, "first"))


@pytest.fixture(scope="module")
def grade(graded: list[Grade]) -> GradeOf:
    """Return what returns somebody's grade."""
    of = {each.account.login: each for each in graded}
    return of.__getitem__


def test_everybody_is_graded_once(graded: list[Grade]) -> None:
    assert [each.account.login for each in graded] == AUTHORS


def test_what_was_handed_in_in_the_last_minutes_counts_however_late_it_was_examined(
    course: Course,
    grade: GradeOf,
) -> None:
    for login in AUTHORS[8:23]:
        found = grade(login).submission
        assert found is not None
        assert (found.version, found.state) == (str(course.versions[login]), "active")
        assert grade(login).late == timedelta(0)


def test_who_is_within_the_grace_is_late_and_counts(course: Course, grade: GradeOf) -> None:
    found = grade(LATE)
    assert found.submission == course.last(LATE)
    assert found.late == timedelta(minutes=30)


def test_who_is_later_than_that_is_graded_by_what_was_there_before(
    course: Course, grade: GradeOf
) -> None:
    found = grade(TOO_LATE)
    assert course.last(TOO_LATE).state == "active"
    assert found.submission is not None
    assert (found.submission.version, found.submission.state) == ("1", "resting")


def test_a_failure_of_the_host_is_tried_again_and_costs_nothing(course: Course) -> None:
    (found,) = submissions(course.on.store, account=find_account(course.on.store, UNLUCKY).id)
    states = [(each.state, each.reason) for each in events(course.on.store, found.id)]
    assert ("received", "our fault: tried again soon") in states
    assert states[-1] == ("active", "")


def test_who_fixed_what_was_rejected_plays(course: Course) -> None:
    who = find_account(course.on.store, FIXED).id
    states = [each.state for each in submissions(course.on.store, account=who)]
    assert states == ["active", "rejected"]


def test_who_tries_too_often_is_told_when_to_go_on(course: Course) -> None:
    assert course.told[HASTY] == (
        "you have handed in 3 bots in a day, and 3 are allowed; the next one from "
        f"{NOW + timedelta(days=1):%Y-%m-%d %H:%M} UTC"
    )
    assert course.last(HASTY).state == "active"


def test_who_never_passed_has_no_points(grade: GradeOf) -> None:
    found = grade(LOST)
    assert (found.submission, found.points) == (None, 0)


def test_a_bot_that_always_crashes_is_suspended(
    course: Course,
) -> None:
    assert course.last(CRASHING).state == "suspended"


def test_a_copy_is_banned_and_worth_nothing(course: Course, grade: GradeOf) -> None:
    assert course.last(COPIED).state == "banned"
    assert grade(COPIED).submission is None


def test_who_plays_well_has_more_points_than_who_does_not(grade: GradeOf) -> None:
    sober = [grade(login).points for login in AUTHORS[15:26]]
    wild = [grade(login).points for login in WILD]
    assert sum(sober) / len(sober) > sum(wild) / len(wild)


def test_nobody_hands_in_after_the_freeze(course: Course) -> None:
    assert course.told[AUTHORS[0]] == "spring is frozen and takes no submissions"


def test_each_author_has_one_version_in_play(course: Course) -> None:
    active = [
        each.account
        for each in ladder_entrants(course.on.store, course.on.ladder)
        if each.state == "active" and each.account is not None
    ]
    assert len(active) == len({*active}) == len(AUTHORS) - 3


def test_the_best_eight_meet_in_the_final(course: Course) -> None:
    frozen = find_ladder(course.on.store, "spring")
    final = make_final(course.on.store, frozen, "final", 8, 4, house=False, now=course.on.now)
    names = {entry.bot.name for entry in final.entries}
    assert len(names) == 8
    assert names <= {*AUTHORS} - {CRASHING, COPIED, LOST}


def test_every_submission_was_decided_on(course: Course) -> None:
    assert {each.state for each in submissions(course.on.store)} == {
        *("active", "resting", "rejected", "suspended", "banned")
    }
    assert submission(course.on.store, 1).state == "resting"
