"""What an export cannot show, however sound it is: all that rests on the referee's word."""

from collections import Counter
from collections.abc import Iterator

from referee.beacon import Round
from referee.cli.league_facts import UNSANDBOXED
from referee.publication.league import ExportedEpoch, ExportedLeague
from referee.publication.verification import Report
from referee.publication.verification_league import never_started
from referee.store.statement import dealt_by
from referee.text import counted


def on_trust(report: Report, league: ExportedLeague) -> Iterator[str]:
    """Yield everything that is taken on trust; nothing in an export can make the list shorter."""
    yield "the play: who sat at the table, and that each duel was played once"
    yield from _of_deals(report, league)
    yield from _of_log(report)
    yield from _of_sandboxes(league)
    yield f"times: the limit of {league.terms.limits.decision:g} s, and how long decisions took"
    yield _of_faults(report)
    yield _of_voids(report)
    if report.completeness.missing:
        missing = counted(report.completeness.missing, "duel")
        yield f"{missing} not there: not played, or not shown"
    if withdrawn := [entrant.label for entrant in league.entrants if entrant.withdrawn]:
        yield f"withdrawn: {', '.join(withdrawn)}"
    never = [entrant for entrant in league.entrants if never_started(entrant)]
    if never:
        yield f"never started: {', '.join(entrant.label for entrant in never)}"
    if suspended := [
        entrant.label
        for entrant in league.entrants
        if entrant.suspended is not None and entrant not in never
    ]:
        yield f"suspended: {', '.join(suspended)}"
    yield "the clock: when the league was made, epochs were opened and duels void"


def _of_deals(report: Report, league: ExportedLeague) -> Iterator[str]:
    texts = [_dealt(report, league, epoch) for epoch in league.epochs]
    if len(set(texts)) > 1:
        for number, text in enumerate(texts, start=1):
            yield f"the deals of epoch {number}: {text}"
    else:
        yield f"the deals: {texts[0] if texts else 'dealt by the organiser alone'}"
    for epoch in league.epochs:
        if epoch.given:
            yield f"the seed of epoch {epoch.number} was given by somebody, who knew every deck"


def _dealt(report: Report, league: ExportedLeague, epoch: ExportedEpoch) -> str:
    """Return by whom an epoch was dealt, and what is to be believed of it."""
    beacon = epoch.beacon and Round(epoch.beacon.network, epoch.beacon.round)
    brought = [
        each for each in league.entrants if each.nonce is not None and each.epoch == epoch.number
    ]
    revealed = sum(each.nonce_hash is not None for each in brought)
    text = dealt_by(revealed, beacon, checked=epoch.number not in report.unchecked)
    if not (beacon or revealed):
        text += ", who may have drawn again before the first duel"
    elif epoch.number in report.unchecked:
        text += "; to check its signature, install upcard-referee[beacon]"
    elif beacon:
        text += "; that its statement was public before that came out"
    else:
        text += "; that no author showed hers to the organiser before"
    if known := len(brought) - revealed:
        nonces = "1 nonce is" if known == 1 else f"{known} nonces are"
        text += f"; {nonces} mixed in that the organiser knew before"
    return text


def _of_log(report: Report) -> Iterator[str]:
    """Say what a log does not show, and of which duels there is none."""
    logged = report.logged
    if not logged.began:
        duels = f"; it begins after {counted(logged.imported, 'duel')}" if logged.entries else ""
        yield f"the log: there is none from the beginning{duels}"
    elif "head" not in report.compared:
        yield "the log: that no other was kept beside it; nobody's head was compared"


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
    unplayed = counted(report.completeness.unplayed, "duel")
    return f"{counted(report.voids, 'void')}, by nobody's fault (voids.csv); {unplayed} unplayed"
