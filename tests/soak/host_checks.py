"""Checks a host that was killed: each submission and each duel has to be there once."""

import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from referee.scheduling.rounds import Rounds
from referee.store.challenges import challenges
from referee.store.database import Store
from referee.store.duels import stored_keys
from referee.store.hosting_models import Submission
from referee.store.ladders import ladder_entrants, ladder_epochs, ladders
from referee.store.leagues import league, league_names
from referee.store.rounds import rounds
from referee.store.sources import source_file
from referee.store.submissions import events, submissions
from tests.soak.comparing import last_line, log_faults
from tests.soak.scene import Scene, opened, start


class HostFindings(NamedTuple):
    """What there is on a host, and what is wrong with it."""

    leagues: int
    duels: int
    wrong: list[str]


def host_faults(scene: Scene, told: Mapping[str, Sequence[int]], log: Path) -> HostFindings:
    """Look at all that is on a host.

    Args:
        scene: its store, which nobody uses any more.
        told: the submissions of each login, in their order, as the host told its authors.
        log: where commands write.
    """
    with opened(scene) as store:
        wrong = [*submission_faults(store, told), *_ladders(store), *_challenges(store)]
        names = sorted(league_names(store))
        duels = {name: len(stored_keys(store, name)) for name in names}
        for name in names:
            wrong += [f"{name}: {each}" for each in duel_faults(store, name)]
    for name in names:
        wrong += [f"{name}: {each}" for each in log_faults(scene, name)]
        wrong += _verified(scene, name, log)
    wrong += _database(scene)
    return HostFindings(len(names), sum(duels.values()), wrong)


def submission_faults(store: Store, told: Mapping[str, Sequence[int]]) -> Iterator[str]:
    """Compare the submissions that are stored with those that authors were told of."""
    found = submissions(store, most=10**6)
    times = Counter((each.login, each.source) for each in found)
    twice = [each for each, count in times.items() if count > 1]
    yield from (f"{login} has more than one submission of {source[:12]}" for login, source in twice)
    by_login = {login: [each for each in reversed(found) if each.login == login] for login in told}
    for login, numbers in told.items():
        there = [each.id for each in by_login[login]]
        if there != [*numbers]:
            yield f"{login} was told of submissions {numbers}, and there are {there}"
        earlier, latest = by_login[login][:-1], by_login[login][-1:]
        yield from (_not(each, "resting") for each in earlier if each.state != "resting")
        yield from (_not(each, "active") for each in latest if each.state != "active")
    for each in found:
        if not source_file(store.files, each.source).is_file():
            yield f"the archive of submission {each.id} is lost"
        accepted = [event.state for event in events(store, each.id)].count("accepted")
        if accepted != 1:
            yield f"submission {each.id} was accepted {accepted} times"


def _not(found: Submission, state: str) -> str:
    return f"submission {found.id} is {found.state}, not {state}: {found.reason}"


def _ladders(store: Store) -> Iterator[str]:
    for ladder in ladders(store):
        entrants = ladder_entrants(store, ladder)
        playing = Counter(each.bot.digest for each in entrants)
        wanted = {each.bot for each in submissions(store, ladder=ladder.id, most=10**6)}
        owned = {each.bot.digest for each in entrants if each.account is not None}
        if owned != wanted or playing.most_common(1)[0][1] > 1:
            yield f"{ladder.name} has other bots than were accepted"
        if not all(each.ended for each in ladder_epochs(store, ladder)):
            yield f"{ladder.name} has an epoch that is not over"


def _challenges(store: Store) -> Iterator[str]:
    accounts = {each.account for each in submissions(store, most=10**6)}
    for each in (one for account in accounts for one in challenges(store, account, 10**6)):
        duels = len(stored_keys(store, each.league)) if each.league else 0
        if (each.state, duels) != ("done", each.duels):
            yield f"challenge {each.id} is {each.state} with {duels} duels: {each.reason}"


def duel_faults(store: Store, name: str) -> Iterator[str]:
    """Compare what is stored of an epoch of a ladder with what was paired."""
    paired = rounds(store, name)
    if not paired:
        return
    each = league(store, name).plan.round_duels
    assert each
    blocks = Rounds(each, [one.pairs for one in paired]).blocks()
    wanted = {(block.first, block.second, number) for block in blocks for number in block.numbers}
    stored = {(key.first, key.second, key.number) for key in stored_keys(store, name)}
    if stored != wanted:
        yield f"{len(wanted - stored)} duels are missing, {len(stored - wanted)} too many"


def _verified(scene: Scene, name: str, log: Path) -> Iterator[str]:
    export = scene.place.with_name(f"{name}-export")
    if start(scene, "league", "export", name, str(export), log=log).wait():
        yield f"{name} cannot be exported: {last_line(log)}"
    elif start(scene, "verify", str(export), log=log).wait():
        yield f"verify does not pass on {name}: {last_line(log)}"


def _database(scene: Scene) -> Iterator[str]:
    with closing(sqlite3.connect(scene.store)) as connection:
        for pragma in ("integrity_check", "foreign_key_check"):
            found = connection.execute(f"PRAGMA {pragma}").fetchall()
            if found not in ([("ok",)], []):
                yield f"{pragma}: {found[:3]}"
