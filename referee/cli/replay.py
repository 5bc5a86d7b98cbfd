"""`upcard replay`: matches from a file or a league, told so that a card player can follow them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from referee.arena.fault import ROOM_NAMES, RoomName
from referee.cli import arguments
from referee.cli.hand_text import tell_hand
from referee.cli.league_argument import chosen_league
from referee.cli.output import print_heading, with_progress
from referee.cli.store_options import Db
from referee.engine.cards import SEAT_NAMES, TEAM_NAMES, Seat
from referee.engine.record import MatchRecord, ReplayedHand
from referee.engine.record import replay as play_again
from referee.errors import ConfigError, FileError, RecordError
from referee.league.duel_names import duel_name, duel_named, is_duel_name
from referee.league.table import names
from referee.record_file import read_records, replayed
from referee.scheduling.keys import DuelKey
from referee.store.duels import rooms
from referee.store.leagues import league as find_league
from referee.store.models import League
from referee.store.opening import DEFAULT, open_store
from referee.text import counted, plain


class _Match(NamedTuple):
    name: str
    heading: str
    """What is said before it, if anything."""
    record: MatchRecord
    hands: Sequence[ReplayedHand]


def replay(
    what: Annotated[
        str,
        typer.Argument(
            metavar="FILE|LEAGUE",
            help="A file of match records, or a league; one of a single league may be left out.",
        ),
    ],
    duel: Annotated[
        str | None,
        typer.Argument(metavar="DUEL", help="Of a league, as 'upcard duels' names it: 1-2/17."),
    ] = None,
    match: Annotated[
        int | None, typer.Option(min=1, help="Which match of the file, from 1; else the first.")
    ] = None,
    room: Annotated[
        RoomName | None, typer.Option(help="Which room of the duel; else one after the other.")
    ] = None,
    hand: Annotated[
        int | None, typer.Option(min=1, help="Which hand of the match, from 1; else all of them.")
    ] = None,
    seat: Annotated[
        str | None,
        typer.Option(metavar="SEAT", help="Show only what this seat (N, E, S or W) could see."),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Only check every match of the file.")
    ] = False,
    db: Db = DEFAULT,
) -> None:
    """Tell a match, or one hand of it, from a file of records or a duel of a league.

    It is played again by the rules first; what does not follow from them is refused.
    """
    seen_by = None if seat is None else arguments.seat(seat)
    if duel is not None or (is_duel_name(what) and not Path(what).exists()):
        if match is not None or check:
            raise ConfigError("--match and --check are for files; a duel has --room")
        league, named = (what, duel) if duel is not None else (None, what)
        _tell_all(_of_duel(db, league, named, room), hand, seen_by)
        return
    if not Path(what).exists():
        raise ConfigError(f"there is no file {what}; a league takes a DUEL too, as club 1-2/17")
    if room is not None:
        raise ConfigError("--room is for a duel of a league; a file has --match")
    if check:
        if match is not None or hand is not None or seat is not None:
            raise ConfigError("--check looks at every match; leave out --match, --hand and --seat")
        _check(Path(what))
        return
    _tell_all([_of_file(Path(what), match or 1)], hand, seen_by)


def _of_file(file: Path, number: int) -> _Match:
    record = arguments.chosen_match(file, number)
    return _Match(f"Match {number}", "", record, replayed(file, number, record))


def _of_duel(db: str, name: str | None, duel: str, room: RoomName | None) -> list[_Match]:
    with open_store(db) as store:
        league = find_league(store, chosen_league(store, name))
        key = duel_named(league, duel)
        records = rooms(store, league, key)
    chosen = (0, 1) if room is None else (ROOM_NAMES.index(room),)
    return [_in_room(league, key, number, records[number]) for number in chosen]


def _in_room(league: League, key: DuelKey, room: int, record: MatchRecord) -> _Match:
    name = f"Duel {duel_name(key)}, {ROOM_NAMES[room]} room"
    called = names(league.entries)
    sit = (key.first, key.second) if room == 0 else (key.second, key.first)
    teams = zip(sit, TEAM_NAMES, strict=True)
    heading = ", ".join(f"{plain(called[number])} {team}" for number, team in teams)
    try:
        return _Match(name, f"{name}: {heading}", record, list(play_again(record)))
    except RecordError as error:
        raise FileError(
            f"{name} of {league.name} does not follow from the rules: {error}"
        ) from None


def _tell_all(matches: Sequence[_Match], hand: int | None, seen_by: Seat | None) -> None:
    most = max(matches, key=lambda match: len(match.hands))
    if hand is not None and hand > len(most.hands):
        count = len(most.hands)
        raise ConfigError(f"{_lowered(most.name)} has {count} hands; choose 1 to {count}")
    for match in matches:
        _tell(match, hand, seen_by)


def _lowered(name: str) -> str:
    return name[0].lower() + name[1:]


def _tell(told: _Match, hand: int | None, seen_by: Seat | None) -> None:
    name, heading, record, hands = told
    if heading:
        print(heading)
    if not hands:
        print(f"{name} was forfeited before a hand was finished")
    elif hand is not None and hand > len(hands):
        print(f"{name} was over after {counted(len(hands), 'hand')}")
    chosen = range(1, len(hands) + 1) if hand is None else range(hand, min(hand, len(hands)) + 1)
    for number in chosen:
        print_heading(f"{name}, hand {number} of {len(hands)}")
        tell_hand(hands[number - 1], seen_by)
    if record.forfeit and hand in {None, len(hands)}:
        print(f"{SEAT_NAMES[record.forfeit.seat]} forfeits the match by a fault")


def _check(file: Path) -> None:
    matches = hands = 0
    for record in with_progress(read_records(file), None, "Checking"):
        matches += 1
        hands += len(replayed(file, matches, record))
    checked = f"{counted(matches, 'match', 'es')}, {counted(hands, 'hand')}"
    print(f"{file}: {checked}; every one follows from the rules")
