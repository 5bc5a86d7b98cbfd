"""Write a match in Euchre Game Notation (`docs/notations.md` says what goes where)."""

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Final

from referee.engine.cards import SEAT_NAMES, SEATS, TEAM_NAMES, Card, rank, suit
from referee.engine.match import Match
from referee.engine.tricks import trick_view
from referee.errors import ConfigError

if TYPE_CHECKING:
    from referee.engine.game import Game, State
    from referee.engine.record import HandRecord, MatchRecord

MOST_DEALS: Final = 100
"""The notation allows no more in a file."""

Json = dict[str, object]


def write(records: Iterable["MatchRecord"]) -> Iterator[str]:
    """Yield the one match there may be; it is not replayed here, so replay what is not trusted."""
    found = list(islice(records, 2))
    if len(found) != 1:
        raise ConfigError("an .egn file holds exactly one match; choose one with --match")
    (record,) = found
    if len(record.hands) > MOST_DEALS:
        raise ConfigError(
            f"an .egn file holds at most {MOST_DEALS} hands and this match has "
            f"{len(record.hands)}; keep its record, or choose another match with --match"
        )
    written = {
        "fileType": "Euchre Game Notation",
        "version": "1.6",
        "metadata": {
            "players": SEAT_NAMES,
            "teamNames": TEAM_NAMES,
            "initialScore": (0, 0),
            "finalScore": record.score,
            "ruleset": _ruleset(record.game),
        },
        "deals": list(_deals(record)),
    }
    yield json.dumps(written, indent=2) + "\n"


def _ruleset(game: "Game") -> Json:
    """Return every rule that other euchre tables may vary, even at the notation's default.

    The notation has no field for whether anybody may go alone.
    """
    rules = game.rules._asdict()
    return {
        "std": rules["stick_dealer"],
        "min_rank": 9,
        "winning_score": rules["target"],
        "canadian": rules["partner_must_go_alone"],
        "loner_lead": "LEFT_OF_DEALER",
        "loner_march_score": 4,
        "loner_euchred_score": 2,
        "defend_alone": False,
    }


def _deals(record: "MatchRecord") -> Iterator[Json]:
    match = Match.start(record.game, record.first_dealer)
    for hand in record.hands:
        yield {
            "dealNumber": match.hand,
            "initialState": _dealt(match.deal(record.deck(match.hand))),
            "phases": _phases(hand),
        }
        match = match.after(hand.result)


def _dealt(state: "State") -> Json:
    table = trick_view(state, None)
    return {
        "dealer": table.dealer,
        "upCard": _card(table.turned),
        "playerCards": [[_card(card) for card in trick_view(state, seat).hand] for seat in SEATS],
    }


def _phases(hand: "HandRecord") -> list[Json]:
    """Return the bidding, and the play unless the hand was thrown in.

    Who plays a card is left to the reader, who knows the maker and works out each winner.
    """
    alone = "alone" in hand.result.notes
    bidding: Json = {"type": "EUCHRE_BIDDING", "calls": _calls(hand), "isAlone": alone}
    for discard in _cards(hand, "discard"):
        bidding["discard"] = discard
    played = _cards(hand, "play")
    size = 3 if alone else 4
    tricks = [played[first : first + size] for first in range(0, len(played), size)]
    return [bidding, {"type": "TRICK_PLAY", "tricks": tricks}] if tricks else [bidding]


def _calls(hand: "HandRecord") -> list[str]:
    parts = [action.partition(":") for _, action in hand.actions]
    return [_call(call, named) for call, _, named in parts if call not in {"discard", "play"}]


def _call(call: str, named: str) -> str:
    """Return the suit that is named, or what is done about the upcard."""
    return named.lower() or ("Pass" if call == "pass" else "Order")


def _cards(hand: "HandRecord", verb: str) -> list[str]:
    """Return the cards this was done with, in order."""
    parts = [action.partition(":") for _, action in hand.actions]
    return [_card(Card(card)) for done, _, card in parts if done == verb]


def _card(card: Card) -> str:
    return rank(card) + suit(card).lower()
