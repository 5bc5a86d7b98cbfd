"""A sound player of both games, written to be read: begin here, then see the page of each game.

It counts its hand before it calls, remembers which cards are gone, lets its partner's cards win
and wins tricks as cheaply as it can. It draws no lots, so the same view gets the same answer.
"""

import euchre
import whist

import upcard


class Steady(upcard.Bot):
    """Know which game is played; what to do is on the pages `euchre` and `whist`."""

    def bid(self, view: upcard.EuchreView, legal: tuple[upcard.Action, ...]) -> upcard.Action:
        """Pass or make trump."""
        return euchre.call(view, legal)

    def discard(self, view: upcard.EuchreView, _legal: tuple[upcard.Action, ...]) -> upcard.Action:
        """Lay a card away; any of the six may go."""
        return f"discard:{euchre.card_to_discard(view)}"

    def play(self, view: upcard.View, _legal: tuple[upcard.Action, ...]) -> upcard.Action:
        """Lead to a trick, or follow."""
        game = euchre if view.game == "euchre" else whist
        card = game.lead(view) if view.leader == view.seat else game.follow(view)
        return f"play:{card}"


if __name__ == "__main__":
    upcard.run(Steady)
