"""`upcard deal`: the deck that follows from a seed, and the hands it gives."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Annotated

import typer

from referee.cli import arguments
from referee.cli.output import print_json
from referee.engine.cards import SEAT_NAMES, SEAT_TOKENS, SEATS, Seat
from referee.engine.dealing import commitment
from referee.engine.game import State
from referee.engine.recycle import Recycle, RecycleView
from referee.engine.tricks import trick_view
from referee.game_files import find_game
from referee.text import counted


def deal(
    game: arguments.GameName,
    seed: arguments.SeedText = None,
    duel: Annotated[str, typer.Option(metavar="KEY", help="The duel's key.")] = "",
    hand: Annotated[
        int,
        typer.Option(min=1, max=2**32, help="Which hand, from 1; in JSON from 0."),
    ] = 1,
    dealer: Annotated[
        str | None,
        typer.Option(
            metavar="SEAT", help="Who deals it (N, E, S, W, or a player); else as the game has it."
        ),
    ] = None,
    json: arguments.AsJson = False,
) -> None:
    """Show the deck that a seed gives for one hand of a duel, and how it is dealt.

    A game from a program has no deck but a seed for each hand; what is shown is where the cards lie
    at its first decision.
    """
    chosen = find_game(game)
    played = chosen.game()
    dealt_by = (
        (chosen.first_dealer + (hand - 1) * played.rotation) % len(played.seats)
        if dealer is None
        else arguments.dealer(dealer, played)
    )
    drawn = arguments.seed(seed)
    deck = played.decks(drawn, duel)(hand - 1)
    start = played.start(deck, dealt_by)
    told = {
        "game": chosen.kind.name,
        "seed": drawn.hex(),
        "commitment": commitment(drawn),
        "duel": duel,
        "hand": hand - 1,
        "dealer": played.seats[dealt_by],
        "deck": deck,
        **(_places(start, played) if isinstance(played, Recycle) else _hands(start)),
    }
    if json:
        print_json(told)
        return
    print(f"seed        {told['seed']}")
    print(f"commitment  {told['commitment']}")
    print(f"deck        {' '.join(deck)}")
    if isinstance(played, Recycle):
        _show_places(start, played, dealt_by)
    else:
        _show_hands(start, dealt_by)


def _hands(start: State) -> dict[str, object]:
    hands = {SEAT_TOKENS[seat]: trick_view(start, seat).hand for seat in SEATS}
    return {"hands": hands, "turned": trick_view(start, None).turned}


def _show_hands(start: State, dealer: Seat) -> None:
    for seat in SEATS:
        deals = "  (deals)" if seat == dealer else ""
        print(f"{SEAT_NAMES[seat]:<11} {' '.join(trick_view(start, seat).hand)}{deals}")
    print(f"turned up   {trick_view(start, None).turned}")


def _places(start: State, game: Recycle) -> dict[str, object]:
    return {"places": [asdict(place) for place in _dealt(start, game)]}


def _show_places(start: State, game: Recycle, dealer: Seat) -> None:
    print(f"{game.seat_names[dealer]} deals\n")
    for place in _dealt(start, game):
        cards = counted(place.size, "card") if place.cards is None else " ".join(place.cards)
        index = f" {place.index}" if place.index else ""
        print(f"{place.owner:<11} {place.kind} {place.name}{index}: {cards}")


@dataclass(frozen=True)
class _Place:
    owner: str
    kind: str
    name: str
    index: int
    size: int
    cards: tuple[str, ...] | None
    """Bottom first; None where nobody sees them."""


def _dealt(start: State, game: Recycle) -> Iterator[_Place]:
    """Yield every place, with its cards if any seat sees them."""
    views = [start.view(seat) for seat in (None, *range(len(game.seats)))]
    faces = game.program.faces
    seen_by = [view.seen.places for view in views if isinstance(view, RecycleView)]
    for places in zip(*seen_by, strict=True):
        place, size, *_ = places[0]
        seen = next((each.faces for each in places if each.faces is not None), None)
        cards = None if seen is None else tuple(faces[face].name for face in seen)
        owner = f"Player {place.owner}" if place.owner else "Table"
        yield _Place(owner, place.kind, place.name, place.index, size, cards)
