"""Steady's euchre: count the hand, call on a good count, draw trump as makers, else cash aces."""

from table_sense import cheapest, from_shortest, is_master, is_ruff

from upcard import Action, Card, EuchreView, Suit, View

# Counting a hand: about how many tenths of a trick a card is worth to the maker. Trumps stand in
# the order of `view.strength`: 9 T J Q K A, left bower, right bower. A jack of trump's colour is a
# bower, so the third number is never used.
TRUMPS = (4, 4, 0, 4, 5, 6, 7, 11)
SIDE_ACE = 4
VOID = 2

# The count it takes to order up. The dealer gets the upcard, so her side needs less.
ORDER_UP = {"dealer": 19, "partner": 15, "opponent": 24}
# The count it takes to name a suit: those who passed before are weak.
NAME = 15
# The count it takes to go alone, when all five tricks are likely.
ALONE = 26
# A side one point from losing has little to lose, and calls on so much less.
LAST_CHANCE = 3


def call(view: EuchreView, legal: tuple[Action, ...]) -> Action:
    """Speak in either round: pass, or make trump if the hand is good enough."""
    count, needed, verb, suit = _first_round(view) if len(view.calls) < 4 else _second_round(view)
    if view.score.them == view.target - 1:
        needed -= LAST_CHANCE
    plain, alone = verb + suit, verb + "_alone" + suit
    if count >= ALONE and alone in legal:
        return alone
    # A stuck dealer must name something. House rules may let a partner order up only alone.
    if plain in legal and (count >= needed or "pass" not in legal):
        return plain
    return "pass"


def _first_round(view: EuchreView) -> tuple[int, int, str, str]:
    trump = view.upcard[1]
    if view.seat == view.dealer:
        six = (*view.hand, view.upcard)
        best = max(count_hand(view, _without(six, card), trump) for card in six)
        return best, ORDER_UP["dealer"], "order_up", ""
    who = "partner" if view.partner == view.dealer else "opponent"
    return count_hand(view, view.hand, trump), ORDER_UP[who], "order_up", ""


def _second_round(view: EuchreView) -> tuple[int, int, str, str]:
    open_suits = [suit for suit in "CDHS" if suit != view.upcard[1]]
    count, suit = max((count_hand(view, view.hand, suit), suit) for suit in open_suits)
    return count, NAME, "name", f":{suit}"


def count_hand(view: EuchreView, cards: tuple[Card, ...], trump: Suit | None) -> int:
    """Count what cards are worth to the maker if a suit is trump."""
    trumps = [card for card in cards if view.effective_suit(card, trump) == trump]
    side = [card for card in cards if card not in trumps]
    strong = sum(TRUMPS[view.strength(card, trump)] for card in trumps)
    aces = sum(card[0] == "A" for card in side)
    voids = 3 - len({card[1] for card in side}) if trumps else 0
    return strong + SIDE_ACE * aces + VOID * voids


def _without(cards: tuple[Card, ...], away: Card) -> tuple[Card, ...]:
    return tuple(card for card in cards if card != away)


def card_to_discard(view: EuchreView) -> Card:
    """Keep the five cards that count most: that makes voids. Of equal cards the lowest goes."""

    def keeping(away: Card) -> tuple[int, int]:
        return count_hand(view, _without(view.hand, away), view.trump), -view.strength(away)

    return max(view.hand, key=keeping)


def lead(view: View) -> Card:
    """Draw trump as makers; else cash a card nothing can beat, or lead high from a short suit."""
    trumps = view.holding(view.trump)
    side = [card for card in view.hand if card not in trumps]
    if not side or (trumps and _should_draw(view, trumps)):
        return trumps[0]
    masters = [card for card in side if is_master(view, card)]
    return from_shortest(view, masters or side)


def _should_draw(view: View, trumps: tuple[Card, ...]) -> bool:
    """Take the defenders' trumps away: the maker with two or the highest, partner to begin with."""
    if not view.still_out(view.trump):
        return False
    if view.maker == view.seat:
        return len(trumps) >= 2 or is_master(view, trumps[0])
    return view.maker == view.partner and not view.tricks


def follow(view: View) -> Card:
    """Leave the trick to partner if it is hers; else win it cheaply, if it is likely to hold."""
    takers = [card for card in view.legal_cards if view.takes_trick(card)]
    if not takers or _is_partners(view):
        return cheapest(view, view.legal_cards)
    masters = [card for card in takers if is_master(view, card)]
    if masters and not view.last_to_play and not is_ruff(view, takers[0]):
        return cheapest(view, masters)
    if view.last_to_play or is_ruff(view, takers[0]) or len(view.trick) == 2:
        return cheapest(view, takers)
    # Second to play and unable to make sure of it: partner is still to come.
    return cheapest(view, view.legal_cards)


def _is_partners(view: View) -> bool:
    """Say whether partner's card is likely to win: it is last, unbeatable, or a king or better."""
    card = view.winning_card
    if card is None or not view.partner_is_winning:
        return False
    return view.last_to_play or is_master(view, card) or view.strength(card) >= 4
