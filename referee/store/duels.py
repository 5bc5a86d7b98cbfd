"""Writes and reads the duels of leagues: finished ones, faults, voids, and their isolation.

What is read is what is part of a league: not the duels of an entrant beyond its suspension.
"""

import json
from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from hashlib import sha256
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Select,
    Table,
    and_,
    func,
    insert,
    literal,
    or_,
    select,
    true,
)
from sqlalchemy.exc import IntegrityError

from referee.arena.duel import Timing
from referee.arena.fault import FAULT_KINDS
from referee.arena.limits import MOST_VOIDS
from referee.engine.cards import Seat
from referee.engine.game import Game
from referee.engine.record import MatchRecord
from referee.engine.seating import rooms as rooms_of
from referee.errors import ConfigError
from referee.json_fields import game
from referee.json_forms import GuaranteeForm, guarantee_as_json
from referee.ratings.results import Result, Results
from referee.scheduling.keys import DuelKey
from referee.store.database import Store, league_id, reading, writing
from referee.store.exact import exact, exact_columns
from referee.store.leases import Lease, fenced
from referee.store.log import Unchained, append_all
from referee.store.models import (
    Isolation,
    League,
    Side,
    StoredDuel,
    StoredFault,
    StoredOutcome,
    StoredVoid,
)
from referee.store.play import unpacked
from referee.store.rows import DUEL, ENTRY, FAULT, ISOLATION, LEAGUE, SIDE, VOID
from referee.text import storable

CANONICAL: Final = (DUEL.c.number, DUEL.c.first, DUEL.c.second)
"""The order of duels in every list, whenever they were played."""
_KEY: Final = (DUEL.c.first, DUEL.c.second, DUEL.c.number)
_FAULT_COLUMNS: Final = [FAULT.c[field] for field in StoredFault._fields if field != "bundle"]
_TIMING: Final = [SIDE.c[field] for field in Timing._fields]
_RESULT: Final = (
    *(*_KEY, DUEL.c.wins, DUEL.c.margin, DUEL.c.hands),
    *(DUEL.c.first_faults, DUEL.c.second_faults, DUEL.c.identical),
)
_WHOLE: Final[set[type]] = {int}
_RESULT_TYPES: Final[Sequence[set[type]]] = (
    *[_WHOLE] * 4,
    {float},
    *[_WHOLE] * 3,
    {int, type(None)},
)
_INSERT_DUELS: Final = insert(DUEL).returning(DUEL.c.id, sort_by_parameter_order=True)
_INSERT_SIDES: Final = insert(SIDE)
_INSERT_FAULTS: Final = insert(FAULT)
_INSERT_VOIDS: Final = insert(VOID)
_AT_ONCE: Final = 200
_RESULTS_AT_ONCE: Final = 500
"""Few enough that the garbage collector seldom looks at those that are read."""
_LARGEST: Final = 1 << 31
_NO_TIMING: Final = dict.fromkeys(Timing._fields)


def save_outcomes(
    store: Store,
    lease: Lease,
    outcomes: Sequence[StoredOutcome],
    isolation: Isolation,
    *,
    logged: datetime | None = None,
) -> list[StoredOutcome]:
    """Store finished duels and voids, one or more, in one transaction.

    A void is stored each time. After the last one its duel is unplayed.

    Args:
        store: the store.
        lease: that of its league.
        outcomes: the duels and voids.
        isolation: what isolated the bots.
        logged: the time of their entries in the log; when each was over, if that is not said.

    Returns:
        those that are stored by it: not a duel that was there already.

    Raises:
        UpcardError: another process has taken over the league.
    """
    duels = [each for each in outcomes if isinstance(each, StoredDuel)]
    voids = [each for each in outcomes if isinstance(each, StoredVoid)]
    if duels and (lease.isolation is None or lease.isolation[0] != isolation):
        lease.isolation = isolation, _isolation_id(store, isolation)
    try:
        with fenced(lease, durable=False) as connection:
            entries = _log_entries(connection, lease.league, outcomes, logged)
            append_all(connection, lease.league, entries)
            _insert_duels(connection, lease, duels)
            _insert_voids(connection, lease, voids)
    except IntegrityError:
        if len(outcomes) > 1:  # one that is there already keeps out no other
            alone = (
                save_outcomes(store, lease, [each], isolation, logged=logged) for each in outcomes
            )
            return [each for stored in alone for each in stored]
        if not is_stored(store, lease.name, outcomes[0].key):
            raise
        return []
    return [*outcomes]


def _isolation_id(store: Store, isolation: Isolation) -> int:
    """Return the id of what isolated the bots; equal values are stored once."""
    digest = sha256(json.dumps(isolation, sort_keys=True).encode()).hexdigest()
    found = _find_isolation(store, digest)
    if found is not None:
        return found
    row = isolation._asdict() | {"digest": digest, "guarantees": [*map(dict, isolation.guarantees)]}
    with suppress(IntegrityError), writing(store) as connection:
        connection.execute(insert(ISOLATION), row)
    # Whether ours or that of another run, which was faster.
    found = _find_isolation(store, digest)
    assert found is not None
    return found


def _find_isolation(store: Store, digest: str) -> int | None:
    with reading(store) as connection:
        return connection.scalar(select(ISOLATION.c.id).where(ISOLATION.c.digest == digest))


def _log_entries(
    connection: Connection, league: int, outcomes: Iterable[StoredOutcome], logged: datetime | None
) -> list[Unchained]:
    """Return what a log is to say of outcomes that are not stored yet."""
    entries: list[Unchained] = []
    voided: dict[DuelKey, int] = {}
    for each in outcomes:
        which = {"duel": [*each.key]}
        if isinstance(each, StoredDuel):
            entries.append(("duel", logged or each.finished, which | {"digest": each.digest}))
            continue
        before = voided[each.key] if each.key in voided else _times_void(connection, league, each)
        voided[each.key] = before + 1
        at = logged or each.at
        entries.append(("void", at, which | {"reason": storable(each.reason)}))
        if voided[each.key] == MOST_VOIDS:
            entries.append(("unplayed", at, which))
    return entries


def _times_void(connection: Connection, league: int, void: StoredVoid) -> int:
    """Return how often a duel was void so far."""
    same = (VOID.c[field] == value for field, value in void.key._asdict().items())
    asked = select(func.count()).where(VOID.c.league == league, *same)
    return connection.scalar(asked) or 0


def _insert_duels(connection: Connection, lease: Lease, duels: Sequence[StoredDuel]) -> None:
    if not duels:
        return
    assert lease.isolation
    common = {"league": lease.league, "isolation": lease.isolation[1]}
    inserted = connection.execute(_INSERT_DUELS, [_row(duel) | common for duel in duels])
    numbered = [*zip(inserted.scalars(), duels, strict=True)]
    sides = [
        _side_row(number, entrant, side)
        for number, duel in numbered
        for entrant, side in zip(duel.key[:2], duel.sides, strict=True)
    ]
    connection.execute(_INSERT_SIDES, sides)
    faults = [
        {"duel": number, **fault._asdict()} for number, duel in numbered for fault in duel.faults
    ]
    if faults:
        connection.execute(_INSERT_FAULTS, faults)


def _insert_voids(connection: Connection, lease: Lease, voids: Sequence[StoredVoid]) -> None:
    if voids:
        rows = [
            {"league": lease.league, **void.key._asdict(), "reason": void.reason, "at": void.at}
            for void in voids
        ]
        connection.execute(_INSERT_VOIDS, rows)


def _row(duel: StoredDuel) -> dict[str, Any]:
    at_fault = [fault.entrant for fault in duel.faults]
    return {
        **duel.key._asdict(),
        "wins": duel.wins,
        "margin": duel.margin,
        "hands": duel.hands,
        "first_faults": at_fault.count(duel.key.first),
        "second_faults": at_fault.count(duel.key.second),
        "finished": duel.finished,
        "play": duel.play,
        "identical": duel.identical,
    }


def _side_row(duel: int, entrant: int, side: Side) -> dict[str, Any]:
    timing = side.slowest._asdict() if side.slowest else _NO_TIMING
    return {"duel": duel, "entrant": entrant, "tallies": dict(side.tallies), **timing}


def _is_duel(league: int, key: DuelKey) -> ColumnElement[bool]:
    same = (column == value for column, value in zip(_KEY, key, strict=True))
    return and_(DUEL.c.league == league, *same)


def _part_of(connection: Connection, name: str, table: Table = DUEL) -> ColumnElement[bool]:
    """Return which duels or voids are part of a league, as `is_part` does."""
    found = league_id(connection, name)
    return and_(table.c.league == found, _before_suspensions(connection, found, table))


def _before_suspensions(
    connection: Connection, league: int, table: Table = DUEL
) -> ColumnElement[bool]:
    """Return which duels or voids are of no entrant beyond its suspension."""
    columns = table.c
    return and_(
        true(),
        *(
            or_(columns.number <= after, and_(columns.first != entrant, columns.second != entrant))
            for entrant, after in _suspended(connection, league).items()
        ),
    )


def _suspended(connection: Connection, league: int) -> dict[int, int]:
    """Return after which number each entrant was suspended that is."""
    asked = select(ENTRY.c.number, ENTRY.c.suspended).where(
        ENTRY.c.league == league, ENTRY.c.suspended.is_not(None)
    )
    return {row.number: row.suspended for row in connection.execute(asked)}


def is_part(key: DuelKey, suspended: Mapping[int, int]) -> bool:
    """Return whether a duel is part of a league: not one of an entrant beyond its suspension.

    A visit has duels of several numbers, so there may be such duels in the store.
    """
    return all(key.number <= suspended.get(entrant, key.number) for entrant in key[:2])


def results(store: Store, name: str) -> Results:
    """Return how every duel of a league went, in canonical order."""
    return results_and_identical(store, name)[0]


def each_result(store: Store, name: str) -> Iterator[Result]:
    """Yield how every duel of a league went, in any order; some are read at a time."""
    for *fields, of_first, of_second, _ in _result_columns(store, name):
        faults = zip(of_first, of_second, strict=True)
        yield from map(Result, *fields, faults)


def identical_hands(store: Store, name: str) -> Mapping[tuple[int, int], tuple[int, int]]:
    """Return of each pairing how many hands all rooms played alike, of how many.

    Duels of which that was not counted, by an earlier version, are left out.
    """
    return results_and_identical(store, name)[1]


def results_and_identical(
    store: Store, name: str
) -> tuple[Results, Mapping[tuple[int, int], tuple[int, int]]]:
    """Return `results` and `identical_hands`, which takes hardly longer than either."""
    # Numpy is slow to load, and few need this.
    from referee.ratings.columns import in_order  # noqa: PLC0415
    from referee.ratings.pairs import identical_by_pair  # noqa: PLC0415

    found, identical = Results(), array("q")
    for *columns, counted in _result_columns(store, name):
        found.extend(columns)
        identical.extend(-1 if each is None else each for each in counted)
    return in_order(found), identical_by_pair(found, identical)


def _result_columns(store: Store, name: str) -> Iterator[Sequence[Sequence[Any]]]:
    """Yield the columns of results and of how many hands were identical, of some at a time.

    Most duels of a league were stored one after the other. To read all between the first and the
    last takes half as long as to find each of them by an index, which the sum keeps SQLite from.
    """
    ids, asked = DUEL.c.id, select(*_RESULT)
    with reading(store) as connection:
        league = league_id(connection, name)
        ends = connection.execute(
            select(func.min(ids), func.max(ids)).where(DUEL.c.league == league)
        ).one()
        these = asked.where(
            ids.between(*ends),
            DUEL.c.league + 0 == league,
            _before_suspensions(connection, league),
        )
        with connection.execution_options(yield_per=_RESULTS_AT_ONCE).execute(these) as found:
            for rows in found.partitions():
                columns = exact_columns(rows, _RESULT_TYPES)
                _refuse_strangers(*columns[:2])
                yield columns


def _refuse_strangers(*entrants: Sequence[int]) -> None:
    """Refuse numbers that no entrants have: pairings are told apart by numbers made of both."""
    if min(map(min, entrants)) < 1 or max(map(max, entrants)) > _LARGEST:
        raise ValueError(entrants)


def count_duels(store: Store, name: str, among: Collection[int] | None = None) -> int:
    """Return how many duels a league has, or how many of them are between some entrants."""
    asked = select(func.count()).select_from(DUEL)
    with reading(store) as connection:
        asked = asked.where(_part_of(connection, name))
        if among is not None:
            found = league_id(connection, name)
            every = connection.scalars(select(ENTRY.c.number).where(ENTRY.c.league == found))
            others = {*every}.difference(among)  # fewer than the others, as a rule
            asked = asked.where(DUEL.c.first.not_in(others), DUEL.c.second.not_in(others))
        return connection.scalar(asked) or 0


def is_stored(store: Store, name: str, key: DuelKey) -> bool:
    """Return whether a duel was played."""
    with reading(store) as connection:
        this = _is_duel(league_id(connection, name), key)
        return connection.scalar(select(DUEL.c.id).where(this)) is not None


def stored_keys(store: Store, name: str) -> set[DuelKey]:
    """Return which duels of a league are stored, also those that are no part of it."""
    with reading(store) as connection:
        asked = select(*_KEY).where(DUEL.c.league == league_id(connection, name))
        return {exact(DuelKey, tuple(row)) for row in connection.execute(asked)}


def finished(store: Store, name: str) -> list[datetime]:
    """Return when the duels of a league were over, the first first."""
    with reading(store) as connection:
        asked = select(DUEL.c.finished).where(_part_of(connection, name))
        return list(connection.scalars(asked.order_by(DUEL.c.finished)))


def voids(store: Store, name: str) -> list[StoredVoid]:
    """Return the voids of a league, the oldest first."""
    asked = select(VOID.c.first, VOID.c.second, VOID.c.number, VOID.c.reason, VOID.c.at)
    with reading(store) as connection:
        these = asked.where(_part_of(connection, name, VOID))
        found = connection.execute(these.order_by(VOID.c.id))
        return [exact(StoredVoid, (exact(DuelKey, key), reason, at)) for *key, reason, at in found]


def faults(store: Store, name: str) -> list[tuple[int, DuelKey, StoredFault]]:
    """Return the faults of a league without their bundles, in the order they were stored in.

    Each has its number, from 1, which never changes: those of duels that are no part of the league
    since an entrant was suspended have theirs, too.
    """
    with reading(store) as connection:
        suspended = _suspended(connection, league_id(connection, name))
        played = _game(connection, name)
        asked = _faults_in_order(connection, name).with_only_columns(*_KEY, *_FAULT_COLUMNS)
        found = [
            (number, exact(DuelKey, row[:3]), _fault(played, [*row[3:], None]))
            for number, row in enumerate(map(tuple, connection.execute(asked)), start=1)
        ]
    return [each for each in found if is_part(each[1], suspended)]


def _faults_in_order(connection: Connection, name: str) -> Select[Any]:
    return (
        select(FAULT.c.id)
        .join(DUEL, DUEL.c.id == FAULT.c.duel)
        .where(DUEL.c.league == league_id(connection, name))
        .order_by(FAULT.c.id)
    )


def _game(connection: Connection, name: str) -> Game:
    """Return what a league plays."""
    asked = select(LEAGUE.c.game, LEAGUE.c.rules).where(LEAGUE.c.id == league_id(connection, name))
    return game(*connection.execute(asked).one())


def _fault(played: Game, columns: Sequence[Any]) -> StoredFault:
    fault = exact(StoredFault, columns)
    _refuse_nowhere(played, fault.room, fault.hand, fault.seat)
    if fault.kind not in FAULT_KINDS:
        raise ValueError(fault.kind)
    return fault


def _refuse_nowhere(played: Game, room: int, hand: int, seat: Seat) -> None:
    rooms, seats = range(len(rooms_of(played))), range(len(played.seats))
    if room not in rooms or hand < 0 or seat not in seats:
        raise ValueError(room, hand, seat)


def fault_bundle(store: Store, name: str, number: int) -> bytes:
    """Return the bundle of a fault by its number in `faults`.

    Raises:
        ConfigError: there is no such fault, or it was stored without a bundle.
    """
    with reading(store) as connection:
        asked = _faults_in_order(connection, name).with_only_columns(FAULT.c.bundle)
        found = (
            connection.execute(asked.limit(1).offset(number - 1)).first() if number > 0 else None
        )
    if found is None:
        raise ConfigError(f"league {name} has no fault {number}; list them: upcard fault list")
    if found.bundle is None:
        raise ConfigError(
            f"fault {number} was stored without its bundle, as there are many alike "
            "or it was too large"
        )
    return bytes(found.bundle)


def fault_bundles(store: Store, name: str, most: int) -> list[tuple[int, bytes]]:
    """Return the first bundles that are kept, each with the number of its fault in `faults`."""
    with reading(store) as connection:
        asked = _faults_in_order(connection, name)
        numbers = {row: number for number, row in enumerate(connection.scalars(asked), start=1)}
        kept = asked.add_columns(FAULT.c.bundle).where(FAULT.c.bundle.is_not(None)).limit(most)
        return [(numbers[row], bytes(data)) for row, data in connection.execute(kept)]


def rooms(store: Store, league: League, key: DuelKey) -> tuple[MatchRecord, ...]:
    """Return the matches of a duel.

    Raises:
        ConfigError: it was not played.
    """
    with reading(store) as connection:
        this = _is_duel(league_id(connection, league.name), key)
        part = _part_of(connection, league.name)
        play = connection.scalar(select(DUEL.c.play).where(this, part))
    if play is None:
        named = f"{key.first}-{key.second}/{key.number + 1}"
        raise ConfigError(f"league {league.name} has no duel {named}, or not yet")
    return unpacked(play, league.dealt(key), league.plan.terms.game)


def sides(
    store: Store, name: str, of: int | None = None
) -> list[tuple[DuelKey, tuple[Side, Side]]]:
    """Return what each side did in every duel of a league, or of an entrant, in canonical order."""
    with reading(store) as connection:
        asked = (
            select(*_KEY, SIDE.c.entrant, SIDE.c.tallies, *_TIMING)
            .join(DUEL, DUEL.c.id == SIDE.c.duel)
            .where(_part_of(connection, name))
            .order_by(*CANONICAL)
        )
        if of is not None:
            asked = asked.where(or_(DUEL.c.first == of, DUEL.c.second == of))
        played = _game(connection, name)
        found: dict[DuelKey, dict[int, Side]] = {}
        for first, second, number, entrant, *columns in connection.execute(asked):
            key = exact(DuelKey, (first, second, number))
            found.setdefault(key, {})[entrant] = _side(played, columns)
        return [(key, (both[key.first], both[key.second])) for key, both in found.items()]


def _side(played: Game, columns: Sequence[Any]) -> Side:
    tallies, *timing = columns
    slowest = None if timing[0] is None else exact(Timing, timing)
    if slowest:
        _refuse_nowhere(played, slowest.room, slowest.hand, slowest.seat)
    if type(tallies) is not dict or not {*map(type, tallies.values())} <= {int}:
        raise TypeError(tallies)
    return Side(tallies, slowest)


def isolations(store: Store, name: str) -> list[tuple[Isolation, int]]:
    """Return what isolated the bots of a league, each with the number of duels it did so in."""
    with reading(store) as connection:
        ids = connection.scalars(select(ISOLATION.c.id).limit(2)).all()
        part = _part_of(connection, name)
        # Counted before it is joined: else all the guarantees are sorted, once for each duel.
        if len(ids) == 1:  # it is that of all duels, which an index counts without reading them
            counted = select(literal(ids[0]).label("isolation"), func.count().label("duels"))
            counts = counted.select_from(DUEL).where(part).having(func.count() > 0).subquery()
        else:
            each = select(DUEL.c.isolation, func.count().label("duels")).where(part)
            counts = each.group_by(DUEL.c.isolation).subquery()
        asked = (
            select(
                ISOLATION.c.sandboxed, ISOLATION.c.strict, ISOLATION.c.guarantees, counts.c.duels
            )
            .join(counts, counts.c.isolation == ISOLATION.c.id)
            .order_by(ISOLATION.c.id)
        )
        return [
            (Isolation(sandboxed, strict, tuple(map(_guarantee, guarantees))), duels)
            for sandboxed, strict, guarantees, duels in connection.execute(asked)
        ]


def _guarantee(read: object) -> GuaranteeForm:
    names = GuaranteeForm.__annotations__.keys()
    if not isinstance(read, dict) or read.keys() < names or {*map(type, read.values())} != {str}:
        raise TypeError(read)
    return guarantee_as_json(read)


def stored_duels(
    store: Store,
    name: str,
    of: tuple[int, int] | None = None,
    numbers: range | None = None,
) -> Iterator[StoredDuel]:
    """Yield the duels of a league in canonical order, their faults without their bundles.

    They are read a few at a time, for there may be very many.

    Args:
        store: the store.
        name: the league's.
        of: the pairing whose duels they are, if not everybody's.
        numbers: which numbers they have, if not all.
    """
    asked = select(DUEL).order_by(*CANONICAL)
    if of is not None:
        asked = asked.where(DUEL.c.first == of[0], DUEL.c.second == of[1])
    if numbers is not None:
        asked = asked.where(DUEL.c.number >= numbers.start, DUEL.c.number < numbers.stop)
    with reading(store) as connection:
        these, played = asked.where(_part_of(connection, name)), _game(connection, name)
        # Closed here, for a reader may stop at any duel.
        with connection.execution_options(yield_per=_AT_ONCE).execute(these) as found:
            for rows in found.partitions():
                ids = [row.id for row in rows]
                sides = _sides_of(connection, played, ids)
                faults = _faults_of(connection, played, ids)
                for row in rows:
                    yield _duel(row, sides[row.id], faults.get(row.id, ()))


def _duel(row: Row[Any], sides: Mapping[int, Side], faults: Sequence[StoredFault]) -> StoredDuel:
    columns = (
        exact(DuelKey, (row.first, row.second, row.number)),
        row.play,
        row.wins,
        row.margin,
        row.hands,
        (sides[row.first], sides[row.second]),
        tuple(faults),
        row.finished,
        None,
        row.identical,
    )
    return exact(StoredDuel, columns)


def _sides_of(
    connection: Connection, played: Game, numbers: Sequence[int]
) -> dict[int, dict[int, Side]]:
    asked = select(SIDE.c.duel, SIDE.c.entrant, SIDE.c.tallies, *_TIMING)
    found: dict[int, dict[int, Side]] = {}
    for number, entrant, *columns in connection.execute(asked.where(SIDE.c.duel.in_(numbers))):
        found.setdefault(number, {})[entrant] = _side(played, columns)
    return found


def _faults_of(
    connection: Connection, played: Game, numbers: Sequence[int]
) -> dict[int, list[StoredFault]]:
    asked = select(FAULT.c.duel, *_FAULT_COLUMNS).where(FAULT.c.duel.in_(numbers))
    found: dict[int, list[StoredFault]] = {}
    for number, *columns in connection.execute(asked.order_by(FAULT.c.id)):
        found.setdefault(number, []).append(_fault(played, [*columns, None]))
    return found
