"""What is written in Euchre Game Notation, read back by somebody who has only the notation's rules.

The reader below shares nothing with the engine: from the calls it works out the maker and trump,
from trump the winner of each trick, from the winners who played which card and what it was worth.
"""

import json
from collections.abc import Mapping
from itertools import product
from random import Random
from typing import Any, NamedTuple

import pytest
from jsonschema import Draft202012Validator

from referee.engine.cards import Action
from referee.engine.euchre import Euchre, egn
from referee.engine.game import State
from referee.engine.record import MatchRecord, SeededDeal, play_match
from referee.errors import ConfigError

MATCHES = 20
"""For each choice of options."""
OPTIONS = [
    {"alone": alone, "stick_dealer": stick_dealer, "partner_must_go_alone": partner}
    for alone, stick_dealer, partner in product((True, False), repeat=3)
    if alone or not partner
]

Json = Any


def play(options: Mapping[str, int], number: int) -> MatchRecord:
    # Mostly passing, since at random hardly a hand gets to the second round, or is thrown in.
    rng = Random(number)

    def choose(state: State) -> Action:
        shy = state.legal[0] == "pass" and rng.random() < 0.8
        return Action("pass") if shy else rng.choice(state.legal)

    game = Euchre.with_rules(options)
    return play_match(game, number % 4, SeededDeal(bytes(32), f"match {number}"), choose)


def written(*records: MatchRecord) -> str:
    return "".join(egn.write(records))


def file_of(record: MatchRecord) -> Json:
    return json.loads(written(record))


@pytest.fixture(scope="module")
def all_records() -> list[MatchRecord]:
    return [play(options, number) for options in OPTIONS for number in range(MATCHES)]


@pytest.fixture(
    scope="module",
    params=OPTIONS,
    ids=lambda options: " ".join(name for name, on in options.items() if on) or "none",
)
def records(request: pytest.FixtureRequest) -> list[MatchRecord]:
    return [play(request.param, number) for number in range(MATCHES)]


@pytest.fixture(scope="module")
def files(records: list[MatchRecord]) -> list[Json]:
    return [file_of(record) for record in records]


@pytest.fixture(scope="module")
def record() -> MatchRecord:
    return play({}, 0)


class Heard(NamedTuple):
    """A deal as the reader understands it, in the words of a record."""

    actions: tuple[tuple[int, str], ...]
    tricks: tuple[int, int]
    points: tuple[int, int]


SAME_COLOUR = {"c": "s", "s": "c", "d": "h", "h": "d"}


def hear(deal: Json, ruleset: Json) -> Heard:
    dealer, upcard = deal["initialState"]["dealer"], deal["initialState"]["upCard"]
    bidding, *played = deal["phases"]
    calls, alone = bidding["calls"], bidding["isAlone"]
    heard = [((dealer + 1 + turn) % 4, token(call, alone)) for turn, call in enumerate(calls)]
    if not played:
        return Heard(tuple(heard), (0, 0), (0, 0))
    maker = heard[-1][0]
    trump = upcard[1] if calls[-1] == "Order" else calls[-1]
    if "discard" in bidding:
        heard.append((dealer, f"discard:{bidding['discard'].upper()}"))
    playing = [seat for seat in range(4) if not (alone and seat == (maker + 2) % 4)]
    leader, tricks = (dealer + 1) % 4, [0, 0]
    if leader not in playing:
        assert ruleset["loner_lead"] == "LEFT_OF_DEALER"
        leader = (leader + 1) % 4
    for cards in played[0]["tricks"]:
        turns = [seat for n in range(4) if (seat := (leader + n) % 4) in playing]
        heard += [(seat, f"play:{c.upper()}") for seat, c in zip(turns, cards, strict=True)]
        leader = turns[cards.index(winner(cards, trump))]
        tricks[leader % 2] += 1
    points = score(tricks[maker % 2], alone=alone, ruleset=ruleset)
    by_team = points if maker % 2 == 0 else points[::-1]
    return Heard(tuple(heard), (tricks[0], tricks[1]), (by_team[0], by_team[1]))


def token(call: str, alone: bool) -> str:
    if call == "Pass":
        return "pass"
    how = "_alone" if alone else ""
    return f"order_up{how}" if call == "Order" else f"name{how}:{call.upper()}"


def winner(cards: list[str], trump: str) -> str:
    right, left = "J" + trump, "J" + SAME_COLOUR[trump]
    led = trump if cards[0] == left else cards[0][1]

    def height(card: str) -> int:
        if card in {left, right}:
            return 30 + (card == right)
        return "9TJQKA".index(card[0]) + {led: 10, trump: 20}.get(card[1], 0)

    return max(cards, key=height)


def score(tricks: int, *, alone: bool, ruleset: Json) -> tuple[int, int]:
    """Return the points of the makers and of the others."""
    if tricks < 3:
        return 0, ruleset["loner_euchred_score"] if alone else 2
    if tricks < 5:
        return 1, 0
    return ruleset["loner_march_score"] if alone else 2, 0


def heard_in(file: Json) -> list[Heard]:
    return [hear(deal, file["metadata"]["ruleset"]) for deal in file["deals"]]


def test_the_matches_read_end_in_every_way(all_records: list[MatchRecord]) -> None:
    notes = [set(hand.result.notes) for record in all_records for hand in record.hands]
    assert set().union(*notes) == set(Euchre.notes)
    assert {"alone", "march"} in [one & {"alone", "march"} for one in notes]


def test_a_reader_finds_who_did_what_in_every_hand(
    records: list[MatchRecord], files: list[Json]
) -> None:
    heard = [[hand.actions for hand in heard_in(file)] for file in files]
    assert heard == [[hand.actions for hand in record.hands] for record in records]


def test_a_reader_counts_the_tricks_of_every_hand(
    records: list[MatchRecord], files: list[Json]
) -> None:
    heard = [[hand.tricks for hand in heard_in(file)] for file in files]
    assert heard == [[hand.result.tricks for hand in record.hands] for record in records]


def test_a_reader_scores_every_hand_alike(records: list[MatchRecord], files: list[Json]) -> None:
    heard = [[hand.points for hand in heard_in(file)] for file in files]
    assert heard == [[hand.result.points for hand in record.hands] for record in records]


def test_the_score_goes_from_nothing_to_the_end_of_the_match(
    records: list[MatchRecord], files: list[Json]
) -> None:
    scores = [(file["metadata"]["initialScore"], file["metadata"]["finalScore"]) for file in files]
    assert scores == [([0, 0], list(record.score)) for record in records]


def test_deals_are_numbered_from_0(records: list[MatchRecord], files: list[Json]) -> None:
    numbers = [[deal["dealNumber"] for deal in file["deals"]] for file in files]
    assert numbers == [list(range(len(record.hands))) for record in records]


def test_the_deal_passes_as_in_the_record(records: list[MatchRecord], files: list[Json]) -> None:
    dealers = [[deal["initialState"]["dealer"] for deal in file["deals"]] for file in files]
    assert dealers == [[hand.dealer for hand in record.hands] for record in records]


def test_the_hands_are_those_dealt_before_anything_is_picked_up(
    records: list[MatchRecord], files: list[Json]
) -> None:
    for record, file in zip(records, files, strict=True):
        for number, deal in enumerate(file["deals"]):
            deck, eldest = record.deck(number), deal["initialState"]["dealer"] + 1
            hands = [
                {card.upper() for card in deal["initialState"]["playerCards"][(eldest + n) % 4]}
                for n in range(4)
            ]
            assert hands == [set(deck[5 * n : 5 * n + 5]) for n in range(4)]


def test_the_upcard_is_the_card_after_the_hands(
    records: list[MatchRecord], files: list[Json]
) -> None:
    upcards = [[deal["initialState"]["upCard"].upper() for deal in f["deals"]] for f in files]
    assert upcards == [[r.deck(number)[20] for number in range(len(r.hands))] for r in records]


def test_a_misdeal_is_eight_passes_and_no_play() -> None:
    records = [play({"stick_dealer": False}, number) for number in range(MATCHES)]
    thrown_in = [
        deal["phases"]
        for record in records
        for hand, deal in zip(record.hands, file_of(record)["deals"], strict=True)
        if "misdeal" in hand.result.notes
    ]
    bidding = {"type": "EUCHRE_BIDDING", "calls": ["Pass"] * 8, "isAlone": False}
    assert thrown_in
    assert all(phases == [bidding] for phases in thrown_in)


def test_a_hand_played_alone_has_three_cards_in_a_trick() -> None:
    record = play({}, 0)
    sizes = {
        ("alone" in hand.result.notes, len(trick))
        for hand, deal in zip(record.hands, file_of(record)["deals"], strict=True)
        for trick in deal["phases"][1]["tricks"]
    }
    assert sizes == {(True, 3), (False, 4)}


@pytest.mark.parametrize(
    ("option", "chosen", "field"),
    [
        ("stick_dealer", True, "std"),
        ("stick_dealer", False, "std"),
        ("partner_must_go_alone", True, "canadian"),
        ("partner_must_go_alone", False, "canadian"),
        ("target", 3, "winning_score"),
    ],
)
def test_an_option_goes_into_the_ruleset(option: str, chosen: int, field: str) -> None:
    assert file_of(play({option: chosen}, 0))["metadata"]["ruleset"][field] == chosen


def test_what_no_option_changes_is_written_too(record: MatchRecord) -> None:
    ruleset = file_of(record)["metadata"]["ruleset"]
    options = {"std", "winning_score", "canadian"}
    assert {name: value for name, value in ruleset.items() if name not in options} == {
        "min_rank": 9,
        "loner_lead": "LEFT_OF_DEALER",
        "loner_march_score": 4,
        "loner_euchred_score": 2,
        "defend_alone": False,
    }


def test_whether_anybody_may_go_alone_is_not_written() -> None:
    may = file_of(play({"alone": True}, 0))["metadata"]["ruleset"]
    may_not = file_of(play({"alone": False}, 0))["metadata"]["ruleset"]
    assert may == may_not


def test_players_are_the_seats_clockwise(record: MatchRecord) -> None:
    assert file_of(record)["metadata"]["players"] == ["North", "East", "South", "West"]


def test_the_first_team_is_that_of_the_first_player(record: MatchRecord) -> None:
    assert file_of(record)["metadata"]["teamNames"] == ["North-South", "East-West"]


def test_the_file_ends_with_a_line_end(record: MatchRecord) -> None:
    assert written(record).endswith("}\n")


def test_two_matches_do_not_fit_one_file(record: MatchRecord) -> None:
    with pytest.raises(ConfigError, match=r"one match; choose one with --match$"):
        written(record, record)


def test_a_file_of_no_match_is_refused() -> None:
    with pytest.raises(ConfigError, match="exactly one match"):
        written()


def test_a_match_of_100_hands_fits(record: MatchRecord) -> None:
    long = record._replace(hands=record.hands[:1] * 100)
    assert len(file_of(long)["deals"]) == 100


def test_a_match_of_101_hands_is_refused(record: MatchRecord) -> None:
    long = record._replace(hands=record.hands[:1] * 101)
    with pytest.raises(ConfigError, match=r"at most 100 hands and this match has 101"):
        written(long)


def just(**fields: Json) -> Json:
    """Describe an object with these fields and no other."""
    return {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }


def listing(item: Json, least: int, most: int) -> Json:
    return {"type": "array", "items": item, "minItems": least, "maxItems": most}


CARD = {"type": "string", "pattern": "^[9TJQKA][cdhs]$"}
CALL = {"enum": ["Pass", "Order", "c", "d", "h", "s"]}
SCORE = listing({"type": "integer", "minimum": 0}, 2, 2)
NAME = {"type": "string", "minLength": 1, "maxLength": 64}
SWITCH = {"type": "boolean"}
RULESET = just(
    std=SWITCH,
    min_rank={"const": 9},
    winning_score={"type": "integer", "minimum": 1},
    canadian=SWITCH,
    loner_lead={"enum": ["LEFT_OF_DEALER", "LEFT_OF_LONER"]},
    loner_march_score={"type": "integer"},
    loner_euchred_score={"type": "integer"},
    defend_alone=SWITCH,
)
BIDDING = just(type={"const": "EUCHRE_BIDDING"}, calls=listing(CALL, 1, 8), isAlone=SWITCH)
WITH_DISCARD = just(**BIDDING["properties"], discard=CARD)
TRICK_PLAY = just(type={"const": "TRICK_PLAY"}, tricks=listing(listing(CARD, 3, 4), 5, 5))
DEAL = just(
    dealNumber={"type": "integer", "minimum": 0, "maximum": 99},
    initialState=just(
        dealer={"enum": [0, 1, 2, 3]},
        upCard=CARD,
        playerCards=listing(listing(CARD, 5, 5), 4, 4),
    ),
    phases={
        "type": "array",
        "minItems": 1,
        "prefixItems": [{"oneOf": [BIDDING, WITH_DISCARD]}, TRICK_PLAY],
        "items": False,
    },
)
FILE = just(
    fileType={"const": "Euchre Game Notation"},
    version={"type": "string", "pattern": r"^1\.[23456](\.\d+)?$"},
    metadata=just(
        players=listing(NAME, 4, 4),
        teamNames=listing(NAME, 2, 2),
        initialScore=SCORE,
        finalScore=SCORE,
        ruleset=RULESET,
    ),
    deals=listing(DEAL, 1, 100),
)


@pytest.mark.slow
def test_a_file_has_the_shape_we_read_from_the_notation(files: list[Json]) -> None:
    reader = Draft202012Validator(FILE)
    assert [error.message for file in files for error in reader.iter_errors(file)] == []
