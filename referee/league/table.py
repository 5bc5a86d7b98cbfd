"""The table of a league as it stands: who was entered, what was played, and what that says.

How far a league is, is counted by the store, for a table takes long where there are many duels.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Final

from referee.arena.limits import MOST_VOIDS
from referee.errors import ConfigError
from referee.league.pending import (
    active_entrants,
    checked,
    judged_layers,
    planned_duels,
    rounds_so_far,
)
from referee.ratings.results import Result
from referee.ratings.standings import Standing, Standings, standings
from referee.ratings.stopping import is_adaptive
from referee.ratings.suspension import Stage
from referee.scheduling.keys import DuelKey, pairing
from referee.scheduling.rounds import Rounds
from referee.store import duels as stored
from referee.store.database import Store
from referee.store.leagues import league as find_league
from referee.store.leagues import suspensions
from referee.store.log import Head, head
from referee.store.models import Entry, Isolation, League, StoredVoid, Suspension
from referee.store.rounds import rounds
from referee.store.statement import deals_text
from referee.text import close_names, counted, plain

_PAIRS_SHOWN: Final = 10
_ALL_PLAY: Final = Stage(0, None)
_SHOWN: Final = 8
"""How many digits of a digest tell two bots apart that are alike in all else."""


@dataclass(frozen=True)
class LeagueFacts:
    """What is true of a league, whatever its table shows; it takes no look at single duels."""

    league: League
    names: Mapping[int, str]
    """What each entrant is called, by its number."""
    voids: Sequence[StoredVoid]
    unplayed: Sequence[DuelKey]
    """What was void too often to be tried again."""
    isolations: Sequence[tuple[Isolation, int]]
    """What isolated the bots, and in how many duels."""
    suspensions: Mapping[int, Suspension]
    """Those that hold, by entrant."""
    head: Head
    """Of its log; all that the rest is made from is before it, or came in meanwhile."""
    stage: Stage
    """Which pairings play on; all, unless rounds are adaptive."""
    playing_on: Sequence[tuple[int, int]]
    """The pairs that play on where rounds are adaptive, in the order of the table."""
    stored: int
    """How many duels there are, those of who is withdrawn or suspended with them."""
    played: int
    """How many of them are of the entrants still in the league."""
    planned: int
    """How many of those there are to play, at most."""
    rounds: Rounds | None
    """Those that were paired so far; None where everybody meets everybody."""

    @property
    def sandboxed(self) -> bool:
        """Whether no duel was played without a sandbox."""
        return all(isolation.sandboxed for isolation, _ in self.isolations)

    @property
    def seed_given(self) -> bool:
        """Whether somebody chose a seed, and so could know deals."""
        return any(epoch.seed_given for epoch in self.league.epochs)

    @property
    def deals(self) -> str:
        """Return by whom it is dealt."""
        return deals_text(self.league) or "not dealt yet"


@dataclass(frozen=True)
class LeagueTable(LeagueFacts):
    """A league, and how its entrants stand."""

    standings: Standings
    results: Sequence[Result]
    identical: Mapping[tuple[int, int], tuple[int, int]]
    """How many hands A and B played alike, of how many of which that was counted."""

    def share_alike(self, one: int, other: int) -> float | None:
        """Return the share of hands that two played alike; None if that was counted of none."""
        alike, hands = self.identical.get(pairing(one, other), (0, 0))
        return alike / hands if hands else None


def league_facts(store: Store, name: str) -> LeagueFacts:
    """Return what is true of a league, from what the store counts.

    Where rounds are adaptive it is its table, for that says which pairs play on.
    """
    log = head(store, name)
    voids = stored.voids(store, name)
    league = find_league(store, name)
    if is_adaptive(league.plan.until):
        return league_table(store, name)
    still = {*active_entrants(league)}
    so_far = rounds_so_far(league, rounds(store, name))
    often = [key for key in void_too_often(voids) if {key.first, key.second} <= still]
    given_up = [key for key in often if not stored.is_stored(store, name, key)]
    return LeagueFacts(
        league,
        names(league.entries),
        voids,
        given_up,
        stored.isolations(store, name),
        suspensions(store, name),
        log,
        _ALL_PLAY,
        (),
        stored.count_duels(store, name),
        stored.count_duels(store, name, among=still),
        planned_duels(league, _ALL_PLAY, (), so_far),
        so_far,
    )


def league_table(store: Store, name: str) -> LeagueTable:
    """Return the table of a league, from all that is stored of it."""
    log = head(store, name)
    results, identical = stored.results_and_identical(store, name)
    voids = stored.voids(store, name)
    # Last, so that it knows all who play, even if one has just been entered.
    league = find_league(store, name)
    still = {*active_entrants(league)}
    given_up = [key for key in unplayed(voids, results) if {key.first, key.second} <= still]
    numbers = [entry.number for entry in league.entries]
    withdrawn = [entry.number for entry in league.entries if entry.withdrawn]
    suspended = [entry.number for entry in league.entries if entry.suspended is not None]
    found = standings(
        numbers,
        results,
        withdrawn,
        _voids_of_each(voids),
        len(given_up),
        suspended=suspended,
        suspends=league.suspends,
    )
    stage = _stage(league, results, given_up)
    order, chosen = [row.entrant for row in found.rows], stage.pairings or ()
    played = (DuelKey(*result[:3]) for result in results)  # seldom looked at
    so_far = rounds_so_far(league, rounds(store, name))
    return LeagueTable(
        league,
        names(league.entries),
        voids,
        given_up,
        stored.isolations(store, name),
        suspensions(store, name),
        log,
        stage,
        [pair for pair in combinations(order, 2) if frozenset(pair) in chosen] if chosen else (),
        len(results),
        results.count_among(still),
        planned_duels(league, stage, chain(played, given_up), so_far),
        so_far,
        found,
        results,
        identical,
    )


def _stage(league: League, results: Sequence[Result], given_up: Sequence[DuelKey]) -> Stage:
    """Return which pairings play on; what all of them do needs no look at the ratings."""
    if not is_adaptive(league.plan.until):
        return _ALL_PLAY
    if league.state != "open":  # then its seeds are out, which they were not while it was played
        epochs = tuple(epoch._replace(revealed=False) for epoch in league.epochs)
        league = league._replace(epochs=epochs)
    return judged_layers(league, checked(league, results), given_up).stages[-1]


def plays_on_text(table: LeagueFacts) -> str | None:
    """Return which pairs play on where rounds are adaptive, in words."""
    stage, plan = table.stage, table.league.plan
    if stage.pairings is None or not plan.until:
        return None
    after = f"adaptive rounds: after {counted(stage.begin, 'duel')}"
    if stage.is_last:
        return f"{after}, {_places(plan.until.top)} sure"
    found = [f"{plain(table.names[a])} – {plain(table.names[b])}" for a, b in table.playing_on]
    shown = ", ".join(found[:_PAIRS_SHOWN]) + (", …" if len(found) > _PAIRS_SHOWN else "")
    goes_on = table.league.state == "open" and stage.begin < plan.duels
    would = "" if goes_on else "would "
    plays = "plays" if goes_on and len(found) == 1 else "play"
    return f"{after}, {counted(len(found), 'pair')} {would}{plays} on: {shown}"


def _places(top: int | None) -> str:
    if top is None:
        return "all places are"
    return "the first place is" if top == 1 else f"the first {top} places are"


def unplayed(voids: Sequence[StoredVoid], results: Sequence[Result]) -> list[DuelKey]:
    """Return the duels that were void so often that they are not tried again."""
    often = void_too_often(voids)
    played = {result[:3] for result in results} if often else ()
    return [key for key in often if key not in played]


def void_too_often(voids: Sequence[StoredVoid]) -> list[DuelKey]:
    """Return the duels that were void so often that they are not tried again, if not played."""
    times = Counter(void.key for void in voids)
    return sorted(key for key, so_often in times.items() if so_often >= MOST_VOIDS)


def _voids_of_each(voids: Sequence[StoredVoid]) -> Counter[int]:
    return Counter(number for void in voids for number in (void.key.first, void.key.second))


def rating_text(row: Standing) -> str:
    """Return a rating with its 95 % interval, or the one end of it that is known."""
    low, high = row.interval
    if low is None and high is None:
        return f"{row.rating.mean:.2f}"
    if low is None:
        return f"at most {high:.2f}"
    if high is None:
        return f"at least {low:.2f}"
    return f"{row.rating.mean:.2f} ({low:.2f} to {high:.2f})"


def drawn_interval(row: Standing) -> tuple[float, float]:
    """Return where a picture of an interval begins and ends: an open end is at the rating."""
    low, high = row.interval
    mean = row.rating.mean
    return mean if low is None else min(low, mean), mean if high is None else max(high, mean)


def names(entries: Sequence[Entry]) -> dict[int, str]:
    """Return what entrants are called: by no more than tells them apart.

    All of one name are called alike, so that no version can be chosen to look like another bot.
    """
    sharing: dict[str, list[Entry]] = {}
    for entry in entries:
        sharing.setdefault(entry.bot.name, []).append(entry)
    called = {}
    for group in sharing.values():
        called.update(_distinct_names(group))
    return called


def _distinct_names(group: Sequence[Entry]) -> dict[int, str]:
    if len(group) == 1:
        return {entry.number: entry.bot.name for entry in group}
    versions = {entry.number: entry.bot.at_version for entry in group}
    if len(set(versions.values())) == len(group):
        return versions
    return {
        entry.number: f"{versions[entry.number]} {entry.bot.digest[:_SHOWN]}" for entry in group
    }


def entrant_called(league: League, text: str) -> int:
    """Return the number of the entrant that is called so: as in tables, or by name or digest.

    Raises:
        ConfigError: there is none, or more than one.
    """
    called = names(league.entries)
    exact = [number for number, name in called.items() if name == text]
    found = exact or [entry.number for entry in league.entries if _may_mean(text, entry)]
    if len(found) == 1:
        return found[0]
    choices = ", ".join(called[number] for number in found or called)
    if found:
        raise ConfigError(f"{text[:80]!r} may be any of {choices}; say which")
    close = " or ".join(close_names(text, called.values()))
    advice = f"did you mean {close}?" if close else f"those are {choices}"
    raise ConfigError(f"no entrant of {league.name} is called {text[:80]!r}; {advice}")


def _may_mean(text: str, entry: Entry) -> bool:
    bot = entry.bot
    by_digest = len(text) >= _SHOWN and bot.digest.startswith(text.lower())
    return by_digest or text in {bot.name, bot.at_version}
