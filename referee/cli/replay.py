"""`upcard replay`: shows matches from a file or a league as a card player would follow them."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final, NamedTuple

import typer

from referee.arena.fault import ENTRANT_NAMES
from referee.cli import arguments
from referee.cli.duel_logs import RESULT
from referee.cli.hand_text import print_hand
from referee.cli.league_argument import chosen_league
from referee.cli.output import print_heading, with_progress
from referee.cli.store_options import Db
from referee.engine.cards import Seat
from referee.engine.game import Game
from referee.engine.record import MatchRecord, ReplayedHand, SeededDeal
from referee.engine.record import replay as play_again
from referee.engine.seating import room_names, room_title, sides_of
from referee.errors import ConfigError, FileError, RecordError
from referee.league.duel_names import duel_name, duel_named, is_duel_name, is_named
from referee.league.table import names
from referee.record_file import read_records, replayed
from referee.store.duels import rooms
from referee.store.leagues import league as find_league
from referee.store.models import League
from referee.store.opening import DEFAULT, open_store
from referee.text import counted, plain

_ENDING: Final = ".jsonl"


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
            help="A file of match records, or a league; the only league may be left out.",
        ),
    ],
    duel: Annotated[
        str | None,
        typer.Argument(
            metavar="DUEL",
            help="Its number, as 'upcard duel' reports it, or its name in a league: 1-2/17.",
        ),
    ] = None,
    match: Annotated[
        int | None, typer.Option(min=1, help="Which match of the file, from 1; else the first.")
    ] = None,
    room: Annotated[
        str | None,
        typer.Option(
            metavar="ROOM",
            help="Which room of the duel (open or closed, or its number where there are more); "
            "else one after the other.",
        ),
    ] = None,
    hand: Annotated[
        int | None, typer.Option(min=1, help="Which hand of the match, from 1; else all of them.")
    ] = None,
    seat: Annotated[
        str | None,
        typer.Option(
            "--seat",
            "--seen-by",
            metavar="SEAT",
            help="Show only what this seat (N, E, S or W, or the number of a player) could see.",
        ),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Only check every match of the file.")
    ] = False,
    db: Db = DEFAULT,
) -> None:
    """Show a match, or one hand of it, from a file of records or a duel of a league.

    It is first played again by the rules; a record that breaks them is refused.
    """
    file = Path(what)
    is_file = file.exists()
    if is_file and duel is None and room is not None:
        raise ConfigError("--room is for a duel; name the DUEL too, or choose a match by --match")
    if duel is not None or (is_duel_name(what) and not is_file):
        if match is not None or check:
            raise ConfigError("--match and --check are for whole files; a duel has --room")
        if is_file:
            assert duel is not None
            _print_all(_of_file_duel(file, duel, room), hand, seat)
            return
        _refuse_path(what, duel)
        league, named = (what, duel) if duel is not None else (None, what)
        _print_all(_of_duel(db, league, named, room), hand, seat)
        return
    if not is_file:
        raise ConfigError(f"there is no file {what}; a league takes a DUEL too, as club 1-2/17")
    if check:
        if match is not None or hand is not None or seat is not None:
            raise ConfigError("--check looks at every match; leave out --match, --hand and --seat")
        _check(file)
        return
    _print_all([_of_file(file, match or 1)], hand, seat)


def _refuse_path(what: str, duel: str | None) -> None:
    """Say of what can be no league that it is no file either."""
    if duel is not None and ("/" in what or what.endswith(_ENDING)):
        raise ConfigError(f"there is no file {what}")


def _of_file(file: Path, number: int) -> _Match:
    record = arguments.match_in_file(file, number)
    return _Match(f"Match {number}", "", record, replayed(file, number, record))


def _of_file_duel(file: Path, duel: str, room: str | None) -> list[_Match]:
    """Find the matches of a duel, which are written in the order of the rooms."""
    found = [
        (line, record)
        for line, record in enumerate(read_records(file), start=1)
        if isinstance(record.dealt, SeededDeal) and is_named(duel, record.dealt.duel)
    ]
    if not found or len(found) != len(room_names(found[0][1].game)):
        raise ConfigError(
            f"{file} has {len(found) or 'no'} matches of a duel {duel[:80]!r}; choose a match by "
            "--match"
        )
    names, chosen = _names_beside(file), _rooms(found[0][1].game, room)
    return [
        _in_room(duel, number, names, record, replayed(file, line, record))
        for number, (line, record) in enumerate(found)
        if number in chosen
    ]


def _rooms(game: Game, room: str | None) -> Sequence[int]:
    """Return which rooms are shown."""
    names = room_names(game)
    if room is None:
        return range(len(names))
    for number, name in enumerate(names):
        if room.lower() in {name, name.removeprefix("room ")}:
            return (number,)
    short = " or ".join(name.removeprefix("room ") for name in names)
    raise ConfigError(f"there is no room {room[:80]!r} in a duel of {game.name}; choose {short}")


def _names_beside(file: Path) -> tuple[str, str]:
    """Return what the bots are called in the result that is written beside the matches."""
    try:
        first, second = json.loads(file.with_name(RESULT).read_text())["bots"]
        return str(first["name"]), str(second["name"])
    except (OSError, ValueError, LookupError, TypeError):
        return ENTRANT_NAMES


def _of_duel(db: str, name: str | None, duel: str, room: str | None) -> list[_Match]:
    with open_store(db) as store:
        league = find_league(store, chosen_league(store, name))
        key = duel_named(league, duel)
        records = rooms(store, league, key)
    called = names(league.entries)
    both = called[key.first], called[key.second]
    shown = duel if duel.isdigit() else duel_name(key)
    chosen = _rooms(league.plan.terms.game, room)
    return [
        _in_room(shown, number, both, record, replayed_in(league, shown, record))
        for number, record in enumerate(records)
        if number in chosen
    ]


def replayed_in(league: League, duel: str, record: MatchRecord) -> Sequence[ReplayedHand]:
    """Play a match of a league again by the rules; an error names its duel."""
    try:
        return list(play_again(record))
    except RecordError as error:
        raise FileError(f"duel {duel} of {league.name} breaks the rules: {error}") from None


def _in_room(
    duel: str,
    room: int,
    names: tuple[str, str],
    record: MatchRecord,
    hands: Sequence[ReplayedHand],
) -> _Match:
    game = record.game
    name = f"Duel {duel}, {room_title(room_names(game)[room])}"
    called = [(bot, sides_of(game, room, entrant)) for entrant, bot in enumerate(names)]
    heading = ", ".join(
        f"{plain(bot)} {' and '.join(game.side_names[side] for side in sides)}"
        for bot, sides in sorted(called, key=lambda each: each[1])
    )
    return _Match(name, f"{name}: {heading}", record, hands)


def _print_all(matches: Sequence[_Match], hand: int | None, seat: str | None) -> None:
    seen_by = None if seat is None else arguments.seat(seat, matches[0].record.game)
    most = max(matches, key=lambda match: len(match.hands))
    if hand is not None and hand > len(most.hands):
        count = len(most.hands)
        raise ConfigError(f"{_lowered(most.name)} has {count} hands; choose 1 to {count}")
    for match in matches:
        _print_match(match, hand, seen_by)


def _lowered(name: str) -> str:
    return name[0].lower() + name[1:]


def _print_match(match: _Match, hand: int | None, seen_by: Seat | None) -> None:
    name, heading, record, hands = match
    if heading:
        print(heading)
    if not hands:
        print(f"{name} was forfeited before a hand was finished")
    elif hand is not None and hand > len(hands):
        print(f"{name} was over after {counted(len(hands), 'hand')}")
    chosen = range(1, len(hands) + 1) if hand is None else range(hand, min(hand, len(hands)) + 1)
    for number in chosen:
        print_heading(f"{name}, hand {number} of {len(hands)}")
        print_hand(hands[number - 1], record.hands[number - 1], seen_by)
    if record.forfeit and hand in {None, len(hands)}:
        print(f"{record.game.seat_names[record.forfeit.seat]} forfeits the match by a fault")


def _check(file: Path) -> None:
    matches = hands = 0
    for record in with_progress(read_records(file), None, "Checking"):
        matches += 1
        hands += len(replayed(file, matches, record))
    checked = f"{counted(matches, 'match', 'es')}, {counted(hands, 'hand')}"
    print(f"{file}: {checked}; every one follows from the rules")
