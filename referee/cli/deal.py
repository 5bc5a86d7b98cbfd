"""`upcard deal`: the deck that follows from a seed, and the hands it gives."""

from typing import Annotated

import typer

from referee.cli import arguments
from referee.cli.output import print_json
from referee.engine.dealing import commitment
from referee.engine.registry import preset
from referee.engine.tricks import trick_view


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
        typer.Option(metavar="SEAT", help="Who deals it (N, E, S or W); else as the game has it."),
    ] = None,
    json: arguments.AsJson = False,
) -> None:
    """Show the deck that a seed gives for one hand of a duel, and how it is dealt."""
    chosen = preset(game)
    played, drawn = chosen.game(), arguments.seed(seed)
    if dealer is None:
        dealt_by = (chosen.first_dealer + (hand - 1) * played.rotation) % len(played.seats)
    else:
        dealt_by = arguments.dealer(dealer, played)
    deck = played.decks(drawn, duel)(hand - 1)
    start = played.start(deck, dealt_by)
    hands = {seat: trick_view(start, seat).hand for seat, _ in enumerate(played.seats)}
    turned = trick_view(start, None).turned
    if json:
        print_json(
            {
                "game": chosen.kind.name,
                "seed": drawn.hex(),
                "commitment": commitment(drawn),
                "duel": duel,
                "hand": hand - 1,
                "dealer": played.seats[dealt_by],
                "deck": deck,
                "hands": {played.seats[seat]: cards for seat, cards in hands.items()},
                "turned": turned,
            }
        )
        return
    print(f"seed        {drawn.hex()}")
    print(f"commitment  {commitment(drawn)}")
    print(f"deck        {' '.join(deck)}")
    for seat, cards in hands.items():
        deals = "  (deals)" if seat == dealt_by else ""
        print(f"{played.seat_names[seat]:<11} {' '.join(cards)}{deals}")
    print(f"turned up   {turned}")
