"""What an export of a league holds, and what it never holds."""

import base64
import csv
import errno
import json
import os
import signal
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import pytest

from referee.engine.euchre import egn
from referee.errors import ConfigError, FileError
from referee.league.epochs import deal
from referee.publication.collecting import collect
from referee.publication.duels import ExportedDuel
from referee.publication.export import Exported, digest, export
from referee.publication.notations import notation_files
from referee.publication.verification import VerificationRequest
from referee.scheduling.keys import DuelKey
from referee.store.bots import add_bot
from referee.store.chain import duel_digest, isolation_digest
from referee.store.epochs import OpeningChoices
from referee.store.leagues import create_league, enter, set_state
from referee.store.leagues import league as find_league
from referee.store.leases import lease
from referee.store.models import Side, StoredDuel, StoredFault, StoredVoid
from referee.store.opening import open_store
from referee.store.play import packed
from tests.conformance.playing import GAMES
from tests.publication.exports import (
    FAULTY,
    HELD,
    NOW,
    REQUIRED,
    SEEDS,
    checked,
    exported,
    league,
    written,
)
from tests.store.saving import save_duel, save_void


def league_json(directory: Path) -> dict[str, object]:
    read: dict[str, object] = json.loads((directory / "league.json").read_text())
    return read


def table(directory: Path, file: str) -> list[dict[str, str]]:
    with (directory / file).open(newline="") as lines:
        return list(csv.DictReader(lines))


def matches(directory: Path, file: str) -> str:
    return (directory / file).read_bytes().decode()


def test_an_export_has_a_file_for_each_thing_a_reader_may_want(tmp_path: Path) -> None:
    names = {path.name for path in written(tmp_path / "out", league()).iterdir()}
    tables = {"ratings.csv", "crosstable.csv", "voids.csv"}
    assert names == {
        "league.json",
        "log.jsonl",
        "duels.jsonl",
        "matches.egn.jsonl",
        "SHA256SUMS",
        *tables,
    }


def test_sha256sum_agrees_with_the_sums(tmp_path: Path) -> None:
    out = written(tmp_path / "out", league())
    said = subprocess.run(["sha256sum", "--strict", "-c", "SHA256SUMS"], cwd=out, check=False)
    assert said.returncode == 0


def test_every_file_is_in_the_sums(tmp_path: Path) -> None:
    out = written(tmp_path / "out", league())
    listed = {line.split()[1] for line in (out / "SHA256SUMS").read_text().splitlines()}
    assert listed == {path.name for path in out.iterdir()} - {"SHA256SUMS"}


def test_the_same_league_gives_the_same_bytes(tmp_path: Path) -> None:
    one, other = (written(tmp_path / name, league(), [FAULTY]) for name in ("one", "other"))
    assert all(path.read_bytes() == (other / path.name).read_bytes() for path in one.iterdir())


def test_the_digest_is_that_of_the_sums(tmp_path: Path) -> None:
    said = export(tmp_path / "out", exported(league()))
    assert said == sha256((tmp_path / "out" / "SHA256SUMS").read_bytes()).hexdigest()


def test_the_digest_can_be_told_without_writing_anything(tmp_path: Path) -> None:
    assert digest(exported(league())) == export(tmp_path / "out", exported(league()))


def spellings(seed: bytes) -> list[bytes]:
    """Return all ways a seed may get out; what is before it in base64 shifts it by two bytes."""
    texts = [base64.b64encode(bytes(shift) + seed)[4:-4] for shift in (0, 1, 2)]
    texts += [base64.urlsafe_b64encode(bytes(shift) + seed)[4:-4] for shift in (0, 1, 2)]
    numbers = [str(int.from_bytes(seed, order)).encode() for order in ("big", "little")]
    listed = [
        json.dumps(list(seed)).encode(),
        json.dumps(list(seed), separators=(",", ":")).encode(),
    ]
    return [seed, seed.hex().encode(), seed.hex().upper().encode(), *texts, *numbers, *listed]


def holds_a_seed(directory: Path) -> bool:
    data = b"".join(path.read_bytes() for path in directory.iterdir())
    return any(spelt in data for seed in SEEDS for spelt in spellings(seed))


@pytest.mark.parametrize("game", ["euchre", "whist"])
def test_no_seed_is_in_the_export_of_an_open_league(tmp_path: Path, game: str) -> None:
    assert not holds_a_seed(written(tmp_path / "out", league("open", game), [FAULTY]))


@pytest.mark.parametrize("state", ["complete", "closed"])
def test_the_seeds_are_out_when_the_league_is_over(tmp_path: Path, state: str) -> None:
    out = written(tmp_path / "out", league(state))  # type: ignore[arg-type] # one of its literals
    assert [epoch["seed"] for epoch in league_json(out)["epochs"]] == [seed.hex() for seed in SEEDS]  # type: ignore[attr-defined] # it is a list


def test_each_deck_is_written_once_for_both_rooms(tmp_path: Path) -> None:
    out = written(tmp_path / "out", league())
    for line in (out / "duels.jsonl").read_text().splitlines():
        duel = json.loads(line)
        assert len(duel["decks"]) == max(len(room["hands"]) for room in duel["rooms"])
        assert not any("deal" in room for room in duel["rooms"])


def test_a_fault_says_who_where_and_why(tmp_path: Path) -> None:
    out = written(tmp_path / "out", league(), [FAULTY])
    duels = map(json.loads, (out / "duels.jsonl").read_text().splitlines())
    fault = next(duel["faults"][0] for duel in duels if duel["faults"])
    assert fault == {
        "kind": "crashed",
        "entrant": 1,
        "seat": "N",
        "room": "open",
        "hand": 0,
        "forfeits": True,
        "explanation": "exit status 1",
    }


def test_a_void_says_why_and_when(tmp_path: Path) -> None:
    out = written(tmp_path / "out", league(), lacking=[DuelKey(3, 1, 0)])
    void = {"first": "3", "second": "1", "number": "0", "reason": "the referee was behind"}
    assert table(out, "voids.csv") == [void | {"at": NOW.isoformat()}] * 3


def test_every_entrant_has_a_row_of_ratings(tmp_path: Path) -> None:
    rows = table(written(tmp_path / "out", league()), "ratings.csv")
    assert sorted(row["entrant"] for row in rows) == ["ann@1.0", "bob@1.0", "cid@1.0"]


def test_a_withdrawn_entrant_is_below_the_table(tmp_path: Path) -> None:
    found = league()
    entries = (found.entries[0]._replace(withdrawn=NOW), *found.entries[1:])
    rows = table(written(tmp_path / "out", found._replace(entries=entries)), "ratings.csv")
    assert (rows[-1]["entrant"], rows[-1]["best_rank"], rows[-1]["apart"]) == (
        "ann@1.0",
        "",
        "withdrawn",
    )


def test_each_line_of_the_euchre_notation_is_a_match(tmp_path: Path) -> None:
    out = written(tmp_path / "out", league())
    lines = matches(out, "matches.egn.jsonl").splitlines()
    assert [json.loads(line)["fileType"] for line in lines] == ["Euchre Game Notation"] * 12


def test_a_match_too_long_for_the_notation_leaves_its_line_empty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(egn, "MOST_DEALS", 1)
    out = written(tmp_path / "out", league())
    lines = matches(out, "matches.egn.jsonl").splitlines()
    assert (len(lines), "null" in lines) == (12, True)


def test_the_matches_of_the_whist_notation_are_numbered_through(tmp_path: Path) -> None:
    text = matches(written(tmp_path / "out", league(game="whist")), "matches.pbn")
    found = [line for line in text.split("\r\n") if line.startswith("[Match ")]
    assert list(dict.fromkeys(found)) == [f'[Match "{number}"]' for number in range(1, 13)]


def test_the_whist_notation_has_one_heading_and_lines_between_games(tmp_path: Path) -> None:
    text = matches(written(tmp_path / "out", league(game="whist")), "matches.pbn")
    assert text.count("%") == 2
    assert text.count("\r\n\r\n[Event") == text.count("[Event") - 1


def test_every_notation_of_every_game_has_a_file() -> None:
    assert all(len(notation_files(game)) == len(game.notations) for game in GAMES.values())


def test_a_directory_that_is_not_empty_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("dear")
    with pytest.raises(ConfigError, match="is not empty; name a new directory, or remove this one"):
        export(tmp_path, exported(league()))
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_a_file_in_the_way_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("dear")
    with pytest.raises(ConfigError, match="is not a directory; name a new one"):
        export(tmp_path / "out", exported(league()))


def test_an_empty_directory_is_used(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    assert checked(written(tmp_path / "out", league())).outcome == "consistent"


def test_a_directory_in_nowhere_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"there is no directory .*; make it, or name another"):
        export(tmp_path / "no" / "where", exported(league()))


def test_a_full_disk_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_number: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(FileError, match="No space left on device"):
        export(tmp_path / "out", exported(league()))
    assert list(tmp_path.iterdir()) == []


def cut_short(whole: Exported) -> Iterator[ExportedDuel]:
    first, *_ = whole.duels
    yield first
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_kill_leaves_no_export_that_looks_whole(tmp_path: Path) -> None:
    whole = exported(league())
    child = os.fork()
    if child == 0:
        try:
            export(tmp_path / "out", whole._replace(duels=cut_short(whole)))
        finally:
            os._exit(0)
    assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL
    assert not (tmp_path / "out").exists()
    assert not list(tmp_path.rglob("SHA256SUMS"))


def test_what_a_kill_left_is_removed_by_the_next_export(tmp_path: Path) -> None:
    (tmp_path / ".upcard-new-0123" / "out").mkdir(parents=True)
    written(tmp_path / "out", league())
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_an_export_can_be_read_by_whoever_may_read_a_new_directory(tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    out = written(tmp_path / "out", league())
    assert out.stat().st_mode == (tmp_path / "new").stat().st_mode


def test_an_interrupt_leaves_nothing_behind(tmp_path: Path) -> None:
    whole = exported(league())

    def interrupted() -> Iterator[ExportedDuel]:
        yield from list(whole.duels)[:2]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        export(tmp_path / "out", whole._replace(duels=interrupted()))
    assert list(tmp_path.iterdir()) == []


def test_a_duel_is_written_before_the_next_is_asked_for(tmp_path: Path) -> None:
    whole = exported(league())
    seen: list[int] = []

    def asked_for() -> Iterator[ExportedDuel]:
        for duel in whole.duels:
            seen.append(len(list(tmp_path.rglob("duels.jsonl"))))
            yield duel

    export(tmp_path / "out", whole._replace(duels=asked_for()))
    assert seen == [1] * 6


def stored(place: Path) -> Exported:
    """Keep a league in a store, with one who came too late, and take it out again."""
    whole = exported(league("open"), [FAULTY])
    entries = [*whole.league.entries, *league(entrants=4).entries[3:]]
    bundle = place / "bundle"
    bundle.mkdir()
    (bundle / "bot.toml").write_text("")
    now = datetime.now(UTC)
    with open_store(str(place / "upcard.db"), create=True) as store:
        for entry in entries:
            add_bot(store, entry.bot, bundle)
        early = [entry.bot.digest for entry in entries[:2]]
        create_league(store, "spring", whole.league.plan, early, now)
        with lease(store, "spring") as held:
            deal(held, find_league(store, "spring"), OpeningChoices(REQUIRED, SEEDS[0]), now)
            enter(store, "spring", entries[2].bot.digest)
            deal(held, find_league(store, "spring"), OpeningChoices(REQUIRED, SEEDS[1]), now)
            levels = [(each["name"], each["level"], each["reason"]) for each in HELD.guarantees]
            digest = isolation_digest(HELD.sandboxed, HELD.strict, levels)
            held.log("run", {"version": "0.1.0", "isolation": digest})
            save_void(store, held, StoredVoid(FAULTY, "late", now))
            for duel in reversed(list(whole.duels)):
                save_duel(store, held, _kept(duel, now), HELD)
            enter(store, "spring", entries[3].bot.digest)
            set_state(store, held, "complete")
        found = collect(store, "spring")
        return found._replace(duels=list(found.duels), log=list(found.log))


def _kept(duel: ExportedDuel, now: datetime) -> StoredDuel:
    first, second = (Side({}, timing) for timing in duel.slowest)
    faults = tuple(StoredFault(**fault._asdict(), bundle=b"seen") for fault in duel.faults)
    play, digest = packed(duel.rooms), duel_digest(duel.key, duel.rooms, duel.faults)
    sides = first, second
    return StoredDuel(
        duel.key, play, duel.wins, duel.margin, duel.hands, sides, faults, now, digest
    )


def test_what_is_taken_from_the_store_can_be_verified(tmp_path: Path) -> None:
    export(tmp_path / "out", stored(tmp_path))
    report = checked(
        tmp_path / "out",
        VerificationRequest(required=["log", "statement", "complete"]),
        datetime.now(UTC),
    )
    assert (report.failures, report.outcome) == ([], "consistent")
    assert (report.checked["duels"], report.voids) == (6, 1)


def test_what_is_taken_from_the_store_is_in_canonical_order(tmp_path: Path) -> None:
    assert list(stored(tmp_path).duels) == list(exported(league(), [FAULTY]).duels)


def test_no_fault_bundle_is_exported(tmp_path: Path) -> None:
    export(tmp_path / "out", stored(tmp_path))
    assert not any(b"seen" in path.read_bytes() for path in (tmp_path / "out").iterdir())


def test_who_joins_while_the_league_is_read_is_left_to_the_next_export(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    early = league()._replace(entries=league().entries[:2])
    monkeypatch.setattr("referee.publication.collecting.league", lambda _store, _name: early)
    assert {duel.key[:2] for duel in stored(tmp_path).duels} == {(1, 2)}


def test_where_no_directory_can_be_made_it_says_so_of_what_was_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    found = exported(league())
    monkeypatch.setattr(Path, "mkdir", refused)
    with pytest.raises(FileError) as league_json:
        export(tmp_path / "out", found)
    assert str(league_json.value) == f"cannot write {tmp_path / 'out'}: Permission denied"
