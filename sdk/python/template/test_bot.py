"""What the bot should do, told as facts; `upcard check` tries the rest."""

import unittest
from types import SimpleNamespace

from bot import Player

import upcard


class Bidding(unittest.TestCase):
    """The first round, with a jack of hearts turned up."""

    def say(self, hand: str) -> str:
        """Ask what the bot says with a hand."""
        view = SimpleNamespace(
            upcard="JH",
            hand=tuple(hand.split()),
            effective_suit=upcard.EUCHRE.effective_suit,
        )
        return Player().bid(view, ("pass", "order_up", "order_up_alone"))

    def test_it_orders_up_with_three_trumps(self) -> None:
        """The left bower is one of them."""
        self.assertEqual(self.say("9H AH JD 9C TC"), "order_up")

    def test_it_passes_with_two(self) -> None:
        """Two are not enough."""
        self.assertEqual(self.say("9H AH QD 9C TC"), "pass")


if __name__ == "__main__":
    unittest.main()
