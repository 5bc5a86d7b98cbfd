"""Random legal self-play, and what it adds up to: the measure of a game before any bot exists."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final, NamedTuple

from referee.engine.cards import Action, Seat
from referee.engine.game import Game, State
from referee.engine.record import HandRecord, MatchRecord, SeededDeal, play_match
from referee.errors import GameError
from referee.spread import Interval, Spread, Wins

_BINS: Final = 20
"""How many stretches a hand is cut into, at most, to show the choices along it."""
_USUAL: Final = 0.95
"""Which part of the hands is not longer than those stretches; the last one has no end."""


class Stretch(NamedTuple):
    """The choices at some decisions of a hand that follow each other."""

    first: int
    """The number of the first decision in its hand, from 1."""
    last: int | None
    """The number of the last one; None for all that follow."""
    choices: Spread

    @property
    def name(self) -> str:
        """Which decisions these are, in words."""
        if self.last is None:
            return f"from {self.first}"
        return str(self.first) if self.first == self.last else f"{self.first} to {self.last}"


@dataclass
class SimulatedPlayer:
    """What became of one of the players of a hand, counted from the dealer's left."""

    number: int
    """1 is the first player, and the last one deals."""
    decisions: Spread = field(default_factory=Spread)
    """How many she had in a hand."""
    points: Spread = field(default_factory=Spread)
    """What her side scored in a hand."""
    wins: Wins = field(default_factory=Wins)
    """Of hands: the side with the most points wins."""


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
    """How many matches each side won; one that ends level is nobody's."""
    notes: Counter[str] = field(default_factory=Counter)
    choices: defaultdict[str, Spread] = field(default_factory=lambda: defaultdict(Spread))
    """How many legal actions there were, by decision."""
    players: list[SimulatedPlayer] = field(init=False)
    """By their order in a hand."""
    sides: list[Wins] = field(init=False)
    """The matches that each side won."""
    _nth: list[Spread] = field(default_factory=list)
    """How many legal actions there were, by the number of the decision in its hand."""

    def __post_init__(self) -> None:
        """Begin with no player having played."""
        self.players = [
            SimulatedPlayer(number) for number, _ in enumerate(self.game.seats, start=1)
        ]
        self.sides = [Wins() for _ in self.game.side_names]

    def add_match(self, record: MatchRecord, choices: Sequence[int]) -> None:
        """Count a finished match, and how many legal actions there were at each decision."""
        decisions = [len(hand.actions) for hand in record.hands]
        self.hands_a_match.add(len(decisions))
        self.decisions_a_match.add(sum(decisions))
        self.winners_points.add(max(record.score))
        self.losers_points.add(min(record.score))
        for side, place in enumerate(record.places):
            self.sides[side].add(place, record.places.count(0))
        if record.winner is not None:
            self.wins[self.game.side_names[record.winner]] += 1
        done = 0
        for hand, count in zip(record.hands, decisions, strict=True):
            self._add_hand(hand)
            self._add_along(choices[done : done + count])
            done += count

    def _add_hand(self, hand: HandRecord) -> None:
        game, points = self.game, hand.result.points
        self.decisions_a_hand.add(len(hand.actions))
        self.points_a_hand.add(sum(points))
        self.notes.update(hand.result.notes)
        acted = Counter(seat for seat, _ in hand.actions)
        most = max(points)
        for number, player in enumerate(self.players, start=1):
            seat = (hand.dealer + number) % len(game.seats)
            own = points[game.sides[seat]]
            player.decisions.add(acted[seat])
            player.points.add(own)
            player.wins.add(int(own < most), points.count(most))

    def _add_along(self, choices: Sequence[int]) -> None:
        self._nth += [Spread() for _ in range(len(choices) - len(self._nth))]
        for spread, count in zip(self._nth, choices, strict=False):
            spread.add(count)

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

    @property
    def stretches(self) -> list[Stretch]:
        """The choices along a hand, from its first decision to its last."""
        longest = len(self._nth)
        width = max(1, -(-self.decisions_a_hand.within(_USUAL) // _BINS))
        found = []
        for start in range(0, min(longest, _BINS * width), width):
            end = min(start + width, longest)
            is_last = start + width >= _BINS * width and longest > end
            found.append(Stretch(start + 1, None if is_last else end, Spread()))
            for spread in self._nth[start : longest if is_last else end]:
                found[-1].choices.take(spread)
        return found

    @property
    def fair_share(self) -> float:
        """What each side would win if it made no difference where anybody sits."""
        return 1 / len(self.sides)

    @property
    def first_advantage(self) -> Interval:
        """By how much the side of the first player wins more of the hands than its fair share."""
        return self.players[0].wins.interval.less(self.fair_share)

    def as_json(self) -> dict[str, object]:
        """Return everything as JSON has it."""
        return {
            "game": self.game.name,
            "rules": self.game.rules._asdict(),
            "first_dealer": self.game.seats[self.first_dealer],
            "seed": self.seed.hex(),
            "matches": self.hands_a_match.count,
            "wins": {side: self.wins[side] for side in self.game.side_names},
            "spreads": {name: spread.summary for name, spread in self.spreads.items()},
            "notes": {n: {"hands": c, "share": share} for n, (c, share) in self.shares.items()},
            "choices": {
                decision: {**spread.summary, "forced": spread.share(1)}
                for decision, spread in self.branching.items()
            },
            "branching": [
                {"first": each.first, "last": each.last, **each.choices.summary}
                for each in self.stretches
            ],
            "players": [
                {
                    "player": player.number,
                    "decisions": player.decisions.summary,
                    "points": {**player.points.summary, **player.points.interval._asdict()},
                    "wins": player.wins.interval._asdict(),
                }
                for player in self.players
            ],
            "sides": {
                name: wins.interval._asdict()
                for name, wins in zip(self.game.side_names, self.sides, strict=True)
            },
            "first_advantage": self.first_advantage._asdict(),
        }

    def as_rows(self) -> list[tuple[object, ...]]:
        """Return everything as a flat table: kind, name, count, mean or share, range, forced.

        Two columns follow: the ends of the 95 % interval of the mean or the share.
        """
        return [
            *(("spread", n, *_row(s), "", "", "") for n, s in self.spreads.items()),
            *(("note", n, c, share, "", "", "", "", "") for n, (c, share) in self.shares.items()),
            *(("choices", n, *_row(s), s.share(1), "", "") for n, s in self.branching.items()),
            *(
                ("branching", each.name, *_row(each.choices), each.choices.share(1), "", "")
                for each in self.stretches
            ),
            *(
                row
                for player in self.players
                for row in (
                    ("decisions", player.number, *_row(player.decisions), "", "", ""),
                    (
                        "points",
                        player.number,
                        *_row(player.points),
                        "",
                        *player.points.interval[1:],
                    ),
                    ("hands won", player.number, *_wins(player.wins)),
                )
            ),
            *(
                ("matches won", name, *_wins(wins))
                for name, wins in zip(self.game.side_names, self.sides, strict=True)
            ),
        ]


def dealt_as(number: int) -> str:
    """Return the duel key under which a match of random play is dealt."""
    return f"simulation {number}"


def random_draw(seed: bytes, number: int) -> Callable[[int], int]:
    """Return what draws below a number, over and over, for one match of random play."""
    # Only `random` of Python's generator is the same in every version, so only it is used.
    draw = Random(seed + number.to_bytes(8)).random  # noqa: S311 (no secret)
    return lambda count: int(draw() * count)


def simulate(
    summary: Summary, matches: int, before: Callable[[], None] = lambda: None
) -> Iterator[MatchRecord]:
    """Play so many matches and add them up; each follows from the seed and its number alone.

    Args:
        summary: what to add them to.
        matches: how many.
        before: called before each decision; what it raises ends the match, which is not added.

    Raises:
        GameError: the rules cannot go on; the message says in which match.
    """
    seed = summary.seed
    for number in range(1, matches + 1):
        draw = random_draw(seed, number)
        choices: list[int] = []

        def choose(state: State) -> Action:
            before()
            legal = state.legal
            choices.append(len(legal))  # noqa: B023 (used within this turn)
            summary.choices[state.decision].add(len(legal))
            return legal[draw(len(legal))]  # noqa: B023 (likewise)

        dealt = SeededDeal(seed, dealt_as(number))
        try:
            record = play_match(summary.game, summary.first_dealer, dealt, choose)
        except GameError as error:
            raise GameError(f"{error} (match {number} of seed {seed.hex()})") from None
        summary.add_match(record, choices)
        yield record


def random_play(game: Game, matches: int, seed: bytes) -> Summary:
    """Play so many matches, the last seat dealing first, and return what they add up to."""
    summary = Summary(game, len(game.seats) - 1, seed)
    for _ in simulate(summary, matches):
        pass
    return summary


def _row(spread: Spread) -> tuple[object, ...]:
    return spread.count, spread.mean, spread.least, spread.most


def _points(points: Spread) -> tuple[object, ...]:
    _, low, high = points.interval
    return *_row(points), "", low, high


def _wins(wins: Wins) -> tuple[object, ...]:
    share, low, high = wins.interval
    return wins.contests, share, "", "", "", low, high
