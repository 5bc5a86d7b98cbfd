"""The values that are stored of bots, leagues and duels, apart from how they are stored."""

from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256
from typing import Final, Literal, NamedTuple

from referee.arena.duel import Duel, Timing
from referee.arena.fault import FaultKind
from referee.arena.limits import Terms
from referee.beacon import Round, Signed
from referee.engine.cards import Seat
from referee.engine.dealing import commitment
from referee.engine.record import SeededDeal
from referee.json_forms import LONGEST_TEXT, FaultForm, GuaranteeForm
from referee.ratings.results import Result
from referee.ratings.stopping import Until
from referee.scheduling.keys import DuelKey
from referee.store.chain import isolation_digest

MOST_ENTRANTS: Final = 1000
"""In a league, with those who have withdrawn."""


class Bot(NamedTuple):
    """A bot at one version."""

    digest: str
    """Of its bundle, which is all that makes it this bot."""
    name: str
    version: str
    author: str
    language: str
    games: tuple[str, ...]
    manifest: str
    """Its bot.toml."""
    added: datetime

    @property
    def at_version(self) -> str:
        """Its name with its version, by which one of several is named."""
        return f"{self.name}@{self.version}"


class Plan(NamedTuple):
    """How a league is played; it never changes."""

    terms: Terms
    duels: int
    """Of each pairing, at most."""
    block: int
    """Duels in a visit, at most; 0 if that is chosen by how long they take."""
    until: Until | None = None
    """How sure the order of the table has to be to stop earlier."""
    round_duels: int | None = None
    """How many duels a pair plays in a round, where pairs are chosen round by round; None where
    everybody meets everybody."""


class PairedRound(NamedTuple):
    """A round of a league whose pairs are chosen round by round: who meets whom in it."""

    number: int
    """From 0. Its duels have the numbers from `number * round_duels` on."""
    at: datetime
    """When it was paired, before any of its duels."""
    pairs: tuple[tuple[int, int], ...]
    """A and B of each pair."""


class Entry(NamedTuple):
    """A bot in a league."""

    number: int
    """From 1, in the order in which they were entered."""
    bot: Bot
    epoch: int
    """The epoch that began when it was first to play; 0 before that."""
    withdrawn: datetime | None = None
    suspended: int | None = None
    """The number of the duels after which it was suspended; -1 if it never started."""
    counted_from: int = 0
    """The first number of the duels by which it may be suspended: it was reinstated before that."""
    nonce: str | None = None
    """What its author brought to be mixed into the seed; None if nothing, or not revealed yet."""
    nonce_hash: str | None = None
    """The hash of a nonce that is revealed later."""


class Opening(NamedTuple):
    """What an epoch is dealt from, and what was published of it before its first duel."""

    number: int
    """The epoch's."""
    secret: bytes
    committed: datetime
    """When the secret was drawn."""
    beacon: Round | None = None
    """The round whose randomness is mixed in."""
    statement: str | None = None
    """The opening statement, canonical JSON; None before it is published."""
    signed: Signed | None = None
    """What came out of the round."""
    checked: bool = False
    """Whether the signature was checked; if not, it is taken on the organiser's word."""

    @property
    def commitment(self) -> str:
        """Return what is published of the secret."""
        return commitment(self.secret)

    @property
    def digest(self) -> str | None:
        """Return the digest of the statement."""
        return self.statement and sha256(self.statement.encode()).hexdigest()


NEVER_STARTED: Final = -1
"""After which number an entrant is suspended that never started."""


class Suspension(NamedTuple):
    """That an entrant was suspended."""

    entrant: int
    """Its number in the league."""
    after: int
    """The number of its last duels that are part of the league, or `NEVER_STARTED`."""
    reason: str
    at: datetime
    bundle: bytes | None
    """The fault bundle of an entrant that never started, compressed JSON."""


class Epoch(NamedTuple):
    """A seed, and the entrants whose pairings are dealt from it."""

    number: int
    """From 1."""
    seed: bytes
    seed_given: bool
    """Whether somebody chose it, and so could know the deals."""
    opened: datetime
    revealed: bool = False
    """Whether everybody may know the seed: no deck of it is dealt any more."""
    opening: Opening | None = None
    """None for one that is older than statements: its seed is its secret."""

    @property
    def secret(self) -> bytes:
        """Return the secret from which the seed follows."""
        return self.opening.secret if self.opening else self.seed

    @property
    def commitment(self) -> str:
        """Return what was published before its first duel."""
        return commitment(self.secret)


State = Literal["open", "complete", "closed"]


class League(NamedTuple):
    """A league, without what was played."""

    name: str
    plan: Plan
    created: datetime
    state: State
    """Closed is one that the organiser ended before all was played."""
    entries: tuple[Entry, ...]
    epochs: tuple[Epoch, ...]
    pending: Opening | None = None
    """That of the epoch that begins next, if it is known that there is one."""
    suspends: bool = True
    """Whether entrants are suspended; in an older league those at fault in most duels do not count.
    """
    again: Duel | None = None
    """The duel of another league whose deals its only one has; it is not stored."""

    def nonces(self, epoch: int) -> dict[int, str]:
        """Return the nonces of an epoch that are known, by entrants; epoch 0 begins next."""
        return {
            entry.number: entry.nonce
            for entry in self.entries
            if entry.epoch == epoch and entry.nonce is not None
        }

    def entry(self, number: int) -> Entry:
        """Return an entrant by its number."""
        return self.entries[number - 1]

    def epoch(self, one: int, other: int) -> Epoch | None:
        """Return the epoch of a pairing: the later one of its entrants', None before it began."""
        epochs = self.entry(one).epoch, self.entry(other).epoch
        return self.epochs[max(epochs) - 1] if all(epochs) else None

    def dealt(self, key: DuelKey) -> SeededDeal:
        """Return what the decks of a duel are made from."""
        if self.again:
            return self.again.dealt
        epoch = self.epoch(key.first, key.second)
        assert epoch
        return SeededDeal(epoch.seed, key.text(self.name, self.plan.terms.game.name))


class Side(NamedTuple):
    """What one entrant did in a duel, so that nobody has to read the play for it."""

    tallies: Mapping[str, int]
    """How many hands, and how often each thing the game counts (`Game.tally`).

    Each hand is counted for each side that the entrant has in it.
    """
    slowest: Timing | None
    """Its slowest decision."""


class StoredFault(NamedTuple):
    """A fault in a duel."""

    kind: FaultKind
    entrant: int
    """Its number in the league."""
    seat: Seat
    room: int
    hand: int
    """From 0."""
    explanation: str
    forfeits: bool
    bundle: bytes | None
    """The fault bundle, compressed JSON; of many alike, some are stored without."""

    @property
    def form(self) -> FaultForm:
        """Return what everybody may know of it."""
        return FaultForm(
            self.kind,
            self.entrant,
            self.seat,
            self.room,
            self.hand,
            self.forfeits,
            self.explanation[:LONGEST_TEXT],
        )


class StoredDuel(NamedTuple):
    """A finished duel, as it goes into the store."""

    key: DuelKey
    play: bytes
    """Of all matches (`referee.store.play`)."""
    wins: int
    """How it went for A (`referee.ratings.results.outcome`)."""
    margin: float
    """What A won over the hands that count, in points."""
    hands: int
    """How many count."""
    sides: tuple[Side, Side]
    faults: tuple[StoredFault, ...]
    finished: datetime
    digest: str | None = None
    """Of its play and faults, for the log, which keeps it; None in what is read from the store."""
    identical: int | None = None
    """How many of the hands that count all rooms played alike; None where it was not counted."""

    @property
    def result(self) -> Result:
        """Return what counts of it."""
        first, second, number = self.key
        faults = Counter(fault.entrant for fault in self.faults)
        both = faults[first], faults[second]
        return Result(first, second, number, self.wins, self.margin, self.hands, both)


class Isolation(NamedTuple):
    """What isolated bots while a duel was played."""

    sandboxed: bool
    strict: bool
    guarantees: tuple[GuaranteeForm, ...]

    @property
    def digest(self) -> str:
        """Return its digest, by what an export says of it."""
        levels = [(each["name"], each["level"], each["reason"]) for each in self.guarantees]
        return isolation_digest(self.sandboxed, self.strict, levels)


class StoredVoid(NamedTuple):
    """A duel that counted for nobody, once."""

    key: DuelKey
    reason: str
    at: datetime


StoredOutcome = StoredDuel | StoredVoid


class Snapshot(NamedTuple):
    """The table as it stood after a round of blocks."""

    at: datetime
    duels: int
    """How many were stored by then."""
    ratings: Mapping[int, tuple[float, float]]
    """Mean and spread of each entrant's rating."""
