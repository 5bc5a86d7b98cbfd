"""A hand as text, as a card player follows it: the cards, the calls, the tricks, the score."""

from collections.abc import Iterator

from referee.cli.output import print_table
from referee.engine.cards import SEAT_NAMES, SEATS, TEAM_NAMES, Card, Seat, next_seat
from referee.engine.game import View
from referee.engine.record import ReplayedHand
from referee.engine.tricks import turns
from referee.text import counted


def print_hand(played: ReplayedHand, seen_by: Seat | None) -> None:
    """Print a hand with every card open, or as one seat saw it."""
    match, first, last = played
    end = last.view(seen_by)
    north_south, east_west = match.score
    print(
        f"{match.game.name}; {SEAT_NAMES[match.dealer]} deals; "
        f"score {TEAM_NAMES[0]} {north_south}, {TEAM_NAMES[1]} {east_west}\n"
    )
    shown = SEATS if seen_by is None else (seen_by,)
    hands = {seat: first.view(seat).hand for seat in shown}
    for seat, cards in hands.items():
        print(f"{SEAT_NAMES[seat]:<10} {' '.join(cards)}")
    print(f"{'turned up':<10} {end.turned}")
    if seen_by is None:
        dealt = {end.turned}.union(*hands.values())
        kitty = [card for card in match.game.pack if card not in dealt]
        if kitty:
            print(f"{'kitty':<10} {' '.join(kitty)}")
    print()
    discards = (last.view(seat).discard for seat in shown)
    for line in _calls(played, end, next((card for card in discards if card), None)):
        print(line)
    _print_tricks(end)
    _print_score(played, end)


def _calls(played: ReplayedHand, end: View, discard: str | None) -> Iterator[str]:
    speaker = next_seat(end.dealer)
    for call in end.calls:
        yield f"{SEAT_NAMES[speaker]} {played.match.game.say(call)}"
        speaker = next_seat(speaker)
    if end.picked_up:
        laid_away = f"discards the {discard}" if discard else "lays a card away"
        yield f"{SEAT_NAMES[end.dealer]} takes the {end.turned} and {laid_away}"


def _print_tricks(end: View) -> None:
    if not end.tricks:
        return
    rows = []
    for number, trick in enumerate(end.tricks, start=1):
        by_seat = dict(zip(turns(trick.leader, end.sits_out), trick.cards, strict=True))
        by_seat[trick.leader] = Card(f"{by_seat[trick.leader]} led")
        cards = (by_seat.get(seat, "") for seat in SEATS)
        rows.append((str(number), *cards, SEAT_NAMES[trick.winner]))
    print_table("", ("trick", *SEAT_NAMES, "won by"), rows)


def _print_score(played: ReplayedHand, end: View) -> None:
    result = end.result
    assert result is not None
    after = played.match.after(result)
    if result.notes:
        print(", ".join(note.replace("_", " ") for note in result.notes))
    for team, points in enumerate(result.points):
        if points:
            print(f"{TEAM_NAMES[team]}: {result.tricks[team]} tricks, {counted(points, 'point')}")
    score = f"{TEAM_NAMES[0]} {after.score[0]}, {TEAM_NAMES[1]} {after.score[1]}"
    print(f"score {score}" + (", and the match is over\n" if after.over else "\n"))
