"""`upcard deal`: the deck that follows from a seed, and the hands it gives."""

from typing import Annotated, Any

import typer

from referee.cli import arguments
from referee.cli.output import print_json
from referee.engine.cards import SEAT_NAMES, SEAT_TOKENS, SEATS, Seat
from referee.engine.dealing import commitment
from referee.engine.game import Game, State
from referee.engine.recycle import Recycle
from referee.engine.recycle.opened import opened
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
        **({"places": _places(start)} if isinstance(played, Recycle) else _hands(start)),
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


def _places(start: State) -> list[dict[str, Any]]:
    """Return every place, with its cards if any seat sees them."""
    return [
        {
            "owner": place.owner,
            "kind": place.kind,
            "name": place.name,
            "index": place.nth,
            "size": len(lies.cards),
            "cards": lies.cards if lies.seen_by else None,
        }
        for place, lies in opened(start).places.items()
    ]


def _show_places(start: State, game: Game, dealer: Seat) -> None:
    print(f"{game.seat_names[dealer]} deals\n")
    names = dict(zip(game.seats, game.seat_names, strict=True))
    for place in _places(start):
        cards, index = place["cards"], f" {place['index']}" if place["index"] else ""
        shown = counted(place["size"], "card") if cards is None else " ".join(cards)
        owner = names.get(place["owner"], place["owner"].capitalize())
        print(f"{owner:<11} {place['kind']} {place['name']}{index}: {shown}")
