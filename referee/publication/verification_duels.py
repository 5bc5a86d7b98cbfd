"""Checks one duel of an export: its cards, its play, and what follows from them."""

from typing import NamedTuple

from referee.duel_checks import (
    Counts,
    check_counts,
    check_faults,
    check_slowest,
    dealt,
    play_again,
)
from referee.errors import RecordError
from referee.json_fields import expect
from referee.publication.duel_reading import ReadDuel
from referee.publication.duels import canonical
from referee.publication.league import ExportedLeague
from referee.scheduling.keys import DuelKey, pairing


class Replayed(NamedTuple):
    """How much was played again."""

    hands: int
    actions: int
    decks: int
    """How many follow from the seed; 0 while that is not out."""


def check_duel(league: ExportedLeague, read: ReadDuel, last: DuelKey | None) -> Replayed:
    """Refuse a duel that cannot have been; it comes after `last`."""
    duel = read.duel
    _check_key(league, duel.key, last)
    expect("key", read.label, duel.key.text(league.name, league.terms.game.name))
    expect("epoch", read.epoch, league.epoch(duel.key).number)
    expect("decks", f"{len(read.decks)} decks", f"{max(map(dealt, duel.rooms))} decks")
    sure = _check_decks(league, read)
    terms = league.terms
    played = play_again(terms.game, duel.key, duel.rooms)
    check_counts(duel.rooms, Counts(duel.wins, duel.margin, duel.hands))
    check_faults(terms, duel.key, duel.rooms, duel.faults)
    check_slowest(terms, duel.rooms, duel.faults, duel.slowest)
    return Replayed(*played, sure)


def _check_key(league: ExportedLeague, key: DuelKey, last: DuelKey | None) -> None:
    for name, number in (("first", key.first), ("second", key.second)):
        if number < 1 or not league.plays(number):
            raise RecordError(name, f"is {number}, which is no entrant that plays")
    if key.first == key.second:
        raise RecordError("second", f"is {key.second}, and so plays against itself")
    expect("first", key.first, pairing(key.first, key.second)[0])
    if key.number >= league.duels:
        raise RecordError("number", f"is {key.number}, but a pairing has {league.duels} duels")
    if league.is_apart(key):
        raise RecordError("number", f"is {key.number}, beyond the suspension of an entrant")
    if last and canonical(key) == canonical(last):
        raise RecordError("number", "is that of the duel before; no duel counts twice")
    if last and canonical(key) < canonical(last):
        raise RecordError("number", "comes too late: by number, then first, then second")


def _check_decks(league: ExportedLeague, read: ReadDuel) -> int:
    seed = league.epoch(read.duel.key).seed
    if seed is None:
        return 0
    deck_of = league.terms.game.decks(seed, read.label)
    for hand, deck in enumerate(read.decks):
        if deck != deck_of(hand):
            places = zip(deck, deck_of(hand), strict=False)
            wrong = next(
                (n for n, (found, expected) in enumerate(places) if found != expected), len(deck)
            )
            raise RecordError(f"decks[{hand}]", f"does not follow from the seed, from card {wrong}")
    return len(read.decks)
