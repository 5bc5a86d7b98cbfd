"""What the bot should do, told as facts; `upcard check` tries the rest."""

import unittest

from bot import Player

from upcard.testing import ask, situation


class Bidding(unittest.TestCase):
    """The first round, with a jack of hearts turned up."""

    def say(self, hand: str) -> str:
        """Ask what the bot says with a hand."""
        return ask(Player, situation(hand=hand, upcard="JH"))

    def test_it_orders_up_with_three_trumps(self) -> None:
        """The left bower is one of them."""
        self.assertEqual(self.say("9H AH JD 9C TC"), "order_up")

    def test_it_passes_with_two(self) -> None:
        """Two are not enough."""
        self.assertEqual(self.say("9H AH QD 9C TC"), "pass")


class Discarding(unittest.TestCase):
    """West, who dealt, took the upcard."""

    def test_it_keeps_its_trumps(self) -> None:
        """The lowest of the other cards goes."""
        view = situation(hand="TC AD 9H TH QH KS", upcard="QH", calls="order_up")
        self.assertEqual(ask(Player, view), "discard:TC")


class Playing(unittest.TestCase):
    """Hearts are trump, and North leads: West is the dealer, if no other is told."""

    def test_a_trick_is_won_as_cheaply_as_it_can_be(self) -> None:
        """The jack is enough."""
        view = situation(hand="9C JC KC", trump="H", played="TC")
        self.assertEqual(ask(Player, view), "play:JC")

    def test_partners_trick_is_left_to_her(self) -> None:
        """North's king is winning it."""
        view = situation(hand="TC AC", trump="H", played="KC 9C")
        self.assertEqual(ask(Player, view), "play:TC")


if __name__ == "__main__":
    unittest.main()
