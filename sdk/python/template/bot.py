"""my-bot plays euchre and whist: simply for now, and better once you have worked on it."""

import upcard


class Player(upcard.Bot):
    """A player for one match; what it keeps in `self` is its memory of that match."""

    def bid(self, view: upcard.EuchreView, legal: tuple[upcard.Action, ...]) -> upcard.Action:
        """Order up with three trumps; name a suit with three; else pass."""
        if "order_up" in legal and self._trumps(view, view.upcard[1]) >= 3:
            return "order_up"
        names = [action for action in legal if action.startswith("name:")]
        best = max(names, key=lambda name: self._trumps(view, name[-1]), default="pass")
        # A dealer who is stuck may not pass, and then names her best suit.
        if best != "pass" and ("pass" not in legal or self._trumps(view, best[-1]) >= 3):
            return best
        return legal[0]

    def discard(self, view: upcard.EuchreView, _legal: tuple[upcard.Action, ...]) -> upcard.Action:
        """Lay the worst card away."""
        return f"discard:{self._worst(view, view.legal_cards)}"

    def play(self, view: upcard.View, _legal: tuple[upcard.Action, ...]) -> upcard.Action:
        """Win the trick as cheaply as possible, unless partner has it; else throw the worst."""
        takers = [card for card in view.legal_cards if view.takes_trick(card)]
        if not takers or view.partner_is_winning:
            return f"play:{self._worst(view, view.legal_cards)}"
        if not view.trick:
            return f"play:{max(takers, key=view.strength)}"
        return f"play:{self._worst(view, takers)}"

    def _trumps(self, view: upcard.View, trump: upcard.Suit) -> int:
        return sum(view.effective_suit(card, trump) == trump for card in view.hand)

    def _worst(self, view: upcard.View, cards: list[upcard.Card] | tuple[upcard.Card, ...]) -> str:
        """Return the lowest card, and a trump only if there is nothing else."""
        return min(
            cards, key=lambda card: (view.effective_suit(card) == view.trump, view.strength(card))
        )


if __name__ == "__main__":
    upcard.run(Player)
