"""Tells people what came of duels: who won, how fast, what went wrong and where to look."""

from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from typing import Final

from referee.arena.duel import Voided
from referee.arena.fault import Fault
from referee.cli.duel_figures import all_faults, slowest, tallies
from referee.cli.duel_logs import GUARANTEES, MATCHES, OUTPUT, Logs, output_file
from referee.cli.output import print_table
from referee.cli.playing import Played
from referee.engine.options import text
from referee.ratings.points import Margin
from referee.rpc.transcript import TranscriptEvidence
from referee.text import counted, plain

UNSANDBOXED: Final = "UNSANDBOXED"
_MOST_FAULTS: Final = 8
_LAST_BYTES: Final = 4096
_LONGEST: Final = 300


def report(played: Played, logs: Logs) -> None:
    """Print all of it."""
    show_result(played)
    _show_slowest(played)
    show_faults(played, logs)
    show_voids(played.again, played.unplayed)
    _show_logs(played, logs)


def heading(played: Played) -> str:
    """Return who played, and whether anything kept them apart."""
    marked = "" if played.asked.sandboxed else f"{UNSANDBOXED}: "
    return f"{marked}{' against '.join(played.names)}"


def show_result(played: Played) -> None:
    """Print what was played and who won."""
    game = played.asked.terms.game
    rules = ", ".join(f"{name}={text(value)}" for name, value in game.rules._asdict().items())
    print(f"{game.name} ({rules})")
    print(f"seed {played.asked.seed.hex()}{' (given)' if played.asked.seed_given else ''}")
    both = tallies(played)
    print_table(
        heading(played),
        ("", "duels", "won", "drawn", "lost", "matches won", "points a hand"),
        (
            (
                tally.name,
                str(len(played.results)),
                str(tally.won),
                str(tally.drawn),
                str(tally.lost),
                f"{tally.matches} of {2 * len(played.results)}",
                _margin(tally.margin),
            )
            for tally in both
        ),
    )


def _margin(margin: Margin) -> str:
    if margin.mean is None:
        return "no hand in both rooms"
    if margin.plus_or_minus is None:
        return f"{margin.mean:+.3f}"
    return f"{margin.mean:+.3f} ± {margin.plus_or_minus:.3f}"


def _show_slowest(played: Played) -> None:
    found = [(entrant, slow) for entrant in (0, 1) for slow in slowest(played, entrant)]
    if found:
        print("Slowest decisions")
    for entrant, slow in found:
        took = f"{slow.timing.seconds * 1000:.1f} ms"
        print(f"  {played.names[entrant]:<20} {took:>10}  {slow.where}")


def show_faults(played: Played, logs: Logs | None) -> None:
    """Print each kind of fault once: whose, where, why, and how to play it again."""
    kinds = _alike(list(enumerate(all_faults(played))))
    for number, fault, times in kinds[:_MOST_FAULTS]:
        print(f"{played.names[fault.entrant]}: {_cost(fault, times)}")
        print(f"  {fault.where}: {_short(fault.explanation)}")
        if words := _last_words(fault.evidence):
            print(f"  the last it wrote: {words}")
        if logs:
            file = output_file(played, fault.entrant, fault.seat)
            print(f"  all it wrote: {logs.directory / file}")
        if logs and number in logs.bundles:
            print(f"  upcard fault show {logs.bundles[number]}")
    if len(kinds) > _MOST_FAULTS:
        print(f"and {len(kinds) - _MOST_FAULTS} more; --json lists them all")


def _cost(fault: Fault, times: int) -> str:
    kind = fault.kind.upper()
    cost = "cost the match" if fault.forfeits else "made it play its first legal action"
    return f"{kind} {cost}" if times == 1 else f"{kind} {times} times; each {cost}; the first:"


def _last_words(evidence: object) -> str:
    written = evidence.output if isinstance(evidence, TranscriptEvidence) else b""
    lines = written[-_LAST_BYTES:].decode(errors="replace").strip().splitlines()
    return _short(lines[-1]) if lines else ""


def _short(words: str) -> str:
    return plain(words)[:_LONGEST]


def _alike(faults: Sequence[tuple[int, Fault]]) -> list[tuple[int, Fault, int]]:
    """Return the first of each kind of fault, and how many there are."""

    def kind(numbered: tuple[int, Fault]) -> tuple[int, str, str, bool]:
        _, fault = numbered
        return fault.entrant, fault.kind, fault.explanation, fault.forfeits

    firsts = []
    for _, group in groupby(sorted(faults, key=kind), key=kind):
        (number, fault), *others = group
        firsts.append((number, fault, 1 + len(others)))
    return sorted(firsts)


def show_voids(again: Sequence[Voided], unplayed: Sequence[Voided]) -> None:
    """Print how many duels nobody is to blame for, once for each reason."""
    for why, times in Counter(void.reason for void in again).items():
        were = "was" if times == 1 else "were"
        _show_void(f"{counted(times, 'duel')} {were} void and played again", why)
    for why, times in Counter(void.reason for void in unplayed).items():
        _show_void(f"{counted(times, 'duel')} could not be played", why)


def _show_void(what: str, why: str) -> None:
    print(f"{what}, by nobody's fault: {_short(why)}")


def _show_logs(played: Played, logs: Logs) -> None:
    print(f"What the bots wrote: {logs.directory / OUTPUT}")
    matches = logs.directory / MATCHES
    if played.results:
        print(f"Every match, open room and closed: upcard replay {matches} --match 1")
    print(f"{_sandbox(played)}: {logs.directory / GUARANTEES}")


def _sandbox(played: Played) -> str:
    if not played.asked.sandboxed:
        return f"{UNSANDBOXED}: the bots could do whatever you can"
    by_level = [
        (level, [each.name for each in played.guarantees if each.level == level])
        for level in ("weak", "missing")
    ]
    less = [f"{', '.join(names)} {level}" for level, names in by_level if names]
    held = sum(each.level == "enforced" for each in played.guarantees)
    return f"Sandbox: {counted(held, 'guarantee')} enforced" + "".join(f"; {each}" for each in less)
