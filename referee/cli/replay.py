"""`upcard replay`: shows matches from a file or a league as a card player would follow them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, NamedTuple

import typer

from referee.cli import arguments
from referee.cli.build_options import BuildOptions
from referee.cli.hand_text import print_hand, print_logged
from referee.cli.option_groups import with_groups
from referee.cli.output import print_heading, with_progress
from referee.cli.played_duels import PlayedDuel, find_duel
from referee.cli.replay_with import WithOptions
from referee.cli.store_options import Db
from referee.engine.cards import Seat
from referee.engine.game import Game
from referee.engine.record import MatchRecord, ReplayedHand
from referee.engine.seating import room_names, room_title, sides_of
from referee.errors import ConfigError
from referee.league.bot_logs import Logged
from referee.league.duel_names import is_duel_name
from referee.record_file import read_records, replayed
from referee.store.opening import DEFAULT
from referee.text import counted, plain


class _Match(NamedTuple):
    name: str
    heading: str
    """What is said before it, if anything."""
    record: MatchRecord
    hands: Sequence[ReplayedHand]
    room: int = 0
    logged: Logged = MappingProxyType({})


@with_groups
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
    *,
    again: WithOptions,
    building: BuildOptions,
) -> None:
    """Show a match, or one hand of it, from a file of records or a duel of a league.

    It is first played again by the rules; a record that breaks them is refused. With --with another
    bot plays the deals of a duel, and what it does otherwise is shown.
    """
    again.refuse_alone()
    is_file = Path(what).exists()
    if is_file and duel is None and room is not None:
        raise ConfigError("--room is for a duel; name the DUEL too, or choose a match by --match")
    if duel is not None or (is_duel_name(what) and not is_file):
        if match is not None or check:
            raise ConfigError("--match and --check are for whole files; a duel has --room")
        if again.other is not None:
            if room is not None or hand is not None or seat is not None:
                raise ConfigError("--with plays a whole duel; leave out --room, --hand and --seat")
            again.play(find_duel(db, what, duel), db, building)
            return
        _print_all(_rooms_of(find_duel(db, what, duel), room), hand, seat)
        return
    if again.other is not None:
        raise ConfigError("--with is for a duel of a league; name the DUEL too, as club 1-2/17")
    if not is_file:
        raise ConfigError(f"there is no file {what}; a league takes a DUEL too, as club 1-2/17")
    if check:
        if match is not None or hand is not None or seat is not None:
            raise ConfigError("--check looks at every match; leave out --match, --hand and --seat")
        _check(Path(what))
        return
    _print_all([_of_file(Path(what), match or 1)], hand, seat)


def _of_file(file: Path, number: int) -> _Match:
    record = arguments.match_in_file(file, number)
    return _Match(f"Match {number}", "", record, replayed(file, number, record))


def _rooms_of(duel: PlayedDuel, room: str | None) -> list[_Match]:
    """Return the matches of a duel that are shown."""
    return [_in_room(duel, number) for number in _rooms(duel.game, room)]


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


def _in_room(duel: PlayedDuel, room: int) -> _Match:
    game = duel.game
    name = f"Duel {duel.name}, {room_title(room_names(game)[room])}"
    called = [(bot, sides_of(game, room, entrant)) for entrant, bot in enumerate(duel.bots)]
    heading = ", ".join(
        f"{plain(bot)} {' and '.join(game.side_names[side] for side in sides)}"
        for bot, sides in sorted(called, key=lambda each: each[1])
    )
    heading = f"{name}: {heading}"
    return _Match(name, heading, duel.rooms[room], duel.hands[room], room, duel.logged)


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
    name, heading, record, hands, *_ = match
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
        print_logged(hands[number - 1], record.hands[number - 1], _logged(match, number), seen_by)
    if record.forfeit and hand in {None, len(hands)}:
        print(f"{record.game.seat_names[record.forfeit.seat]} forfeits the match by a fault")


def _logged(match: _Match, hand: int) -> Mapping[tuple[int, Seat], Sequence[str]]:
    """Return what was logged in a hand, by move and seat."""
    return {
        (decision.move, decision.seat): lines
        for decision, lines in match.logged.items()
        if (decision.room, decision.hand) == (match.room, hand)
    }


def _check(file: Path) -> None:
    matches = hands = 0
    for record in with_progress(read_records(file), None, "Checking"):
        matches += 1
        hands += len(replayed(file, matches, record))
    checked = f"{counted(matches, 'match', 'es')}, {counted(hands, 'hand')}"
    print(f"{file}: {checked}; every one follows from the rules")
