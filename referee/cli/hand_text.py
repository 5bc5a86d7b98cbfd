"""A hand as text, as a card player follows it: the cards, the calls, the tricks, the score."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from referee.cli.moves_text import move_lines
from referee.cli.output import print_table
from referee.engine.cards import SEAT_NAMES, SEATS, Card, Seat, next_seat
from referee.engine.game import Game, TrickView, is_trick_view
from referee.engine.match import Match
from referee.engine.record import HandRecord, ReplayedHand
from referee.engine.recycle import Recycle
from referee.engine.tricks import trick_view, turns
from referee.reports.replays import hand_report
from referee.text import counted, plain

_LONGEST: Final = 500
"""Characters that are shown of a line that a bot logged."""


def print_hand(played: ReplayedHand, hand: HandRecord, seen_by: Seat | None) -> None:
    """Print a hand with every card open, or as one seat saw it."""
    match = played.match
    game = match.game
    print(f"{plain(game.title)}; {_dealer(match)}; score {score_text(game, match.score)}\n")
    end = played.last.view(seen_by)
    if isinstance(game, Recycle):
        for line in move_lines(game, hand_report(match, played.first, hand.actions, None), seen_by):
            print(line)
        print()
    elif is_trick_view(end):
        _print_cards(played, end, seen_by)
        _print_tricks(end)
    _print_score(played)


def print_logged(
    played: ReplayedHand,
    hand: HandRecord,
    logged: Mapping[tuple[int, Seat], Sequence[str]],
    seen_by: Seat | None,
) -> None:
    """Print what bots logged about their decisions, by move and seat; or what one seat's did."""
    acted = enumerate((seat for seat, _ in hand.actions), start=1)
    decisions = [(move, seat) for move, seat in acted if seen_by in {None, seat}]
    found = [decision for decision in decisions if decision in logged]
    if not found:
        return
    steps = hand_report(played.match, played.first, hand.actions, None)["steps"]
    print("What the bots logged")
    for move, seat in found:
        step, name = steps[move - 1], played.match.game.seat_names[seat]
        print(f"  {step['decision']}, {name} {plain(step['says'])}")
        for line in logged[move, seat]:
            print(f"    {plain(line)[:_LONGEST]}")
    print()


def _dealer(match: Match) -> str:
    """Return who deals; where nobody does, who is the first to play."""
    game = match.game
    if isinstance(game, Recycle):
        return f"{game.seat_names[(match.dealer + 1) % len(game.seats)]} is the first player"
    return f"{game.seat_names[match.dealer]} deals"


def score_text(game: Game, score: Sequence[int]) -> str:
    """Return the points of each side."""
    return ", ".join(
        f"{side} {points}" for side, points in zip(game.side_names, score, strict=True)
    )


def _print_cards(played: ReplayedHand, end: TrickView, seen_by: Seat | None) -> None:
    match, first, last = played
    shown = SEATS if seen_by is None else (seen_by,)
    hands = {seat: trick_view(first, seat).hand for seat in shown}
    for seat, cards in hands.items():
        print(f"{SEAT_NAMES[seat]:<10} {' '.join(cards)}")
    print(f"{'turned up':<10} {end.turned}")
    if seen_by is None:
        dealt = {end.turned}.union(*hands.values())
        kitty = [card for card in match.game.pack if card not in dealt]
        if kitty:
            print(f"{'kitty':<10} {' '.join(kitty)}")
    print()
    discards = (trick_view(last, seat).discard for seat in shown)
    for line in _calls(played, end, next((card for card in discards if card), None)):
        print(line)


def _calls(played: ReplayedHand, end: TrickView, discard: str | None) -> Iterator[str]:
    speaker = next_seat(end.dealer)
    for call in end.calls:
        yield f"{SEAT_NAMES[speaker]} {played.match.game.say(call)}"
        speaker = next_seat(speaker)
    if end.picked_up:
        laid_away = f"discards the {discard}" if discard else "lays a card away"
        yield f"{SEAT_NAMES[end.dealer]} takes the {end.turned} and {laid_away}"


def _print_tricks(end: TrickView) -> None:
    if not end.tricks:
        return
    rows = []
    for number, trick in enumerate(end.tricks, start=1):
        by_seat = dict(zip(turns(trick.leader, end.sits_out), trick.cards, strict=True))
        by_seat[trick.leader] = Card(f"{by_seat[trick.leader]} led")
        cards = (by_seat.get(seat, "") for seat in SEATS)
        rows.append((str(number), *cards, SEAT_NAMES[trick.winner]))
    print_table("", ("trick", *SEAT_NAMES, "won by"), rows)


def _print_score(played: ReplayedHand) -> None:
    game, result = played.match.game, played.last.result
    assert result is not None
    after = played.match.after(result)
    if result.notes and not isinstance(game, Recycle):  # whose moves say so themselves
        print(", ".join(note.replace("_", " ") for note in result.notes))
    for side, points in enumerate(result.points):
        if points:
            tricks = f"{result.tricks[side]} tricks, " if result.tricks else ""
            print(f"{game.side_names[side]}: {tricks}{counted(points, 'point')}")
    score = score_text(game, after.score)
    print(f"score {score}" + (", and the match is over\n" if after.over else "\n"))
