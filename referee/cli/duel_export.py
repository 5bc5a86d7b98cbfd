"""Gives programs what came of duels."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from referee.arena.duel import Voided
from referee.arena.fault import ROOM_NAMES, Fault
from referee.cli.duel_figures import all_faults, slowest, tallies
from referee.cli.duel_logs import Logs
from referee.cli.output import print_csv, print_json
from referee.cli.playing import Played
from referee.engine.cards import SEAT_NAMES


def export_csv(played: Played) -> None:
    """Print a row for each duel."""
    print_csv(_COLUMNS, (*_result_rows(played), *_unplayed_rows(played)))


def export_json(played: Played, logs: Logs) -> None:
    """Print all that a person would be told, and more."""
    print_json(_as_json(played, logs))


_COLUMNS: Final = (
    "duel",
    "sandboxed",
    "first",
    "second",
    "result",
    "matches_won",
    "open_north_south",
    "open_east_west",
    "closed_north_south",
    "closed_east_west",
    "faults",
    "faults_of_other",
    "slowest_seconds",
    "slowest_seconds_of_other",
)
_RESULTS: Final = ("lost", "drawn", "won")


def _result_rows(played: Played) -> Iterator[Sequence[object]]:
    for result in played.results:
        opened, closed = result.rooms
        won, _ = result.wins
        faults = [sum(fault.entrant == who for fault in result.faults) for who in (0, 1)]
        slowest = [f"{timing.seconds:.6f}" if timing else "" for timing in result.slowest]
        scores = (*opened.score, *closed.score)
        yield (
            *_row_head(played, result.duel.number),
            _RESULTS[won],
            won,
            *scores,
            *faults,
            *slowest,
        )


def _unplayed_rows(played: Played) -> Iterator[Sequence[object]]:
    for void in played.unplayed:
        yield (*_row_head(played, void.duel.number), "unplayed", *[""] * 9)


def _row_head(played: Played, duel: int) -> tuple[object, ...]:
    return (duel + 1, "yes" if played.asked.sandboxed else "no", *played.names)


def _as_json(played: Played, logs: Logs) -> dict[str, object]:
    asked = played.asked
    return {
        "sandboxed": asked.sandboxed,
        "strict": asked.strict,
        "game": asked.terms.game.name,
        "rules": asked.terms.game.rules._asdict(),
        "limits": asked.terms.limits._asdict(),
        "forfeit_at": asked.terms.policy.forfeit_at,
        "seed": asked.seed.hex(),
        "seed_given": asked.seed_given,
        "duels": len(played.results),
        "bots": [_bot_as_json(played, entrant) for entrant in (0, 1)],
        "faults": [
            _fault_as_json(played, fault, logs.bundles.get(number))
            for number, fault in enumerate(all_faults(played))
        ],
        "played_again": _voids_as_json(played.again),
        "unplayed": _voids_as_json(played.unplayed),
        "logs": str(logs.directory),
        "guarantees": [guarantee._asdict() for guarantee in played.guarantees],
    }


def _bot_as_json(played: Played, entrant: int) -> dict[str, object]:
    tally = tallies(played)[entrant]
    return {
        "name": tally.name,
        "version": played.asked.entrants[entrant].manifest.version,
        "won": tally.won,
        "drawn": tally.drawn,
        "lost": tally.lost,
        "matches_won": tally.matches,
        "points_per_hand": tally.margin._asdict(),
        "slowest": [
            {"seconds": round(slow.timing.seconds, 6), "where": slow.where}
            for slow in slowest(played, entrant)
        ],
    }


def _fault_as_json(played: Played, fault: Fault, bundle: Path | None) -> dict[str, object]:
    return {
        "kind": fault.kind,
        "bot": played.names[fault.entrant],
        "where": fault.where,
        "duel": fault.duel + 1,
        "room": ROOM_NAMES[fault.room],
        "hand": fault.hand + 1,
        "seat": SEAT_NAMES[fault.seat],
        "explanation": fault.explanation,
        "forfeits": fault.forfeits,
        "bundle": str(bundle) if bundle else None,
    }


def _voids_as_json(voids: Sequence[Voided]) -> list[dict[str, object]]:
    return [{"duel": void.duel.number + 1, "reason": void.reason} for void in voids]
