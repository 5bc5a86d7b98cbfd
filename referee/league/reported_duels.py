"""Checks a duel that another machine reports, by playing it again, before it is stored.

Nothing that follows from the play is taken on its word, and the decks are made from the league's
own seed. `referee.duel_checks` says what nobody can see from the play.
"""

from datetime import datetime, timedelta
from typing import Final

from referee.duel_checks import (
    Counts,
    Rooms,
    check_counts,
    check_faults,
    check_slowest,
    play_again,
)
from referee.errors import RecordError
from referee.examination.fault_reading import unpacked_bundle
from referee.json_fields import expect
from referee.json_forms import moment
from referee.league.stored_duels import tallies
from referee.ratings.points import identical_hands
from referee.scheduling.keys import DuelKey, pairing
from referee.store.chain import duel_digest
from referee.store.models import League, StoredDuel, StoredFault
from referee.store.play import packed, unpacked

_CLOCK_SET: Final = timedelta(hours=1)
"""What the clocks of two machines may differ by."""


def checked_duel(league: League, duel: StoredDuel, now: datetime) -> StoredDuel:
    """Return a duel as it is stored.

    Args:
        league: the league that it is of.
        duel: what was reported, of which only the form was checked.
        now: the time.

    Raises:
        RecordError: it cannot have been so.
    """
    check_key(league, duel.key)
    terms, forms = league.plan.terms, [fault.form for fault in duel.faults]
    rooms = unpacked(duel.play, league.dealt(duel.key), terms.game)
    play_again(terms.game, duel.key, rooms)
    check_counts(rooms, Counts(duel.wins, duel.margin, duel.hands))
    _check_sides(duel, rooms)
    check_faults(terms, duel.key, rooms, forms)
    check_slowest(terms, rooms, forms, (duel.sides[0].slowest, duel.sides[1].slowest))
    for number, fault in enumerate(duel.faults):
        _check_bundle(league, fault, f"faults[{number}].bundle")
    _check_time(league, duel, now)
    expect("digest", duel.digest, duel_digest(duel.key, rooms, forms))
    return duel._replace(play=packed(rooms))


def check_key(league: League, key: DuelKey) -> None:
    """Refuse a duel that no plan of the league has.

    Raises:
        RecordError: it has none.
    """
    known = range(1, len(league.entries) + 1)
    for number in (key.first, key.second):
        if number not in known:
            raise RecordError("key", f"has {number}, which is no entrant of {league.name}")
    if key.first == key.second:
        raise RecordError("key", f"has {key.second} play against itself")
    expect("key[0]", key.first, pairing(key.first, key.second)[0])
    if key.number >= league.plan.duels:
        reason = f"is {key.number}, but a pairing has {league.plan.duels} duels"
        raise RecordError("key[2]", reason)
    if league.epoch(key.first, key.second) is None:
        raise RecordError("key", "is of a pairing that is not dealt yet")


def _check_sides(duel: StoredDuel, rooms: Rooms) -> None:
    expect("identical", duel.identical, identical_hands(rooms))
    for entrant, side in enumerate(duel.sides):
        expect(f"sides[{entrant}].tallies", side.tallies, dict(tallies(rooms, entrant)))


def _check_bundle(league: League, fault: StoredFault, field: str) -> None:
    """Refuse a bundle of something else than the fault; its author is to play it again."""
    if fault.bundle is None:
        return
    try:
        bundle = unpacked_bundle(fault.bundle)
        expect("bot.digest", bundle.digest, league.entry(fault.entrant).bot.digest)
        expect("fault.kind", bundle.kind, fault.kind)
        expect("seat", bundle.seat, fault.seat)
        expect("room", bundle.room, fault.room)
    except RecordError as error:
        raise RecordError(f"{field}.{error.field}".rstrip("."), error.reason) from None


def _check_time(league: League, duel: StoredDuel, now: datetime) -> None:
    epoch = league.epoch(duel.key.first, duel.key.second)
    assert epoch
    if epoch.opened - duel.finished > _CLOCK_SET:
        reason = f"is {moment(duel.finished)}, before it was dealt"
        raise RecordError("finished", reason)
    if duel.finished - now > _CLOCK_SET:
        reason = f"is {moment(duel.finished)}, still to come by the clock of this machine"
        raise RecordError("finished", reason)
