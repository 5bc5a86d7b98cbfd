"""What is still to be played of a league, from its plan and from what was played."""

from collections.abc import Collection, Container, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from math import comb
from operator import attrgetter

from referee.errors import ConfigError, RecordError
from referee.ratings.results import Result
from referee.ratings.stopping import is_adaptive, looks, most_pairings, plays_on
from referee.ratings.suspension import Judged, Layers, PlaysOn, Stage
from referee.scheduling.keys import DuelKey
from referee.scheduling.round_robin import Block, blocks, missing, pairings, visits
from referee.scheduling.rounds import Rounds
from referee.scheduling.shards import Shard, shard_duels
from referee.store.models import League, PairedRound, Plan


def active_entrants(found: League) -> list[int]:
    """Return the entrants that play on, by their numbers: not withdrawn, nor suspended."""
    return [
        entry.number for entry in found.entries if not entry.withdrawn and entry.suspended is None
    ]


def refuse_unplayable(found: League) -> None:
    """Refuse to play a league that is over, or in which nobody has anybody to play.

    Raises:
        ConfigError: it is closed, or fewer than two are still in it; those that are suspended
            are, for they may have been so by this run.
    """
    if found.state == "closed":
        raise ConfigError(f"{found.name} is closed; what it has is final")
    if sum(not entry.withdrawn for entry in found.entries) < 2:
        raise ConfigError(
            f"{found.name} has nobody to play: enter two bots or more by "
            f"'upcard league add-bot {found.name} BOT'"
        )


def checked(found: League, results: Iterable[Result]) -> Iterator[Result]:
    """Yield results that are of entrants of a league and of its plan, as all are.

    Raises:
        RecordError: one is not; there would be no place for it in a set of all that may be.
    """
    entrants, duels = len(found.entries), found.plan.duels
    for result in results:
        first, second, number, *_ = result
        if not (0 < first <= entrants and 0 < second <= entrants and 0 <= number < duels):
            raise RecordError("duel", f"{first}-{second}/{number + 1} is not of the league")
        yield result


def rounds_so_far(found: League, paired: Iterable[PairedRound]) -> Rounds | None:
    """Return what is played in the rounds of a league; None if everybody meets everybody."""
    each = found.plan.round_duels
    return None if each is None else Rounds(each, [one.pairs for one in paired])


def judged_layers(
    found: League,
    results: Iterable[Result],
    given_up: Collection[DuelKey],
    rounds: Rounds | None = None,
) -> Layers:
    """Return the layers of a league: who is suspended by them, and which pairings play on.

    Args:
        found: the league.
        results: what was played, as `checked` yields it.
        given_up: the duels that are not tried again.
        rounds: what is played in its rounds, where pairs are chosen round by round.
    """
    plan = found.plan
    return Layers(
        {
            entry.number: Judged(entry.counted_from, entry.suspended)
            for entry in found.entries
            if not entry.withdrawn
        },
        (pair for pair in pairings(active_entrants(found)) if not is_revealed(found, *pair)),
        plan.duels,
        chain(
            ((key, None) for key in given_up),
            ((DuelKey(*result[:3]), result) for result in results),
        ),
        _plays_on(plan, rounds),
    )


def _plays_on(plan: Plan, rounds: Rounds | None) -> PlaysOn | None:
    if rounds is not None:
        return rounds.plays_on
    return partial(plays_on, plan.until, plan.duels) if plan.until else None


def planned_duels(
    found: League, stage: Stage, played: Iterable[DuelKey], rounds: Rounds | None = None
) -> int:
    """Return how many duels there are to play, at most.

    Args:
        found: the league.
        stage: which pairings play now; it matters only where rounds are adaptive.
        played: what was, or was given up.
        rounds: what is played in its rounds, where pairs are chosen round by round.
    """
    active, plan = active_entrants(found), found.plan
    if rounds is not None:
        still = {*active}
        pairs = sum(still.issuperset(pair) for pairs in rounds.pairs for pair in pairs)
        return pairs * rounds.each
    if not is_adaptive(plan.until):
        return comb(len(active), 2) * plan.duels
    done = {key for key in played if {*key[:2]} <= {*active}}
    to_play = _duels_of(stage, plan)
    now = [pair for pair in pairings(active) if stage.includes(*pair)]
    missing = sum(DuelKey(*pair, number) not in done for pair in now for number in to_play)
    most = 0 if stage.is_last else most_pairings(plan.until, len(active))
    return len(done) + missing + most * (plan.duels - to_play.stop)


def _duels_of(stage: Stage, plan: Plan) -> range:
    """Return the numbers of the duels of a stage."""
    ends = looks(plan.duels) if plan.until else (plan.duels,)
    return range(stage.begin, next((end for end in ends if end > stage.begin), plan.duels))


def plan_visits(plan: Plan, size: int) -> list[range]:
    """Cut the duels of a pairing into visits; where it may stop early, each look ends one."""
    return visits(plan.duels, size, looks(plan.duels) if plan.until else ())


def pending_blocks(
    found: League, stage: Stage, done: Container[DuelKey], size: int
) -> Iterator[Block]:
    """Yield the visits to come, in order, as far as is known: at most until the next look.

    A look goes by the duels before it and no others, so that it says the same however often the
    league was stopped and in whatever order duels came in.

    Args:
        found: the league.
        stage: which pairings play now.
        done: the duels that were played, or are not tried again.
        size: the most duels in a visit.
    """
    numbers, plan = active_entrants(found), found.plan
    if len(numbers) < 2:
        return iter(())
    to_play = _duels_of(stage, plan)
    now = (
        block
        for block in blocks(numbers, plan_visits(plan, size))
        if block.numbers[0] in to_play
        and stage.includes(block.first, block.second)
        and not is_revealed(found, block.first, block.second)
    )
    return missing(now, done)


def round_blocks(rounds: Rounds, done: Container[DuelKey]) -> Iterator[Block]:
    """Yield the visits to come of a league whose pairs are chosen round by round, in order.

    Args:
        rounds: what is played in its rounds.
        done: the duels that were played, or are not tried again.
    """
    return missing(rounds.blocks(), done)


def shard_blocks(
    found: League, stage: Stage, done: Container[DuelKey], size: int, shard: Shard
) -> Iterator[Block]:
    """Yield the visits to come of a shard, in order, as far as is known.

    Those who are withdrawn or suspended play none of them, but who plays the others' duels does not
    depend on it.

    Args:
        found: the league.
        stage: which pairings play now.
        done: the duels that were played, or are not tried again.
        size: the most duels in a visit.
        shard: which part of all that the stage has.
    """
    entrants, active = [entry.number for entry in found.entries], {*active_entrants(found)}
    pairs = [pair for pair in pairings(entrants) if stage.includes(*pair)]
    planned = [
        Block(number, *pair, tuple(own[begin : begin + size]))
        for pair, own in shard_duels(shard, pairs, _duels_of(stage, found.plan))
        if {*pair} <= active and not is_revealed(found, *pair)
        for number, begin in enumerate(range(0, len(own), size))
    ]
    return missing(sorted(planned, key=attrgetter("round")), done)


def is_planned(found: League, stages: Sequence[Stage], key: DuelKey) -> bool:
    """Return whether a duel is known to be one of those to play, from decks that are secret.

    Args:
        found: the league.
        stages: which pairings play, from which number on.
        key: the duel.
    """
    stage = next(each for each in reversed(stages) if each.begin <= key.number)
    return (
        key.number < _duels_of(stages[-1], found.plan).stop
        and stage.includes(key.first, key.second)
        and not is_revealed(found, key.first, key.second)
    )


def is_revealed(found: League, first: int, second: int) -> bool:
    """Return whether everybody may know the decks of a pairing, which is then over for good."""
    epoch = found.epoch(first, second)
    return epoch is not None and epoch.revealed
