"""Which suit a card counts as, which card wins, and who leads."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.engine.cards import SUITS, Action, Card, Suit
from referee.engine.euchre.bowers import PACK, effective_suit, left_bower, strength
from referee.engine.game import State
from referee.errors import IllegalAction
from tests.table import cards_offered, euchre, play, seat, seen, start

SAME_COLOUR = {"C": "S", "S": "C", "D": "H", "H": "D"}
NAME_SPADES = "pass " * 4 + "name:S"


def spades_are_trump(**hands: str) -> State:
    """Return a hand in which North, the eldest, named spades; the nine of hearts was turned up."""
    return play(start(euchre(), "W", "9H", hands), NAME_SPADES)


def winner_of(state: State, trick: str) -> int:
    return int(seen(play(state, trick), "spectator").tricks[-1].winner)


def ladder(trump: str, led: str) -> list[str]:
    """List the cards that can win a trick, highest first, as the rules tell it."""
    trumps = [f"J{trump}", f"J{SAME_COLOUR[trump]}", *(f"{rank}{trump}" for rank in "AKQT9")]
    return [*trumps, *(f"{rank}{led}" for rank in "AKQJT9" if f"{rank}{led}" not in trumps)]


@pytest.mark.parametrize("trump", SUITS)
def test_the_left_bower_is_the_other_jack_of_its_colour(trump: Suit) -> None:
    assert left_bower(trump) == f"J{SAME_COLOUR[trump]}"


@pytest.mark.parametrize("trump", SUITS)
def test_trumps_rank_right_left_ace_king_queen_ten_nine(trump: Suit) -> None:
    trumps = [card for card in PACK.cards if effective_suit(card, trump) == trump]
    ranked = sorted(trumps, key=lambda card: -strength(card, trump))
    assert ranked == ladder(trump, trump)


@pytest.mark.parametrize("trump", SUITS)
def test_the_suit_of_the_left_bower_has_five_cards(trump: Suit) -> None:
    suits = [effective_suit(card, trump) for card in PACK.cards]
    assert suits.count(Suit(SAME_COLOUR[trump])) == 5


def test_the_left_bower_must_be_played_to_a_trump_lead_when_it_is_the_only_trump() -> None:
    state = spades_are_trump(N="9S 9C TC KC AC", E="JC 9D TD KD AD")
    assert cards_offered(play(state, "9S")) == {"JC"}


def test_the_left_bower_does_not_follow_its_printed_suit() -> None:
    state = spades_are_trump(N="9S 9C TC KC AC", E="JC 9D QC KD AD")
    assert cards_offered(play(state, "9C")) == {"QC"}


def test_a_hand_whose_only_card_of_a_suit_is_the_left_bower_is_void_in_it() -> None:
    state = spades_are_trump(N="9S 9C TC KC AC", E="JC 9D TD KD AD")
    assert cards_offered(play(state, "9C")) == {"JC", "9D", "TD", "KD", "AD"}


def test_the_left_bower_led_calls_for_trump() -> None:
    state = spades_are_trump(N="JC 9C TC KC AC", E="QC QS TD KD AD")
    assert cards_offered(play(state, "JC")) == {"QS"}


def test_before_trump_is_made_a_jack_is_just_a_jack() -> None:
    """The same jack is a club when diamonds are trump."""
    state = start(euchre(), "W", "9H", {"N": "9S 9C TC KC AC", "E": "JC 9D TD KD AD"})
    assert cards_offered(play(state, "pass " * 4 + "name:D 9C")) == {"JC"}


def test_the_leader_may_play_any_card() -> None:
    hand = "9S 9C TC KC JC"
    assert cards_offered(spades_are_trump(N=hand)) == set(hand.split())


def test_a_card_of_the_led_suit_must_be_played_if_held() -> None:
    state = spades_are_trump(N="9D 9C TC KC AC", E="TD QD JS AS KH")
    assert cards_offered(play(state, "9D")) == {"TD", "QD"}


def test_nobody_has_to_trump() -> None:
    state = spades_are_trump(N="9D 9C TC KC AC", E="JS AS KH QH TH")
    assert cards_offered(play(state, "9D")) == {"JS", "AS", "KH", "QH", "TH"}


def test_the_highest_card_of_the_led_suit_wins_without_a_trump() -> None:
    state = spades_are_trump(N="9D 9C TC KC QC", E="KD QH TH KH AH", S="AD AC QS KS AS", W="TD 9S")
    assert winner_of(state, "9D KD AD TD") == seat("S")


def test_any_trump_beats_every_card_of_the_led_suit() -> None:
    state = spades_are_trump(N="AD 9C TC KC QC", E="KD QH TH KH AH", S="9S AC QS KS AS", W="TD")
    assert winner_of(state, "AD KD 9S TD") == seat("S")


def test_an_ace_of_a_third_suit_cannot_win() -> None:
    state = spades_are_trump(
        N="9D TD JD QD KD", E="TH JH QH KH AH", S="9C TC QC KC AC", W="9S TS JS QS KS"
    )
    assert winner_of(state, "9D AH AC TS") == seat("W")


def test_the_right_bower_beats_the_left() -> None:
    state = spades_are_trump(N="JC 9C TC KC QC", E="JS QH TH KH AH", S="AS", W="KS")
    assert winner_of(state, "JC JS AS KS") == seat("E")


def test_the_left_bower_beats_the_ace_of_trump() -> None:
    state = spades_are_trump(N="AS 9C TC KC QC", E="JC QH TH KH AH", S="QS", W="KS")
    assert winner_of(state, "AS JC QS KS") == seat("E")


@given(st.permutations(PACK.cards), st.sampled_from(["C", "D", "S"]), st.randoms())
def test_the_winner_is_the_first_on_the_ladder_of_the_rules(
    shuffled: list[Card], trump: str, random: Random
) -> None:
    """Every trick of a hand played at random, against a list written from the rules."""
    turned = next(card for card in shuffled if card[1] == "H")
    deck = [card for card in shuffled if card != turned]
    deck.insert(20, turned)
    state = play(euchre().start(deck, 3), "pass " * 4 + f"name:{trump}")
    while state.actor is not None:
        state = state.apply(random.choice(state.legal))
    for trick in seen(state, "spectator").tricks:
        led = trump if trick.cards[0] == left_bower(Suit(trump)) else trick.cards[0][1]
        best = next(card for card in ladder(trump, led) if card in trick.cards)
        assert (trick.winner - trick.leader) % 4 == trick.cards.index(best)


def test_eldest_leads_to_the_first_trick() -> None:
    assert spades_are_trump().actor == seat("N")


def test_the_winner_leads_to_the_next_trick() -> None:
    state = spades_are_trump(N="9D 9C TC KC QC", E="KD QH TH KH AH", S="AD AC QS KS AS", W="TD 9S")
    assert play(state, "9D KD AD TD").actor == seat("S")


@pytest.mark.parametrize(("maker", "leader"), [(0, "N"), (1, "N"), (2, "E"), (3, "N")])
def test_the_seat_after_eldest_leads_when_eldest_sits_out(maker: int, leader: str) -> None:
    """West deals, so North is eldest; she sits out when South (seat 2) goes alone."""
    state = play(start(euchre(), "W", "9H"), "pass " * (4 + maker) + "name_alone:S")
    assert state.actor == seat(leader)


@pytest.mark.parametrize("maker", range(4))
def test_the_makers_partner_never_acts_when_the_maker_is_alone(maker: int) -> None:
    state = play(start(euchre(), "W", "9H"), "pass " * (4 + maker) + "name_alone:S")
    actors = set()
    while state.actor is not None:
        actors.add(state.actor)
        state = state.apply(state.legal[0])
    assert actors == {0, 1, 2, 3} - {(maker + 2) % 4}


def test_a_trick_has_three_cards_when_the_maker_is_alone() -> None:
    state = play(start(euchre(), "W", "9H"), "pass " * 4 + "name_alone:S")
    for _ in range(15):
        assert state.result is None
        state = state.apply(state.legal[0])
    assert state.result is not None


def test_all_five_tricks_are_played_though_three_decide() -> None:
    """North and South take every trick; the hand goes on to the last card."""
    state = spades_are_trump(N="JS JC AS KS QS", E="9C TC QC KC AC")
    for count in range(20):
        assert state.result is None, f"over after {count} cards"
        state = state.apply(state.legal[0])
    assert state.result is not None


def test_a_card_of_another_seat_is_refused() -> None:
    state = spades_are_trump(N="JS JC AS KS QS", E="9C TC QC KC AC")
    with pytest.raises(IllegalAction):
        state.apply(Action("play:9C"))


def test_a_revoke_is_refused_and_play_does_not_advance() -> None:
    state = play(spades_are_trump(N="9D 9C TC KC AC", E="TD QD JS AS KH"), "9D")
    with pytest.raises(IllegalAction):
        state.play(Action("play:JS"))
    assert (state.actor, cards_offered(state)) == (seat("E"), {"TD", "QD"})


def test_a_state_to_which_a_card_is_applied_keeps_its_own_trick() -> None:
    state = play(spades_are_trump(N="9D 9C TC KC AC"), "9D")
    state.apply(state.legal[0])
    assert seen(state, "spectator").trick == ("9D",)


def test_a_state_to_which_the_last_card_of_a_trick_is_applied_keeps_the_leader() -> None:
    state = play(spades_are_trump(N="9D 9C TC KC AC", E="KD", S="AD", W="TD"), "9D KD AD")
    state.apply(Action("play:TD"))
    assert seen(state, "spectator").leader == seat("N")


def test_nothing_can_be_played_when_the_hand_is_over() -> None:
    state = spades_are_trump()
    for _ in range(20):
        state = state.apply(state.legal[0])
    with pytest.raises(IllegalAction, match="the hand is over"):
        state.apply(Action("pass"))
