"""Steady's whist: draw trumps when long, lead from length, second hand low, third hand high."""

from table_sense import cheapest, from_shortest, is_master, is_ruff

from upcard import Card, View


def lead(view: View) -> Card:
    """Draw trumps if long in them, cash what cannot lose, return partner's suit, or lead length."""
    trumps = view.holding(view.trump)
    side = [card for card in view.hand if card not in trumps]
    if not side or _should_draw(view, trumps):
        return trumps[0] if is_master(view, trumps[0]) else trumps[-1]
    masters = [card for card in side if is_master(view, card) and not _may_be_ruffed(view, card)]
    if masters:
        return from_shortest(view, masters)
    partners = _partners_suit(view)
    if partners:
        return partners[0]
    return _longest(view)[-1]


def _should_draw(view: View, trumps: tuple[Card, ...]) -> bool:
    """Take the others' trumps away when they do not have twice as many."""
    return len(trumps) >= 3 and 0 < len(view.still_out(view.trump)) <= 2 * len(trumps)


def _may_be_ruffed(view: View, card: Card) -> bool:
    opponents = (view.seat + 1) % 4, (view.seat + 3) % 4
    if not view.still_out(view.trump):
        return False
    return any(card[1] in view.void_suits(seat) for seat in opponents)


def _partners_suit(view: View) -> tuple[Card, ...]:
    """Return our cards of the side suit partner led first: it is likely to be her longest."""
    for trick in view.tricks:
        if trick.leader == view.partner:
            suit = trick.cards[0][1]
            return view.holding(suit) if suit != view.trump else ()
    return ()


def _longest(view: View) -> tuple[Card, ...]:
    side_suits = (suit for suit in "CDHS" if suit != view.trump)
    return max(map(view.holding, side_suits), key=len)


def follow(view: View) -> Card:
    """Leave the trick to partner if it is hers; else win it as our place in the trick asks."""
    takers = [card for card in view.legal_cards if view.takes_trick(card)]
    if not takers or _is_partners(view):
        return cheapest(view, view.legal_cards)
    if view.last_to_play or is_ruff(view, takers[0]):
        return cheapest(view, takers)
    masters = [card for card in takers if is_master(view, card)]
    if masters:
        return masters[0]
    if len(view.trick) == 1:
        return cheapest(view, view.legal_cards)  # second hand low
    return _third_hand_high(view, takers)


def _is_partners(view: View) -> bool:
    card = view.winning_card
    if card is None or not view.partner_is_winning:
        return False
    return view.last_to_play or is_master(view, card)


def _third_hand_high(view: View, takers: list[Card]) -> Card:
    """Play our best, unless partner's own card is next to it and does as well."""
    best = max(takers, key=view.strength)
    partners = view.winning_card if view.partner_is_winning else None
    if partners and view.strength(best) == view.strength(partners) + 1:
        return cheapest(view, view.legal_cards)
    return best
