"""What names a duel of a league, for as long as the league is remembered."""

from typing import NamedTuple


class DuelKey(NamedTuple):
    """Which duel of which pairing; entrants go by their numbers in the league."""

    first: int
    """A, who plays the first side in the first room."""
    second: int
    """B."""
    number: int
    """From 0."""

    def text(self, league: str, game: str) -> str:
        """Return the key its decks are made from: no other duel of any league has the same."""
        return f"{league}/{game}/{self.first}-{self.second}/{self.number + 1}"


def pairing(one: int, other: int) -> tuple[int, int]:
    """Return which of two entrants is A: each is that in half of its pairings."""
    low, high = sorted((one, other))
    return (low, high) if (low + high) % 2 else (high, low)
