"""What an export cannot show, however sound it is: all that rests on the referee's word."""

from collections import Counter
from collections.abc import Iterator

from referee.cli.league_facts import UNSANDBOXED
from referee.publication.league import ExportedLeague
from referee.publication.verification import Report
from referee.text import counted


def on_trust(report: Report, league: ExportedLeague) -> Iterator[str]:
    """Yield everything that is taken on trust; nothing in an export can make the list shorter."""
    yield "the play: who sat at the table, and that each duel was played once"
    yield from _of_deals(league)
    yield from _of_sandboxes(league)
    yield f"times: the limit of {league.terms.limits.decision:g} s, and how long decisions took"
    yield _of_faults(report)
    yield _of_voids(report)
    if report.extent.missing:
        missing = counted(report.extent.missing, "duel")
        yield f"{missing} not there: not played, or not shown"
    if withdrawn := [entrant.label for entrant in league.entrants if entrant.withdrawn]:
        yield f"withdrawn: {', '.join(withdrawn)}"
    yield "the clock: when the league was made, epochs were opened and duels void"


def _of_deals(league: ExportedLeague) -> Iterator[str]:
    yield "the deals: dealt by the organiser alone, who may have drawn again before the first duel"
    for epoch in league.epochs:
        if epoch.given:
            yield f"the seed of epoch {epoch.number} was given by somebody, who knew every deck"


def _of_sandboxes(league: ExportedLeague) -> Iterator[str]:
    """Say what is claimed of isolation, and never leave out that it is a claim."""
    yield "the sandbox: that the bots had no way to each other but the table"
    for each in league.sandboxes:
        duels = counted(each.duels, "duel")
        if not each.sandboxed:
            yield f"{UNSANDBOXED}: {duels}; the bots could do whatever they liked"
            continue
        levels = Counter(guarantee.level for guarantee in each.guarantees)
        enforced = counted(levels["enforced"], "guarantee")
        less = [
            f"{guarantee.name} {guarantee.level}"
            for guarantee in each.guarantees
            if guarantee.level != "enforced"
        ]
        strict = "strict, " if each.strict else ""
        yield ", ".join([f"the sandbox in {duels}: {strict}{enforced} enforced", *less])


def _of_faults(report: Report) -> str:
    if not report.kinds:
        return "faults: that there were none"
    kinds = ", ".join(f"{kind} {times}" for kind, times in report.kinds.items())
    forfeits = counted(report.checked["forfeits"], "match", "es")
    return f"{counted(sum(report.kinds.values()), 'fault')}: {kinds}; {forfeits} forfeited"


def _of_voids(report: Report) -> str:
    if not report.voids:
        return "voids: that there were none"
    unplayed = counted(report.extent.unplayed, "duel")
    return f"{counted(report.voids, 'void')}, by nobody's fault (voids.csv); {unplayed} unplayed"
