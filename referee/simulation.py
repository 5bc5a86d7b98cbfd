"""Random legal self-play, and what it adds up to: the measure of a game before any bot exists."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from referee.engine.cards import Action, Seat
from referee.engine.game import Game, State
from referee.engine.record import MatchRecord, SeededDeal, play_match


@dataclass
class Spread:
    """How a whole number spreads: how often it came, its mean, and its range."""

    times: Counter[int] = field(default_factory=Counter)

    def add(self, number: int) -> None:
        """Count a number."""
        self.times[number] += 1

    @property
    def count(self) -> int:
        """How many were counted."""
        return self.times.total()

    @property
    def mean(self) -> float:
        """The mean, or 0 of nothing."""
        total = sum(number * times for number, times in self.times.items())
        return total / self.count if self.count else 0.0

    def share(self, number: int) -> float:
        """Which part of them was this number, or 0 of nothing."""
        return self.times[number] / self.count if self.count else 0.0

    @property
    def least(self) -> int:
        """The least, or 0 of nothing."""
        return min(self.times, default=0)

    @property
    def most(self) -> int:
        """The most, or 0 of nothing."""
        return max(self.times, default=0)


@dataclass
class Summary:
    """What was played so far."""

    game: Game
    first_dealer: Seat
    seed: bytes
    hands_a_match: Spread = field(default_factory=Spread)
    decisions_a_match: Spread = field(default_factory=Spread)
    decisions_a_hand: Spread = field(default_factory=Spread)
    points_a_hand: Spread = field(default_factory=Spread)
    winners_points: Spread = field(default_factory=Spread)
    losers_points: Spread = field(default_factory=Spread)
    wins: Counter[str] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)
    choices: defaultdict[str, Spread] = field(default_factory=lambda: defaultdict(Spread))
    """How many legal actions there were, by decision."""

    def add_decision(self, state: State) -> None:
        """Count the choices of a seat."""
        self.choices[state.decision].add(len(state.legal))

    def add_match(self, record: MatchRecord) -> None:
        """Count a finished match."""
        decisions = [len(hand.actions) for hand in record.hands]
        self.hands_a_match.add(len(decisions))
        self.decisions_a_match.add(sum(decisions))
        for hand, count in zip(record.hands, decisions, strict=True):
            self.decisions_a_hand.add(count)
            self.points_a_hand.add(sum(hand.result.points))
            self.notes.update(hand.result.notes)
        self.winners_points.add(max(record.score))
        self.losers_points.add(min(record.score))
        if record.winner is not None:
            self.wins[self.game.side_names[record.winner]] += 1

    @property
    def spreads(self) -> dict[str, Spread]:
        """The spreads by what they measure, in the order to show them."""
        return {
            "hands a match": self.hands_a_match,
            "decisions a match": self.decisions_a_match,
            "decisions a hand": self.decisions_a_hand,
            "points a hand": self.points_a_hand,
            "winner's points": self.winners_points,
            "loser's points": self.losers_points,
        }

    @property
    def shares(self) -> dict[str, tuple[int, float]]:
        """How many hands each note was made of, and which part of all hands that is."""
        hands = self.decisions_a_hand.count
        return {
            note: (self.notes[note], self.notes[note] / hands if hands else 0.0)
            for note in self.game.notes
        }

    @property
    def branching(self) -> dict[str, Spread]:
        """The choices by decision, in the order they come up in a hand."""
        return {name: self.choices[name] for name in self.game.decisions if name in self.choices}

    def as_json(self) -> dict[str, object]:
        """Return everything as JSON has it."""
        return {
            "game": self.game.name,
            "rules": self.game.rules._asdict(),
            "first_dealer": self.game.seats[self.first_dealer],
            "seed": self.seed.hex(),
            "matches": self.hands_a_match.count,
            "wins": {side: self.wins[side] for side in self.game.side_names},
            "spreads": {name: _spread(spread) for name, spread in self.spreads.items()},
            "notes": {n: {"hands": c, "share": share} for n, (c, share) in self.shares.items()},
            "choices": {
                decision: {**_spread(spread), "forced": spread.share(1)}
                for decision, spread in self.branching.items()
            },
        }

    def as_rows(self) -> list[tuple[object, ...]]:
        """Return everything as a flat table: kind, name, count, mean or share, range, forced."""
        return [
            *(("spread", n, s.count, s.mean, s.least, s.most, "") for n, s in self.spreads.items()),
            *(("note", n, c, share, "", "", "") for n, (c, share) in self.shares.items()),
            *(
                ("choices", n, s.count, s.mean, s.least, s.most, s.share(1))
                for n, s in self.branching.items()
            ),
        ]


def simulate(summary: Summary, matches: int) -> Iterator[MatchRecord]:
    """Play so many matches and add them up; each follows from the seed and its number alone."""
    for number in range(1, matches + 1):
        # Only `random` of Python's generator is the same in every version, so only it is used.
        draw = Random(summary.seed + number.to_bytes(8)).random  # noqa: S311 (no secret)

        def choose(state: State) -> Action:
            summary.add_decision(state)
            return state.legal[int(draw() * len(state.legal))]  # noqa: B023 (used within this turn)

        dealt = SeededDeal(summary.seed, f"simulation {number}")
        record = play_match(summary.game, summary.first_dealer, dealt, choose)
        summary.add_match(record)
        yield record


def _spread(spread: Spread) -> dict[str, object]:
    return {
        "count": spread.count,
        "mean": spread.mean,
        "least": spread.least,
        "most": spread.most,
    }
