"""A match told step by step says what the rules say, in every game."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import pytest

from referee.engine.cards import SEAT_TOKENS, SEATS
from referee.engine.game import State
from referee.engine.record import MatchRecord
from referee.engine.record import replay as played_again
from referee.engine.tricks import trick_view
from referee.reports.replays import HandReport, MatchReport, StepReport, replay
from tests.reports.matches import GAMES, forfeited, matches

NAMES = "ada", "bert"


class ReportedHand(NamedTuple):
    """A hand as it is reported, and as the rules have it."""

    hand: HandReport
    first: State
    last: State


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def match_report(record: MatchRecord) -> MatchReport:
    return replay(0, record, NAMES)


def hands(game: str) -> Iterator[ReportedHand]:
    for record in matches(game):
        for hand, again in zip(match_report(record)["hands"], played_again(record), strict=True):
            yield ReportedHand(hand, again.first, again.last)


def in_seats(cards: Mapping[str, list[str]]) -> dict[str, set[str]]:
    return {seat: set(cards[seat]) for seat in SEAT_TOKENS}


def last(steps: list[StepReport], what: str) -> str | None:
    """Return what the steps say of it; it is said once at most."""
    said = [str(step[what]) for step in steps if what in step]  # type: ignore[literal-required]
    assert len(said) <= 1
    return said[0] if said else None


def test_every_seat_is_dealt_what_the_game_deals_it(game: str) -> None:
    for hand, first, _ in hands(game):
        for seat in SEATS:
            assert hand["cards"][SEAT_TOKENS[seat]] == [*trick_view(first, seat).hand]


def test_the_cards_told_are_the_whole_pack(game: str) -> None:
    for hand, _, _ in hands(game):
        dealt = [card for cards in hand["cards"].values() for card in cards]
        assert hand["turned"]
        turned = [] if hand["turned"] in dealt else [hand["turned"]]
        assert sorted([*dealt, *turned, *hand["kitty"]]) == sorted(GAMES[game].pack)


def test_what_is_played_is_what_was_dealt_or_picked_up_and_not_laid_away(game: str) -> None:
    for hand, _, _ in hands(game):
        held = in_seats(hand["cards"])
        out = {seat for step in hand["steps"] if (seat := step.get("sits_out"))}
        for step in hand["steps"]:
            if "picks_up" in step:
                assert hand["turned"]
                held[step["picks_up"]].add(hand["turned"])
            if "lays_away" in step:
                held[step["seat"]].remove(step["lays_away"])
        plays = [step for step in hand["steps"] if "plays" in step]
        for seat in {*SEAT_TOKENS} - out if plays else ():
            assert sorted(step["plays"] for step in plays if step["seat"] == seat) == sorted(
                held[seat]
            )
        assert not out & {step["seat"] for step in plays}


def test_tricks_go_to_whom_the_rules_give_them(game: str) -> None:
    for hand, _, end in hands(game):
        takers = [step["takes_trick"] for step in hand["steps"] if "takes_trick" in step]
        assert takers == [SEAT_TOKENS[trick.winner] for trick in trick_view(end, None).tricks]


def test_the_cards_of_a_trick_are_those_since_the_last_was_taken(game: str) -> None:
    for hand, _, end in hands(game):
        tricks: list[list[str]] = [[]]
        for step in hand["steps"]:
            if "plays" in step:
                tricks[-1].append(step["plays"])
            if "takes_trick" in step:
                tricks.append([])
        assert tricks[:-1] == [[*trick.cards] for trick in trick_view(end, None).tricks]
        assert tricks[-1] == []


def test_trump_is_that_of_the_rules(game: str) -> None:
    for hand, _, end in hands(game):
        assert (hand["trump"] or last(hand["steps"], "trump")) == trick_view(end, None).trump


def test_who_sits_out_is_who_the_rules_say(game: str) -> None:
    for hand, _, end in hands(game):
        out = trick_view(end, None).sits_out
        assert last(hand["steps"], "sits_out") == (None if out is None else SEAT_TOKENS[out])


def test_the_dealer_picks_up_where_the_rules_have_her(game: str) -> None:
    for hand, _, end in hands(game):
        up = hand["dealer"] if trick_view(end, None).picked_up else None
        assert last(hand["steps"], "picks_up") == up


def test_what_is_laid_away_is_what_the_rules_say(game: str) -> None:
    for hand, _, end in hands(game):
        view = trick_view(end, SEAT_TOKENS.index(hand["dealer"]))
        assert last(hand["steps"], "lays_away") == view.discard


def test_each_step_is_an_action_of_the_record_as_a_player_tells_it(game: str) -> None:
    say = GAMES[game].say
    for record in matches(game):
        for hand, kept in zip(match_report(record)["hands"], record.hands, strict=True):
            steps = [(step["seat"], step["action"], step["says"]) for step in hand["steps"]]
            assert steps == [(SEAT_TOKENS[seat], act, say(act)) for seat, act in kept.actions]


def test_decisions_come_in_the_order_of_the_game(game: str) -> None:
    order = GAMES[game].decisions
    for hand, _, _ in hands(game):
        places = [order.index(step["decision"]) for step in hand["steps"]]
        assert places == sorted(places)


def test_the_score_before_a_hand_and_its_points_are_the_score_before_the_next(game: str) -> None:
    for record in matches(game):
        match = match_report(record)
        scores = [hand["score"] for hand in match["hands"]] + [match["score"]]
        for hand, before, after in zip(match["hands"], scores, scores[1:], strict=False):
            assert hand["result"]
            north_south, east_west = hand["result"]["points"]
            assert after == (before[0] + north_south, before[1] + east_west)
        assert scores[0] == (0, 0)


def test_results_are_those_of_the_record(game: str) -> None:
    for record in matches(game):
        for hand, kept in zip(match_report(record)["hands"], record.hands, strict=True):
            points, tricks, notes = kept.result
            assert hand["result"] == {"points": points, "tricks": tricks, "notes": [*notes]}


def test_hands_are_numbered_from_one_and_the_deal_goes_round(game: str) -> None:
    for record in matches(game):
        for number, hand in enumerate(match_report(record)["hands"]):
            assert hand["number"] == number + 1
            assert hand["dealer"] == SEAT_TOKENS[(record.first_dealer + number) % 4]


def test_only_the_last_hand_of_a_forfeited_match_has_no_result(game: str) -> None:
    for record in forfeited(game):
        *done, broken_off = match_report(record)["hands"]
        assert all(hand["result"] for hand in done)
        assert broken_off["result"] is None


def test_the_last_hand_of_a_forfeited_match_has_all_that_was_done_in_it(game: str) -> None:
    for record in forfeited(game):
        assert record.forfeit
        steps = match_report(record)["hands"][-1]["steps"]
        assert [step["action"] for step in steps] == [act for _, act in record.forfeit.actions]


def test_it_says_which_seat_forfeited(game: str) -> None:
    for record in forfeited(game):
        assert record.forfeit
        assert match_report(record)["forfeited_by"] == SEAT_TOKENS[record.forfeit.seat]
    assert {match_report(record)["forfeited_by"] for record in matches(game)} == {None}


@pytest.mark.parametrize(
    ("room", "called", "seats"), [(0, "open", NAMES), (1, "closed", NAMES[::-1])]
)
def test_in_the_closed_room_the_two_sit_the_other_way(
    room: int, called: str, seats: tuple[str, str]
) -> None:
    match = replay(room, matches("whist")[0], NAMES)
    assert (match["room"], tuple(match["sides"])) == (called, seats)


def test_every_kind_of_step_is_seen() -> None:
    """No check above is empty."""
    steps = [step for game in GAMES for reported in hands(game) for step in reported.hand["steps"]]
    assert {key for step in steps for key in step} == {*StepReport.__annotations__} - {"moves"}
    misdealt = [
        reported
        for reported in hands("euchre, house rules")
        if reported.hand["result"] and "misdeal" in reported.hand["result"]["notes"]
    ]
    assert misdealt
