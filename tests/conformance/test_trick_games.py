"""What every trick-taking game of the registry keeps.

A game is named here only in `DEALS`, which says how its cards are dealt.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random
from typing import Any, NamedTuple

import pytest

from referee.engine.cards import SEATS, Action, Card, Seat, next_seat
from referee.engine.dealing import decks
from referee.engine.game import Game, HandResult, State
from referee.engine.match import Match
from referee.engine.record import HandRecord, MatchRecord, from_json, to_json
from referee.errors import IllegalAction
from tests.conformance.playing import TRICK_GAMES, Player, deals, matches, states
from tests.table import target_of

HANDS = 60


@pytest.fixture(params=TRICK_GAMES)
def game(request: pytest.FixtureRequest) -> Game:
    return TRICK_GAMES[request.param]


def seen(state: State, seat: int | None) -> Any:  # noqa: ANN401 (each game adds fields of its own)
    return state.view(seat)


def test_hands_come_to_every_kind_of_decision_that_the_rules_leave(game: Game) -> None:
    """The player above reaches them all, so that no check here is empty."""
    seen = {state.decision for state in states(game) if state.actor is not None}
    assert seen == set(game.decisions)


def test_every_listed_action_is_one_the_game_declares(game: Game) -> None:
    for state in states(game):
        assert set(state.legal) <= set(game.actions)


def test_every_trick_is_won_by_a_team(game: Game) -> None:
    for state in states(game):
        if state.result:
            assert sum(state.result.tricks) == len(seen(state, None).tricks)


def test_exactly_one_team_scores_unless_no_trick_was_played(game: Game) -> None:
    for state in states(game):
        if state.result:
            played = sum(state.result.tricks) > 0
            assert sum(points > 0 for points in state.result.points) == played


def test_the_cards_dealt_are_all_different(game: Game) -> None:
    for state, _ in deals(game):
        dealt = [card for seat in SEATS for card in seen(state, seat).hand]
        assert len(set(dealt)) == len(dealt) > 0


def test_a_card_played_leaves_the_hand_and_lies_on_the_table(game: Game) -> None:
    for first, player in deals(game, 12):
        state = first
        while state.actor is not None:
            seat = state.actor
            action = player.choose(state)
            held = set(seen(state, seat).hand)
            state = state.apply(action)
            verb, _, card = action.partition(":")
            if verb == "play":
                view = seen(state, seat)
                assert set(view.hand) == held - {card}
                assert card in view.trick or card in view.tricks[-1].cards


def test_the_leader_is_the_one_to_act_while_the_trick_is_empty(game: Game) -> None:
    for state in states(game):
        view = seen(state, None)
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
        public = seen(state, None)
        for seat in SEATS:
            view = seen(state, seat)
            for field in set(public._fields) - own:
                assert getattr(public, field) == getattr(view, field)


def test_spectators_see_no_hand_no_discard_and_no_choices(game: Game) -> None:
    for state in states(game):
        view = seen(state, None)
        assert (view.hand, view.discard, view.legal) == ((), None, ())


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


class Deal(NamedTuple):
    """How a game deals: what the pages in `docs/rules` say of it."""

    each: int
    """The cards of a seat, dealt in one packet."""
    turned: int
    """The place in the deck of the card dealt face up."""


DEALS = {"euchre": Deal(each=5, turned=20), "whist": Deal(each=13, turned=51)}


class History:
    """A hand as somebody sees it who looks on from behind every seat: cards move, and that is all.

    It follows from the deck and the actions alone; it asks neither the rules nor a view.
    """

    def __init__(self, game: Game, deck: Sequence[Card], dealer: Seat) -> None:
        each, turned = DEALS[game.name]
        packets = [deck[first : first + each] for first in range(0, 4 * each, each)]
        seats = [(dealer + turn) % 4 for turn in (1, 2, 3, 4)]
        self.pack = set(deck)
        self.dealer = dealer
        self.turned = deck[turned]
        self.hands = {seat: set(packet) for seat, packet in zip(seats, packets, strict=True)}
        self.dealt = {seat: frozenset(cards) for seat, cards in self.hands.items()}
        self.discards: dict[Seat, Card] = {}
        self.played: list[Card] = []

    def add(self, seat: Seat, action: Action) -> None:
        verb, _, named = action.partition(":")
        card = Card(named)
        if verb.startswith("order_up"):
            self.hands[self.dealer].add(self.turned)
        elif verb == "discard":
            self.hands[seat].remove(card)
            self.discards[seat] = card
        elif verb == "play":
            self.hands[seat].remove(card)
            self.played.append(card)

    def known_to(self, seat: Seat | None) -> set[Card]:
        """Return the cards a seat has ever seen; those of spectators for None."""
        own = frozenset() if seat is None else self.dealt[seat]
        return {self.turned, *self.played, *own}


class Moment(NamedTuple):
    """A state, and what led to it."""

    state: State
    history: History
    deck: tuple[Card, ...]
    actions: tuple[Action, ...]


def moments(game: Game, number: int = HANDS) -> Iterator[Moment]:
    """Yield every state of some hands, the last one too, with its history."""
    deck_of = decks(game.pack, bytes(32), "hidden")
    for hand in range(number):
        player, deck, dealer = Player(hand), deck_of(hand), hand % 4
        state, history = game.start(deck, dealer), History(game, deck, dealer)
        actions: tuple[Action, ...] = ()
        yield Moment(state, history, deck, actions)
        while state.actor is not None:
            action = player.choose(state)
            history.add(state.actor, action)
            state, actions = state.apply(action), (*actions, action)
            yield Moment(state, history, deck, actions)


@pytest.mark.slow
def test_a_seat_sees_the_cards_it_holds_at_every_moment_and_after_the_hand(game: Game) -> None:
    for state, history, *_ in moments(game):
        for seat in SEATS:
            assert set(seen(state, seat).hand) == history.hands[seat]


@pytest.mark.slow
def test_only_who_discarded_sees_the_discard_at_every_moment_and_after_the_hand(
    game: Game,
) -> None:
    for state, history, *_ in moments(game):
        for seat in (*SEATS, None):
            assert seen(state, seat).discard == (
                None if seat is None else history.discards.get(seat)
            )


@pytest.mark.slow
def test_everybody_sees_every_card_played_and_the_one_turned_up(game: Game) -> None:
    for state, history, *_ in moments(game):
        for seat in (*SEATS, None):
            view = seen(state, seat)
            assert (view.turned, list(view.played)) == (history.turned, history.played)


def cards_shown(view: object) -> set[str]:
    """Find every card in a view, wherever it stands."""
    if isinstance(view, str):
        return {view.rpartition(":")[2]}
    return set().union(*map(cards_shown, view)) if isinstance(view, tuple) else set()


@pytest.mark.slow
def test_no_view_shows_a_card_its_seat_has_not_seen_at_any_moment_or_after_the_hand(
    game: Game,
) -> None:
    for state, history, *_ in moments(game):
        for seat in (*SEATS, None):
            assert cards_shown(seen(state, seat)) & history.pack <= history.known_to(seat)


def test_which_card_is_discarded_shows_in_no_other_view(game: Game) -> None:
    for state, *_ in moments(game):
        if state.legal and state.legal[0].startswith("discard:"):
            after = [state.apply(action) for action in state.legal]
            for seat in (*SEATS, None):
                if seat != state.actor:
                    assert len({seen(other, seat) for other in after}) == 1


def with_two_cards_swapped(game: Game, moment: Moment, one: str, two: str) -> State | None:
    """Play the same hand with two cards in each other's place; None if it cannot have been."""
    swap = {one: two, two: one}
    swapped = tuple(Card(swap.get(card, card)) for card in moment.deck)
    state = game.start(swapped, moment.history.dealer)
    try:
        for action in moment.actions:
            verb, colon, card = action.partition(":")
            state = state.play(Action(verb + colon + swap.get(card, card)))
    except IllegalAction:
        return None
    return state


@pytest.mark.slow
def test_hidden_cards_reshuffled_leave_my_view_and_my_choices_as_they_are(game: Game) -> None:
    """Two cards that nobody showed a seat change places, in the deck and in hidden actions."""
    random = Random(0)
    worlds = 0
    for moment in moments(game, 40):
        for seat in (*SEATS, None):
            hidden = sorted(moment.history.pack - moment.history.known_to(seat))
            if len(hidden) > 1:
                other = with_two_cards_swapped(game, moment, *random.sample(hidden, 2))
                if other is not None:
                    worlds += 1
                    assert seen(other, seat) == seen(moment.state, seat)
    assert worlds > 1000


@pytest.mark.slow
def test_cards_still_hidden_after_the_hand_reshuffled_leave_every_view_as_it_is(
    game: Game,
) -> None:
    """Whatever two of them change places; where every card was played, none is left to."""
    for moment in moments(game, 20):
        if moment.state.result is None:
            continue
        for seat in (*SEATS, None):
            hidden = moment.history.pack - moment.history.known_to(seat)
            for one, two in combinations(sorted(hidden), 2):
                other = with_two_cards_swapped(game, moment, one, two)
                assert other is None or seen(other, seat) == seen(moment.state, seat)


def test_a_match_ends_when_a_team_reaches_the_target(game: Game) -> None:
    for record in matches(game):
        before_last = [
            sum(hand.result.points[team] for hand in record.hands[:-1]) for team in (0, 1)
        ]
        assert max(before_last) < target_of(game) <= max(record.score)


def test_the_winner_is_the_team_at_the_target(game: Game) -> None:
    for record in matches(game):
        match = Match.start(game, record.first_dealer)
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
