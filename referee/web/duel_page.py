"""What the page of a duel shows: calls and tricks of each hand, and the data of the replay."""

import json
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from markupsafe import Markup

from referee.engine.cards import SEAT_NAMES, SEAT_TOKENS
from referee.engine.game import Game
from referee.league.bot_logs import Logged
from referee.reports.replays import HandReport, MatchReport, StepReport
from referee.scheduling.keys import DuelKey
from referee.text import plain

SEATS: Final = dict(zip(SEAT_TOKENS, SEAT_NAMES, strict=True))
"""The names of the seats by their tokens."""
_ESCAPES: Final = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"}


class Call(NamedTuple):
    """A call or a discard, before the play."""

    step: int
    seat: str
    says: str


class PlayedCard(NamedTuple):
    """A card in a trick."""

    step: int
    card: str
    led: bool
    won: bool


class HandSteps(NamedTuple):
    """The steps of one hand."""

    calls: Sequence[Call]
    tricks: Sequence[dict[str, PlayedCard]]
    """Each by the seat that played."""


def hand_steps(hand: HandReport) -> HandSteps:
    """Return the calls and the tricks of a hand; steps are counted from 1."""
    steps = [*enumerate(hand["steps"], start=1)]
    calls = [
        Call(number, SEATS[step["seat"]], step["says"])
        for number, step in steps
        if "plays" not in step
    ]
    return HandSteps(calls, _tricks([each for each in steps if "plays" in each[1]]))


def _tricks(plays: Sequence[tuple[int, StepReport]]) -> list[dict[str, PlayedCard]]:
    tricks: list[dict[str, PlayedCard]] = []
    leads = True
    for number, step in plays:
        if leads:
            tricks.append({})
        tricks[-1][step["seat"]] = PlayedCard(number, step["plays"], led=leads, won=False)
        leads = "takes_trick" in step
        if leads:
            winner = step["takes_trick"]
            tricks[-1][winner] = tricks[-1][winner]._replace(won=True)
    return tricks


def replay_link(room: str, hand: int, step: int) -> str:
    """Return the link to a step in the replay on the same page."""
    parameter = "" if room in {"open", "room 1"} else f"room={room_key(room)}&"
    return f"#{parameter}hand={hand}&play={step}"


def room_key(room: str) -> str:
    """Return what a room is called in addresses: ``open``, ``closed``, or its number."""
    return room.removeprefix("room ")


def seat_names(game: Game) -> dict[str, str]:
    """Return what the seats of a game are called, by their tokens."""
    return dict(zip(game.seats, game.seat_names, strict=True))


def replay_data(
    game: Game, matches: Sequence[MatchReport], partings: Sequence[int | None]
) -> dict[str, object]:
    """Return what the replay shows of any game."""
    return {
        "rooms": {room_key(match["room"]): match for match in matches},
        "seats": [
            {"token": token, "name": name, "side": side}
            for token, name, side in zip(game.seats, game.seat_names, game.sides, strict=True)
        ],
        "sides": [*game.side_names],
        "partings": {number: step for number, step in enumerate(partings, start=1) if step},
    }


def logged_lines(
    game: Game, matches: Sequence[MatchReport], logged: Logged
) -> dict[str, dict[int, dict[int, list[str]]]]:
    """Return what bots logged about the moves of a duel, by room, hand and move, from 1."""
    found: dict[str, dict[int, dict[int, list[str]]]] = {}
    for (room, hand, move, seat), lines in sorted(logged.items()):
        match = matches[room]
        steps = match["hands"][hand - 1]["steps"] if 0 < hand <= len(match["hands"]) else []
        if 0 < move <= len(steps) and steps[move - 1]["seat"] == game.seats[seat]:
            moves = found.setdefault(room_key(match["room"]), {}).setdefault(hand, {})
            moves[move] = [plain(line) for line in lines]
    return found


def script_json(data: object) -> Markup:
    """Return data as JSON for a script element, without any letter that HTML takes for markup."""
    text = json.dumps(data, separators=(",", ":"))
    for letter, escape in _ESCAPES.items():
        text = text.replace(letter, escape)
    return Markup(text)  # noqa: S704 (no markup can be left in it)


def neighbours(key: DuelKey, numbers: Sequence[int]) -> Mapping[str, DuelKey | None]:
    """Return the duels of the pairing before this one and after it, by the numbers of all."""
    before = numbers[: bisect_left(numbers, key.number)]
    after = numbers[bisect_right(numbers, key.number) :]
    return {
        "before": key._replace(number=before[-1]) if before else None,
        "after": key._replace(number=after[0]) if after else None,
    }
