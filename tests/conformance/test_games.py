"""What every game keeps, whatever its rules. No game is named here: they come from the registry."""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any

import pytest

from referee.engine.cards import SEATS, Action, Card, next_seat
from referee.engine.dealing import decks
from referee.engine.game import Game, HandResult, State
from referee.engine.match import Match
from referee.engine.options import Switch, text
from referee.engine.record import (
    HandRecord,
    MatchRecord,
    SeededDeal,
    from_json,
    play_match,
    replay,
    to_json,
)
from referee.engine.registry import PRESETS
from referee.errors import ConfigError, IllegalAction

HANDS = 60
MATCHES = 12


def _variants() -> dict[Game, str]:
    """Give every preset as it is, and with each of its options at its other values; none twice."""
    named: dict[Game, str] = {}
    for preset in PRESETS.values():
        named.setdefault(preset.game(), preset.name)
        for option in preset.kind.options:
            others = (True, False) if isinstance(option, Switch) else (option.least, 15)
            for value in others:
                with suppress(ConfigError):  # it contradicts another of the preset's
                    game = preset.game({option.name: value})
                    named.setdefault(game, f"{preset.name} {option.name}={text(value)}")
    return named


VARIANTS = {name: game for game, name in _variants().items()}


@pytest.fixture(params=VARIANTS)
def game(request: pytest.FixtureRequest) -> Game:
    return VARIANTS[request.param]


class Player(Random):
    """Chooses at random; one in three players is shy, and mostly takes what is listed first.

    That takes hands to corners (everybody passes) where chance alone hardly ever comes.
    """

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self._shyness = 0.95 if number % 3 == 0 else 0.0

    def choose(self, state: State) -> Action:
        return state.legal[0] if self.random() < self._shyness else self.choice(state.legal)


def deals(game: Game, number: int = HANDS) -> Iterator[tuple[State, Player]]:
    """Deal so many hands from each dealer in turn, each with a player."""
    deck_of = decks(game.pack, bytes(32), "conformance")
    for hand in range(number):
        yield game.start(deck_of(hand), hand % 4), Player(hand)


def states(game: Game, number: int = HANDS) -> Iterator[State]:
    """Give every state of some hands played at random."""
    for first, player in deals(game, number):
        state = first
        yield state
        while state.actor is not None:
            state = state.apply(player.choose(state))
            yield state


def matches(game: Game) -> Iterator[MatchRecord]:
    for number in range(MATCHES):
        dealt = SeededDeal(bytes(32), str(number))
        yield play_match(game, number % 4, dealt, Player(number).choose)


def views(state: State) -> list[Any]:
    return [state.view(seat) for seat in (*SEATS, None)]


def test_hands_come_to_every_kind_of_decision_that_the_rules_leave(game: Game) -> None:
    """The player above reaches them all, so that no check here is empty."""
    seen = {state.decision for state in states(game) if state.actor is not None}
    assert seen == set(game.decisions)


def test_somebody_acts_until_the_hand_is_over(game: Game) -> None:
    for state in states(game):
        assert (state.actor in SEATS) == (state.result is None) == bool(state.legal)


def test_a_hand_ends_within_the_bound_it_declares(game: Game) -> None:
    for first, player in deals(game):
        state = first
        for _ in range(game.longest_hand):
            if state.actor is not None:
                state = state.play(player.choose(state))
        assert state.result is not None


def test_every_action_that_is_not_listed_is_refused(game: Game) -> None:
    for state in states(game, 4):
        for action in set(game.actions) - set(state.legal):
            with pytest.raises(IllegalAction):
                state.apply(action)


def test_a_refused_action_changes_nothing(game: Game) -> None:
    for state in states(game, 4):
        before = views(state)
        for action in set(game.actions) - set(state.legal):
            with pytest.raises(IllegalAction):
                state.play(action)
        assert views(state) == before


@pytest.mark.parametrize("told", ["", "play", "play:", "play:1C", "PASS", "pass ", "play:9c"])
def test_what_is_no_action_of_the_game_is_refused(game: Game, told: str) -> None:
    for state in states(game, 2):
        with pytest.raises(IllegalAction):
            state.apply(Action(told))


def test_every_listed_action_is_one_the_game_declares(game: Game) -> None:
    for state in states(game):
        assert set(state.legal) <= set(game.actions)


def test_no_action_is_listed_twice(game: Game) -> None:
    for state in states(game):
        assert len(set(state.legal)) == len(state.legal)


def test_apply_leaves_the_state_as_it_was(game: Game) -> None:
    for state in states(game, 12):
        before = views(state)
        for action in state.legal:
            state.apply(action)
        assert views(state) == before


def test_play_in_place_gives_what_apply_gives(game: Game) -> None:
    for first, player in deals(game):
        pure, in_place = first, first.copy()
        while pure.actor is not None:
            action = player.choose(pure)
            pure, in_place = pure.apply(action), in_place.play(action)
            assert views(pure) == views(in_place)


def test_a_copy_played_on_does_not_touch_the_original(game: Game) -> None:
    for state in states(game, 12):
        before = views(state)
        other = state.copy()
        while other.actor is not None:
            other = other.play(other.legal[-1])
        assert views(state) == before


def test_every_decision_is_of_a_kind_the_game_declares_and_after_the_hand_none_is(
    game: Game,
) -> None:
    for state in states(game):
        assert (state.decision in game.decisions) == (state.actor is not None)


def test_every_note_is_one_the_game_declares(game: Game) -> None:
    for state in states(game):
        assert state.result is None or set(state.result.notes) <= set(game.notes)


def test_every_trick_is_won_by_a_team(game: Game) -> None:
    for state in states(game):
        if state.result:
            assert sum(state.result.tricks) == len(state.view(None).tricks)


def test_exactly_one_team_scores_unless_no_trick_was_played(game: Game) -> None:
    for state in states(game):
        if state.result:
            played = sum(state.result.tricks) > 0
            assert sum(points > 0 for points in state.result.points) == played


def test_the_cards_dealt_are_all_different(game: Game) -> None:
    for state, _ in deals(game):
        dealt = [card for seat in SEATS for card in state.view(seat).hand]
        assert len(set(dealt)) == len(dealt) > 0


def test_a_card_played_leaves_the_hand_and_lies_on_the_table(game: Game) -> None:
    for first, player in deals(game, 12):
        state = first
        while state.actor is not None:
            seat = state.actor
            action = player.choose(state)
            held = set(state.view(seat).hand)
            state = state.apply(action)
            verb, _, card = action.partition(":")
            if verb == "play":
                view = state.view(seat)
                assert set(view.hand) == held - {card}
                assert card in view.trick or card in view.tricks[-1].cards


def test_the_leader_is_the_one_to_act_while_the_trick_is_empty(game: Game) -> None:
    for state in states(game):
        view = state.view(None)
        if view.leader is not None and not view.trick:
            assert view.leader == view.actor


def test_every_action_comes_back_from_a_record_as_it_went_in(game: Game) -> None:
    actions = tuple((number % 4, action) for number, action in enumerate(game.actions))
    hand = HandRecord(0, actions, HandResult((0, 0), (0, 0), game.notes))
    record = MatchRecord(game, 0, (game.pack,), (hand,), (0, 0))
    assert from_json(to_json(record)) == record


def test_spectators_see_nothing_that_a_seat_does_not(game: Game) -> None:
    own = {"seat", "hand", "discard", "legal"}
    for state in states(game, 12):
        public: Any = state.view(None)
        for seat in SEATS:
            view = state.view(seat)
            for field in set(public._fields) - own:
                assert getattr(public, field) == getattr(view, field)


def test_spectators_see_no_hand_no_discard_and_no_choices(game: Game) -> None:
    for state in states(game):
        view = state.view(None)
        assert (view.hand, view.discard, view.legal) == ((), None, ())


def test_only_the_seat_to_act_sees_its_choices(game: Game) -> None:
    for state in states(game):
        for seat in SEATS:
            assert state.view(seat).legal == (state.legal if seat == state.actor else ())


def test_turning_the_table_by_a_seat_turns_the_hand_and_changes_nothing_else(game: Game) -> None:
    deck_of = decks(game.pack, bytes(32), "turned")
    for hand in range(HANDS):
        player = Player(hand)
        here, there = (game.start(deck_of(hand), (hand + turn) % 4) for turn in (0, 1))
        while here.actor is not None:
            assert (next_seat(here.actor), here.legal) == (there.actor, there.legal)
            action = player.choose(here)
            here, there = here.play(action), there.play(action)
        assert here.result is not None
        assert there.result == (
            here.result.points[::-1],
            here.result.tricks[::-1],
            here.result.notes,
        )


def cards_shown(view: object) -> set[str]:
    """Find every card in a view, wherever it stands."""
    if isinstance(view, str):
        return {view.rpartition(":")[2]}
    return set().union(*map(cards_shown, view)) if isinstance(view, tuple) else set()


def with_two_cards_swapped(
    game: Game, deck: tuple[Card, ...], dealer: int, actions: list[Action], one: str, two: str
) -> State | None:
    """Play the same hand with two cards in each other's place; None if it cannot have been."""
    swap = {one: two, two: one}
    swapped = tuple(Card(swap.get(card, card)) for card in deck)
    state = game.start(swapped, dealer)
    try:
        for action in actions:
            verb, colon, card = action.partition(":")
            state = state.apply(Action(verb + colon + swap.get(card, card)))
    except IllegalAction:
        return None
    return state


def test_hidden_cards_reshuffled_leave_my_view_and_my_choices_as_they_are(game: Game) -> None:
    """Two cards that a seat has not seen change places, in the deck and in hidden actions."""
    deck_of = decks(game.pack, bytes(32), "hidden")
    worlds = 0
    for hand in range(40):
        player = Player(hand)
        deck, dealer = deck_of(hand), hand % 4
        state, actions = game.start(deck, dealer), list[Action]()
        while state.actor is not None:
            for seat in SEATS:
                view = state.view(seat)
                unseen = sorted(set(game.pack) - cards_shown(view))
                if len(unseen) < 2:
                    continue
                other = with_two_cards_swapped(
                    game, deck, dealer, actions, *player.sample(unseen, 2)
                )
                if other is not None:
                    worlds += 1
                    assert other.view(seat) == view
            actions.append(player.choose(state))
            state = state.apply(actions[-1])
    assert worlds > 1000


def test_a_match_ends_when_a_team_reaches_the_target(game: Game) -> None:
    for record in matches(game):
        before_last = [
            sum(hand.result.points[team] for hand in record.hands[:-1]) for team in (0, 1)
        ]
        assert max(before_last) < game.rules.target <= max(record.score)


def test_a_match_ends_within_the_bound_it_declares(game: Game) -> None:
    for record in matches(game):
        assert len(record.hands) <= game.longest_match


def test_the_score_is_the_sum_of_the_hands_uncapped(game: Game) -> None:
    for record in matches(game):
        for team in (0, 1):
            assert sum(hand.result.points[team] for hand in record.hands) == record.score[team]


def test_the_first_dealer_is_the_one_asked_for(game: Game) -> None:
    assert [record.hands[0].dealer for record in matches(game)] == [n % 4 for n in range(MATCHES)]


def test_the_deal_passes_to_the_left_after_every_hand(game: Game) -> None:
    for record in matches(game):
        for hand, following in zip(record.hands, record.hands[1:], strict=False):
            assert following.dealer == next_seat(hand.dealer)


def test_a_record_read_back_is_the_record_written(game: Game) -> None:
    for record in matches(game):
        assert from_json(to_json(record)) == record


def test_a_record_replays_to_the_same_results(game: Game) -> None:
    for record in matches(game):
        results = [hand.last.result for hand in replay(record)]
        assert results == [hand.result for hand in record.hands]


def test_the_winner_is_the_team_at_the_target(game: Game) -> None:
    for record in matches(game):
        match = Match(game, record.first_dealer)
        for hand in record.hands:
            assert match.winner is None
            match = match.after(hand.result)
        assert match.winner == record.score.index(max(record.score))


def test_every_action_that_is_not_a_play_has_words(game: Game) -> None:
    assert all(game.say(action) and ":" not in game.say(action) for action in game.actions)


def totals(game: Game, record: MatchRecord) -> tuple[Counter[str], Counter[str]]:
    """Add up what each team did in a match."""
    both = Counter[str](), Counter[str]()
    for hand in record.hands:
        for total, tally in zip(both, game.tally(hand), strict=True):
            total.update(tally)
    return both


def test_every_word_of_a_tally_is_one_the_game_declares(game: Game) -> None:
    told = {word for record in matches(game) for total in totals(game, record) for word in total}
    assert {"hands", "tricks", "points"} <= told <= set(game.counted)


def test_no_word_is_declared_twice(game: Game) -> None:
    assert len(set(game.counted)) == len(game.counted)


def test_a_figure_divides_what_is_counted_by_what_is_counted(game: Game) -> None:
    told = {word for figure in game.figures for word in (figure.counted, figure.over)}
    assert told
    assert told <= set(game.counted)


def test_no_share_is_of_more_than_all(game: Game) -> None:
    totals_of_teams = [totals(game, record) for record in matches(game)]
    for own, other in totals_of_teams:
        for figure in game.figures:
            if figure.is_share:
                assert (
                    0 <= own[figure.counted] <= (other if figure.over_theirs else own)[figure.over]
                )


def test_both_teams_count_every_hand_once(game: Game) -> None:
    for record in matches(game):
        assert [total["hands"] for total in totals(game, record)] == [len(record.hands)] * 2


def test_what_one_team_wins_in_a_hand_the_other_loses(game: Game) -> None:
    for record in matches(game):
        for own, other in map(game.tally, record.hands):
            assert own["points"] == -other["points"]


def test_the_points_of_the_hands_add_up_to_the_lead_at_the_end(game: Game) -> None:
    for record in matches(game):
        north_south, east_west = record.score
        assert totals(game, record)[0]["points"] == north_south - east_west


def test_every_trick_is_counted_for_the_team_that_took_it(game: Game) -> None:
    for record in matches(game):
        for team, total in enumerate(totals(game, record)):
            assert total["tricks"] == sum(hand.result.tricks[team] for hand in record.hands)


def test_turning_the_table_by_a_seat_turns_the_tally(game: Game) -> None:
    for record in matches(game):
        for hand in record.hands:
            turned = HandRecord(
                next_seat(hand.dealer),
                tuple((next_seat(seat), action) for seat, action in hand.actions),
                HandResult(hand.result.points[::-1], hand.result.tricks[::-1], hand.result.notes),
            )
            assert game.tally(turned) == game.tally(hand)[::-1]
