"""What shards have played is stored as if a run had played it, and nothing else is."""

import json
import zlib
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from referee.arena.fault import NEVER_READY
from referee.engine.record import Forfeit, MatchRecord
from referee.errors import ConfigError, FileError
from referee.league import importing
from referee.league.channel import NeverStarted
from referee.league.importing import ImportedFile, Refusal, import_files
from referee.league.outcome_forms import news_as_json
from referee.league.shard_files import header_of, shard_file
from referee.league.table import league_table
from referee.publication.collecting import collect
from referee.publication.export import export
from referee.publication.verification import VerificationRequest, verify
from referee.ratings.stopping import Until
from referee.scheduling.keys import DuelKey
from referee.store.chain import duel_digest
from referee.store.database import Store
from referee.store.duels import results, stored_duels, stored_keys, voids
from referee.store.leagues import league, suspensions, withdraw
from referee.store.leases import lease
from referee.store.log import entries
from referee.store.models import Isolation, StoredDuel, StoredFault, StoredVoid
from referee.store.play import unpacked
from referee.store.snapshots import snapshots
from referee.store.statement import Required
from tests.cli.leagues import NOW
from tests.league.shard_scenes import (
    LATER,
    WHOLE,
    Outcome,
    all_played,
    club,
    cup,
    duel_of,
    forged,
    keys_of,
    played,
    store_as_run,
    write,
)

AT_LAST = NOW + timedelta(days=36500)
"""Later than the log is written, whatever time it is."""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with cup(tmp_path) as made:
        yield made


def imported(store: Store, *paths: Path) -> list[ImportedFile]:
    return import_files(store, paths, LATER)


def kinds(store: Store) -> list[str]:
    return [entry.kind for entry in entries(store, "club")]


def stored(store: Store) -> dict[DuelKey, str]:
    """Return the digests of all duels that are part of the league."""
    found = club(store)
    return {
        duel.key: duel_digest(
            duel.key,
            unpacked(duel.play, found.dealt(duel.key), found.plan.terms.game),
            [fault.form for fault in duel.faults],
        )
        for duel in stored_duels(store, "club")
    }


def test_a_league_that_is_imported_is_one_that_was_run(store: Store, tmp_path: Path) -> None:
    duels = all_played(club(store))
    shards = [
        write(tmp_path / f"{number}.jsonl", club(store), duels[begin : begin + 4])
        for number, begin in enumerate((0, 4, 8))
    ]
    assert [file.stored for file in imported(store, *shards)] == [4, 4, 4]
    with cup(tmp_path / "run") as other:
        store_as_run(other, duels)
        assert list(stored_duels(store, "club")) == list(stored_duels(other, "club"))
        ours, theirs = league_table(store, "club"), league_table(other, "club")
    assert ours.standings == theirs.standings
    assert ours.isolations == theirs.isolations
    assert ours.league == theirs.league
    assert ours.league.state == "complete"


def test_what_was_imported_is_verified(store: Store, tmp_path: Path) -> None:
    imported(store, write(tmp_path / "shard.jsonl", club(store), all_played(club(store))))
    export(tmp_path / "published", collect(store, "club"))
    report = verify(
        tmp_path / "published",
        VerificationRequest(),
        lambda lines, _: lines,
        LATER + timedelta(days=36500),
    )
    assert (report.failures, report.outcome) == ([], "consistent")


def test_files_that_overlap_come_to_the_same_in_any_order(tmp_path: Path) -> None:
    outcomes = []
    for number, order in enumerate([(0, 1, 2), (2, 1, 0), (1, 2, 0)]):
        with cup(tmp_path / str(number)) as store:
            found, duels = club(store), all_played(club(store), faulty=2)
            parts = duels[:7], duels[3:9], duels[5:]
            paths = [
                write(tmp_path / str(number) / f"{part}.jsonl", found, parts[part])
                for part in order
            ]
            imported(store, *paths)
            imported(store, *reversed(paths))
            table = league_table(store, "club")
            outcomes.append((stored(store), results(store, "club"), table.standings))
            assert kinds(store).count("duel") == len(duels)
    assert all(outcome == outcomes[0] for outcome in outcomes)


def test_a_file_that_is_imported_again_changes_nothing(store: Store, tmp_path: Path) -> None:
    path = write(tmp_path / "shard.jsonl", club(store), all_played(club(store))[:5])
    imported(store, path)
    before = list(entries(store, "club"))
    (file,) = imported(store, path)
    assert (file.duels, file.stored, file.present, file.refused) == (5, 0, 5, None)
    assert list(entries(store, "club")) == before


def test_a_file_that_grows_is_imported_as_far_as_it_is_written(
    store: Store, tmp_path: Path
) -> None:
    duels = all_played(club(store))
    path = write(tmp_path / "shard.jsonl", club(store), duels[:2])
    with path.open("a") as growing:
        growing.write(json.dumps(news_as_json(duels[2], club(store).plan.terms.game))[:-9])
    (file,) = imported(store, path)
    assert (file.stored, file.is_torn, file.refused) == (2, True, None)
    write(path, club(store), duels[2:])  # goes on with what is whole
    (file,) = imported(store, path)
    assert (file.stored, file.present, file.is_torn) == (10, 2, False)


@pytest.fixture
def before_storing(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], object]], None]:
    """Do something once a file was checked, and before anything of it is stored."""

    def do(act: Callable[[], object]) -> None:
        real = importing._digest  # noqa: SLF001 (the first that happens then)
        monkeypatch.setattr(importing, "_digest", lambda *args: (act(), real(*args))[1])

    return do


def test_of_a_file_that_grows_meanwhile_no_more_is_stored_than_was_checked(
    store: Store, tmp_path: Path, before_storing: Callable[[Callable[[], object]], None]
) -> None:
    path = write(tmp_path / "shard.jsonl", club(store), all_played(club(store))[:3])
    before_storing(lambda: path.write_text(path.read_text() + "{}\n"))
    (file,) = imported(store, path)
    assert (file.stored, file.present, file.refused) == (3, 0, None)


def test_of_a_file_that_is_changed_meanwhile_nothing_is_stored(
    store: Store, tmp_path: Path, before_storing: Callable[[Callable[[], object]], None]
) -> None:
    path = write(tmp_path / "shard.jsonl", club(store), all_played(club(store))[:3])
    before_storing(lambda: path.write_text(path.read_text().replace('"upcard"', '"Upcard"')))
    with pytest.raises(FileError, match="was changed while it was read"):
        imported(store, path)
    assert stored(store) == {}


def test_an_empty_file_has_nothing_to_import(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "shard.jsonl"
    path.touch()
    assert imported(store, path) == [ImportedFile(path)]


def test_the_log_says_from_which_file_duels_are(store: Store, tmp_path: Path) -> None:
    duels = all_played(club(store))
    first = write(tmp_path / "1.jsonl", club(store), duels[:2])
    second = write(tmp_path / "2.jsonl", club(store), duels[1:3])
    imported(store, first, second)
    assert kinds(store)[-5:] == ["shard", "duel", "duel", "shard", "duel"]


def test_a_league_is_rated_after_each_round_that_is_over(store: Store, tmp_path: Path) -> None:
    duels = all_played(club(store))
    imported(store, write(tmp_path / "1.jsonl", club(store), duels[:4]))
    assert snapshots(store, "club") == []
    imported(store, write(tmp_path / "2.jsonl", club(store), duels[4:]))
    assert [snapshot.duels for snapshot in snapshots(store, "club")] == [12]


def test_who_is_at_fault_too_often_is_suspended_as_in_a_run(tmp_path: Path) -> None:
    with cup(tmp_path, 3, 12) as store, cup(tmp_path / "run", 3, 12) as other:
        duels = all_played(club(store), faulty=2)
        imported(store, write(tmp_path / "shard.jsonl", club(store), reversed(duels)))
        store_as_run(other, duels)
        ours, theirs = (suspensions(each, "club") for each in (store, other))
        assert {number: each.after for number, each in ours.items()} == {2: 4}
        assert ours[2].reason == theirs[2].reason
        assert results(store, "club") == results(other, "club")


def test_what_was_stored_first_stays(store: Store, tmp_path: Path) -> None:
    key = DuelKey(1, 2, 0)
    first = write(tmp_path / "1.jsonl", club(store), [played(club(store), key)])
    other = write(tmp_path / "2.jsonl", club(store), [played(club(store), key, luck=1)])
    imported(store, first)
    before = stored(store)
    (file,) = imported(store, other)
    assert (file.different, file.stored, file.refused) == ({key}, 0, None)
    assert stored(store) == before


def test_voids_and_failed_starts_are_counted_and_not_stored(store: Store, tmp_path: Path) -> None:
    void = StoredVoid(DuelKey(1, 2, 0), "the referee was late", NOW)
    never = NeverStarted(3, NEVER_READY, "it was silent", None)
    duel = played(club(store), DuelKey(1, 2, 1))
    outcomes: list[Outcome] = [void, void, void, never, duel]
    (file,) = imported(store, write(tmp_path / "shard.jsonl", club(store), outcomes))
    assert (file.voids, file.never_started, file.stored) == (3, {3}, 1)
    assert voids(store, "club") == []
    assert suspensions(store, "club") == {}


def test_the_duels_of_who_is_withdrawn_are_stored_and_count_for_nobody(
    store: Store, tmp_path: Path
) -> None:
    path = write(tmp_path / "shard.jsonl", club(store), all_played(club(store)))
    withdraw(store, "club", 3, NOW)
    assert imported(store, path)[0].stored == 12
    assert {row.entrant for row in league_table(store, "club").standings.rows} == {1, 2}
    assert club(store).state == "complete"


def test_of_a_league_that_is_over_nothing_more_is_stored(store: Store, tmp_path: Path) -> None:
    withdraw(store, "club", 3, NOW)
    duels = [played(club(store), key) for key in keys_of(club(store))]
    imported(store, write(tmp_path / "1.jsonl", club(store), duels))
    assert club(store).state == "complete"
    late = [played(club(store), DuelKey(2, 3, 0))]
    (file,) = imported(store, write(tmp_path / "2.jsonl", club(store), late))
    assert (file.stored, file.left_out) == (0, 1)


def test_what_comes_after_a_look_is_stored_once_that_is_known(tmp_path: Path) -> None:
    with cup(tmp_path, 2, 16, Until(0.9999, "rating")) as store:
        found, keys = club(store), [DuelKey(1, 2, number) for number in range(16)]
        late, early = (
            write(tmp_path / f"{name}.jsonl", found, [played(found, key) for key in part])
            for name, part in (("late", keys[8:]), ("early", keys[:8]))
        )
        assert imported(store, late)[0].left_out == 8
        assert [file.stored for file in imported(store, late, early)] == [8, 8]


def test_each_file_goes_to_the_league_that_it_is_of(tmp_path: Path) -> None:
    with cup(tmp_path, name="spring") as store:
        found = league(store, "spring")
        path = write(tmp_path / "shard.jsonl", found, [played(found, DuelKey(1, 2, 0))])
        assert imported(store, path)[0].league == "spring"
        assert stored_keys(store, "spring") == {(1, 2, 0)}


def test_nothing_is_imported_into_a_league_that_is_being_run(store: Store, tmp_path: Path) -> None:
    path = write(tmp_path / "shard.jsonl", club(store), ())
    with lease(store, "club"), pytest.raises(ConfigError, match="is being run by process"):
        imported(store, path)


# What is refused; one league is enough, as nothing is stored of it


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with cup(tmp_path_factory.mktemp("one")) as made:
        yield made


def refusal(store: Store, path: Path) -> Refusal:
    """Import a file that is refused, beside one that is not; return why."""
    sound = write(path.with_name("sound.jsonl"), club(store), [played(club(store), LAST)])
    bad, good = imported(store, path, sound)
    assert (bad.stored, good.stored + good.present) == (0, 1)
    assert stored_keys(store, "club") == {LAST}
    assert bad.refused
    return bad.refused


LAST = DuelKey(2, 3, 3)
LIES: list[tuple[str, Callable[[Any], None]]] = [
    ("digest", lambda form: form.update(digest="0" * 64)),
    ("wins", lambda form: form.update(wins=(form["wins"] + 1) % 3)),
    ("margin", lambda form: form.update(margin=form["margin"] + 1)),
    ("hands", lambda form: form.update(hands=form["hands"] - 1)),
    ("identical", lambda form: form.update(identical=form["identical"] + 1)),
    ("sides[0].tallies", lambda form: form["sides"][0]["tallies"].update(hands=1)),
    ("slowest[0].entrant", lambda form: form["sides"][0]["slowest"].update(seat="E")),
    ("slowest[0].seconds", lambda form: form["sides"][0]["slowest"].update(seconds=900)),
    ("key", lambda form: form.update(key=[1, 9, 0])),
    ("key", lambda form: form.update(key=[1, 1, 0])),
    ("key[0]", lambda form: form.update(key=[2, 1, 0])),
    ("key[2]", lambda form: form.update(key=[1, 2, 4])),
    ("finished", lambda form: form.update(finished="2020-01-01T00:00:00+00:00")),
    ("finished", lambda form: form.update(finished="2199-01-01T00:00:00+00:00")),
    ("more", lambda form: form.update(more=1)),
    ("type", lambda form: form.update(type="half_played")),
    ("play", lambda form: form.update(play="AQID")),
]


@pytest.mark.parametrize(("field", "lie"), LIES)
def test_a_file_with_one_lie_is_not_imported(
    one: Store, tmp_path: Path, field: str, lie: Callable[[Any], None]
) -> None:
    duels = [played(club(one), DuelKey(1, 2, number)) for number in range(3)]
    path = forged(write(tmp_path / "shard.jsonl", club(one), duels), 3, lie)
    assert refusal(one, path)[:2] == (3, field)


def lying(store: Store, change: Callable[[MatchRecord], MatchRecord]) -> StoredDuel:
    """Return a duel whose open room is another than was played, and all counted by that."""
    found = club(store)
    honest = played(found, DuelKey(1, 2, 0))
    opened, closed = unpacked(honest.play, found.dealt(honest.key), found.plan.terms.game)
    return duel_of(honest.key, (change(opened), closed))


def with_another_card(record: MatchRecord) -> MatchRecord:
    hand = record.hands[0]
    (seat, _), again = hand.actions[-1], hand.actions[0]
    actions = (*hand.actions[:-1], (seat, again[1]))
    return record._replace(hands=(hand._replace(actions=actions), *record.hands[1:]))


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("rooms[0].hands[0].actions", with_another_card),
        ("rooms[0].first_dealer", lambda record: record._replace(first_dealer=1)),
        ("rooms[0].hands", lambda record: record._replace(hands=record.hands[:-1])),
        ("rooms[0].score", lambda record: record._replace(score=(10, 0))),
        ("faults", lambda record: record._replace(hands=(), score=(0, 0), forfeit=Forfeit(0, ()))),
    ],
)
def test_illegal_play_is_refused_however_well_it_is_counted(
    one: Store, tmp_path: Path, field: str, change: Callable[[MatchRecord], MatchRecord]
) -> None:
    path = write(tmp_path / "shard.jsonl", club(one), [lying(one, change)])
    found = refusal(one, path)
    assert found.line == 2
    assert found.field.startswith(field)


def test_play_with_other_decks_is_refused(one: Store, tmp_path: Path) -> None:
    duel = played(club(one), DuelKey(1, 2, 0))
    other = played(club(one), DuelKey(1, 2, 1))._replace(play=duel.play)
    path = write(tmp_path / "shard.jsonl", club(one), [other])
    assert refusal(one, path).field.startswith("rooms[0]")


def test_a_fault_of_who_sat_elsewhere_is_refused(one: Store, tmp_path: Path) -> None:
    duel = played(club(one), DuelKey(1, 2, 0), faulty=2)
    (fault,) = duel.faults
    path = write(tmp_path / "1.jsonl", club(one), [of_fault(one, duel, entrant=1)])
    assert refusal(one, path).field == "faults[0].entrant"
    assert fault.entrant == 2


def of_fault(store: Store, duel: StoredDuel, **changed: Any) -> StoredDuel:  # noqa: ANN401 (of any field)
    found = club(store)
    rooms = unpacked(duel.play, found.dealt(duel.key), found.plan.terms.game)
    return duel_of(duel.key, rooms, [StoredFault(*duel.faults[0])._replace(**changed)])


@pytest.mark.parametrize(
    "bundle", [b"", b"no bundle", zlib.compress(b"{}"), zlib.compress(bytes((1 << 24) + 1))]
)
def test_what_is_no_bundle_of_the_fault_is_refused(
    one: Store, tmp_path: Path, bundle: bytes
) -> None:
    duel = played(club(one), DuelKey(1, 2, 0), faulty=2)
    path = write(tmp_path / "1.jsonl", club(one), [of_fault(one, duel, bundle=bundle)])
    assert refusal(one, path).field.startswith("faults[0].bundle")


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("schema", lambda form: form.update(schema=2)),
        ("plan", lambda form: form.update(plan="0" * 64)),
        ("league", lambda form: form.update(league="other")),
        ("shard", lambda form: form.update(shard="2/1")),
        ("entrants[1]", lambda form: form["entrants"].__setitem__(1, "0" * 64)),
        ("entrants", lambda form: form["entrants"].append("0" * 64)),
        ("epochs[0].commitment", lambda form: form["epochs"][0].update(commitment="0" * 64)),
        ("epochs[0].statement", lambda form: form["epochs"][0].update(statement="0" * 64)),
        ("epochs", lambda form: form.update(epochs=form["epochs"] * 2)),
        ("type", lambda form: form.update(type="duel")),
    ],
)
def test_what_was_played_of_another_league_is_refused(
    one: Store, tmp_path: Path, field: str, change: Callable[[Any], None]
) -> None:
    duels = [played(club(one), DuelKey(1, 2, 0))]
    path = forged(write(tmp_path / "shard.jsonl", club(one), duels), 1, change)
    assert refusal(one, path)[:2] == (1, field)


def test_what_was_played_with_less_than_is_promised_is_refused(tmp_path: Path) -> None:
    with cup(tmp_path, promised=Required(("network",))) as store:
        path = tmp_path / "shard.jsonl"
        with shard_file(path, club(store).plan.terms.game) as file:
            file.begin(header_of(club(store), WHOLE, Isolation(False, False, ())))
            file.append(played(club(store), DuelKey(1, 2, 0)))
        assert refusal(store, path)[:2] == (1, "isolation")


@pytest.mark.parametrize("data", [b"\n", b"[]\n", b"{\n", b"\xff\n", b"x" * (1 << 23) + b"\n"])
def test_what_is_no_file_of_a_shard_is_refused(one: Store, tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "shard.jsonl"
    path.write_bytes(data)
    assert refusal(one, path).line == 1


def test_what_cannot_be_read_is_refused(one: Store, tmp_path: Path) -> None:
    for path in (tmp_path / "none.jsonl", tmp_path):
        (file,) = imported(one, path)
        assert file.refused
        assert file.refused.line is None
