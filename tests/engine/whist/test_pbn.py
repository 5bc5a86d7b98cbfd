"""What is written in Portable Bridge Notation, read back by somebody who has only its rules.

The reader below shares nothing with the engine: it is given the first leader and four columns of
cards, and from the trump suit works out who won each trick, hence who led and in what order the
cards fell.
"""

import re
from itertools import accumulate, pairwise
from random import Random
from typing import NamedTuple

import pytest

from referee.engine.record import MatchRecord, SeededDeal, play_match
from referee.engine.whist import Whist, pbn

COMPASS = "NESW"
RANKS = "23456789TJQKA"
MANDATORY = (
    "Event",
    "Site",
    "Date",
    "Board",
    "West",
    "North",
    "East",
    "South",
    "Dealer",
    "Vulnerable",
    "Deal",
    "Scoring",
    "Declarer",
    "Contract",
    "Result",
)


def play(number: int, target: int = 10) -> MatchRecord:
    rng = Random(number)
    game = Whist.with_rules({"target": target})
    dealt = SeededDeal(bytes(32), f"match {number}")
    return play_match(game, number % 4, dealt, lambda state: rng.choice(state.legal))


@pytest.fixture(scope="module")
def records() -> list[MatchRecord]:
    return [play(number) for number in range(20)]


class Game(NamedTuple):
    """One game of a file, taken apart but not understood."""

    names: tuple[str, ...]
    tags: dict[str, str]
    play: tuple[tuple[str, ...], ...]


@pytest.fixture(scope="module")
def text(records: list[MatchRecord]) -> str:
    return "".join(pbn.write(records))


@pytest.fixture(scope="module")
def games(text: str) -> list[Game]:
    return taken_apart(text)


@pytest.fixture(scope="module")
def hands(records: list[MatchRecord]) -> list[tuple[MatchRecord, int]]:
    return [(record, number) for record in records for number in range(len(record.hands))]


def test_a_match_is_written_before_the_next_one_is_read(records: list[MatchRecord]) -> None:
    waiting = iter(records)
    pieces = pbn.write(waiting)
    assert next(pieces).startswith("% PBN")
    assert next(pieces).startswith("[Event ")
    assert next(waiting) == records[1]


def taken_apart(text: str) -> list[Game]:
    lines = [line for line in text.split("\r\n") if not line.startswith("%")]
    games = "\n".join(lines).removesuffix("\n").split("\n\n")
    return [one_game(game.split("\n")) for game in games]


def one_game(lines: list[str]) -> Game:
    tags = [found for line in lines if (found := re.fullmatch(r'\[(\w+) "(.*)"\]', line))]
    names = tuple(tag[1] for tag in tags)
    rows = tuple(tuple(line.split(" ")) for line in lines[len(tags) :])
    return Game(names, {tag[1]: tag[2] for tag in tags}, rows)


class Trick(NamedTuple):
    """A trick as the reader understands it: cards in the order they fell."""

    plays: tuple[tuple[int, str], ...]
    winner: int


def tricks_of(game: Game) -> list[Trick]:
    columns = [(COMPASS.index(game.tags["Play"]) + n) % 4 for n in range(4)]
    tricks, leader = [], columns[0]
    for row in game.play:
        card_of = dict(zip(columns, row, strict=True))
        fell = tuple(((leader + n) % 4, card_of[(leader + n) % 4]) for n in range(4))
        leader = max(fell, key=lambda one: height(one[1], fell[0][1][0], game.tags["Trump"]))[0]
        tricks.append(Trick(fell, leader))
    return tricks


def height(card: str, led: str, trump: str) -> tuple[bool, bool, int]:
    return card[0] == trump, card[0] == led, RANKS.index(card[1])


def dealt_in(game: Game) -> dict[int, set[str]]:
    first, _, hands = game.tags["Deal"].partition(":")
    return {
        (COMPASS.index(first) + n) % 4: {
            rank + suit
            for suit, ranks in zip("SHDC", hand.split("."), strict=True)
            for rank in ranks
        }
        for n, hand in enumerate(hands.split(" "))
    }


def sides(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"NS (\d+) EW (\d+)", text)
    assert found
    return int(found[1]), int(found[2])


def won_by_side(game: Game) -> tuple[int, int]:
    east_west = sum(trick.winner % 2 for trick in tricks_of(game))
    return 13 - east_west, east_west


def test_a_reader_finds_who_played_what_in_every_hand(
    games: list[Game], hands: list[tuple[MatchRecord, int]]
) -> None:
    read = [
        tuple(
            (seat, f"play:{card[1]}{card[0]}")
            for trick in tricks_of(g)
            for seat, card in trick.plays
        )
        for g in games
    ]
    assert read == [record.hands[number].actions for record, number in hands]


def test_a_reader_counts_the_tricks_of_every_hand(
    games: list[Game], hands: list[tuple[MatchRecord, int]]
) -> None:
    read = [won_by_side(game) for game in games]
    assert read == [record.hands[number].result.tricks for record, number in hands]


def test_the_tricks_written_are_those_a_reader_counts(games: list[Game]) -> None:
    assert [sides(game.tags["Tricks"]) for game in games] == [won_by_side(game) for game in games]


def test_the_score_written_is_a_point_for_each_trick_over_six(games: list[Game]) -> None:
    over = [tuple(max(0, won - 6) for won in won_by_side(game)) for game in games]
    assert [sides(game.tags["Score"]) for game in games] == over


def test_the_match_score_adds_up_the_hands_so_far(records: list[MatchRecord]) -> None:
    for record in records:
        games = taken_apart("".join(pbn.write([record])))
        points = [sides(game.tags["Score"]) for game in games]
        so_far = list(accumulate(points, lambda a, b: (a[0] + b[0], a[1] + b[1])))
        assert [sides(game.tags["MatchScore"]) for game in games] == so_far


def test_the_hands_are_those_dealt(games: list[Game], hands: list[tuple[MatchRecord, int]]) -> None:
    for game, (record, number) in zip(games, hands, strict=True):
        deck, eldest = record.deck(number), record.hands[number].dealer + 1
        dealt = {(eldest + n) % 4: set(deck[13 * n : 13 * n + 13]) for n in range(4)}
        assert dealt_in(game) == dealt


def test_the_dealers_hand_comes_first(games: list[Game]) -> None:
    assert [game.tags["Deal"][0] for game in games] == [game.tags["Dealer"] for game in games]


def test_the_ranks_of_a_suit_go_down(games: list[Game]) -> None:
    for game in games:
        for ranks in re.split("[. ]", game.tags["Deal"][2:]):
            places = [RANKS.index(rank) for rank in ranks]
            assert places == sorted(places, reverse=True)


def test_the_dealer_is_the_records(games: list[Game], hands: list[tuple[MatchRecord, int]]) -> None:
    read = [COMPASS.index(game.tags["Dealer"]) for game in games]
    assert read == [record.hands[number].dealer for record, number in hands]


def test_the_trump_card_is_the_last_one_dealt(
    games: list[Game], hands: list[tuple[MatchRecord, int]]
) -> None:
    last = [record.deck(number)[-1] for record, number in hands]
    assert [game.tags["TrumpCard"][::-1] for game in games] == last


def test_trump_is_the_suit_of_the_trump_card(games: list[Game]) -> None:
    assert all(game.tags["TrumpCard"].startswith(game.tags["Trump"]) for game in games)


def test_eldest_leads(games: list[Game]) -> None:
    for game in games:
        assert COMPASS.index(game.tags["Play"]) == (COMPASS.index(game.tags["Dealer"]) + 1) % 4


def test_the_play_is_thirteen_rows_of_four(games: list[Game]) -> None:
    assert {tuple(len(row) for row in game.play) for game in games} == {(4,) * 13}


def test_a_board_is_the_number_of_the_hand_in_its_match(
    games: list[Game], hands: list[tuple[MatchRecord, int]]
) -> None:
    assert [game.tags["Board"] for game in games] == [str(number + 1) for _, number in hands]


def test_matches_are_numbered_in_their_order(games: list[Game], records: list[MatchRecord]) -> None:
    numbers = [str(n) for n, record in enumerate(records, 1) for _ in record.hands]
    assert [game.tags["Match"] for game in games] == numbers


def test_the_fifteen_mandatory_tags_come_first(games: list[Game]) -> None:
    assert {game.names[:15] for game in games} == {MANDATORY}


def test_the_other_tags_go_by_the_alphabet_and_then_comes_the_play(games: list[Game]) -> None:
    for game in games:
        *others, last = game.names[15:]
        assert all(one < other for one, other in pairwise(others))
        assert last == "Play"


@pytest.mark.parametrize("tag", ["Declarer", "Contract", "Result"])
def test_what_whist_does_not_have_is_empty(games: list[Game], tag: str) -> None:
    assert {game.tags[tag] for game in games} == {""}


@pytest.mark.parametrize("tag", ["Event", "Site", "West", "North", "East", "South"])
def test_what_a_record_does_not_know_is_a_question_mark(games: list[Game], tag: str) -> None:
    assert {game.tags[tag] for game in games} == {"?"}


def test_an_unknown_date_keeps_the_form_of_a_date(games: list[Game]) -> None:
    assert {game.tags["Date"] for game in games} == {"????.??.??"}


def test_nobody_is_vulnerable(games: list[Game]) -> None:
    assert {game.tags["Vulnerable"] for game in games} == {"None"}


def test_the_scoring_is_named(games: list[Game]) -> None:
    assert {game.tags["Scoring"] for game in games} == {"Whist"}


def test_the_target_is_described() -> None:
    (game, *_) = taken_apart("".join(pbn.write([play(0, target=7)])))
    assert game.tags["Description"] == "Whist to 7; the last card dealt is trump"


def test_the_file_says_its_version_and_that_it_is_an_export(text: str) -> None:
    assert text.startswith('% PBN 2.1\r\n% EXPORT\r\n[Event "?"]\r\n')


def test_every_line_ends_with_carriage_return_and_line_feed(text: str) -> None:
    assert re.sub("[^\r\n]", "", text) == "\r\n" * text.count("\n")


def test_an_empty_line_parts_two_games_and_none_ends_the_file(text: str, games: list[Game]) -> None:
    assert text.count("\r\n\r\n") == len(games) - 1


def test_no_line_is_longer_than_an_editor_shows(text: str) -> None:
    assert max(map(len, text.split("\r\n"))) < 80
