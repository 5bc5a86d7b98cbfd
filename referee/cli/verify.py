"""`upcard verify`: whether a league's export holds together, with nothing else at hand."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final

import typer

from referee.cli import arguments
from referee.cli.league_facts import UNSANDBOXED
from referee.cli.output import print_json, with_progress
from referee.errors import ConfigError
from referee.publication.league import ExportedLeague
from referee.publication.verification import Report
from referee.publication.verification import verify as verified
from referee.text import counted, plain

FAILED: Final = 1
_LONGEST: Final = 300
_OUTCOMES: Final = {
    "verified": "VERIFIED: everything above follows from the seed and the play",
    "incomplete": "INCOMPLETE: the league is open and its seed secret, so no deck could be "
    "checked against it; the rest is as it should be. Verify again when the league is over",
    "failed": "NOT VERIFIED",
}


def verify(
    directory: Annotated[
        Path, typer.Argument(metavar="EXPORT_DIR", help="What 'upcard league export' wrote.")
    ],
    digest: Annotated[
        str | None,
        typer.Option(
            metavar="HEX",
            help="The digest that was published; without it, one export is checked against itself.",
        ),
    ] = None,
    json: arguments.AsJson = False,
) -> None:
    """Check an export of a league: its files, decks, play, results and tables.

    Nothing but the export is needed. What rests on the referee's word alone is listed.
    """
    report = verified(directory, _digest(digest), _watched)
    if json:
        print_json(_as_json(report))
    else:
        _tell(report)
    if report.outcome != "verified":
        raise typer.Exit(FAILED)


def _digest(text: str | None) -> str | None:
    if text is None:
        return None
    digest = text.strip().lower()
    if len(digest) != 64 or not set(digest) <= set("0123456789abcdef"):
        message = "a digest is 64 hexadecimal digits; copy it whole, as it was published"
        raise ConfigError(message)
    return digest


def _watched(lines: Iterator[bytes], about: int) -> Iterator[bytes]:
    yield from with_progress(lines, about, "Playing again")


def _tell(report: Report) -> None:
    for line in _checked(report):
        print(line)
    if report.league and report.outcome != "failed":
        print("On the referee's word alone:")
        for line in on_trust(report, report.league):
            print(f"  {_short(line)}")
    for failure in report.failures:
        print(f"WRONG {_short(str(failure))}")
    print(_OUTCOMES[report.outcome])


def _short(words: str) -> str:
    return plain(words)[:_LONGEST]


def _checked(report: Report) -> Iterator[str]:
    """Yield what was looked at and found right; without a league that was not much."""
    if not report.league:
        return
    league, done = report.league, report.checked
    yield _short(f"League {league.name}, {league.terms.game.name}, {league.state}")
    yield f"  {counted(done['files'], 'file')}, by SHA256SUMS"
    yield f"  {counted(done['commitments'], 'seed')}, by what was committed to"
    yield f"  {counted(done['decks'], 'deck')}, by the seed"
    hands, actions = counted(done["hands"], "hand"), counted(done["actions"], "action")
    yield f"  {counted(done['matches'], 'match', 'es')}, {hands}, {actions}, by the rules"
    yield f"  {counted(done['duels'], 'duel')}, by their matches"
    ratings, cells = counted(done["ratings"], "row"), done["cells"]
    yield f"  {ratings} of ratings, {cells} of the crosstable, by the duels"


def on_trust(report: Report, league: ExportedLeague) -> Iterator[str]:
    """Yield what an export cannot show."""
    yield "who sat at the table, how long they took, and that the seed was drawn by lot"
    yield from _of_seeds(league)
    yield from _of_sandboxes(league)
    if forfeits := report.checked["forfeits"]:
        yield f"{counted(forfeits, 'match', 'es')} forfeited by a fault"
    if report.kinds:
        kinds = ", ".join(f"{kind} {times}" for kind, times in report.kinds.items())
        yield f"{counted(sum(report.kinds.values()), 'fault')}: {kinds}"
    if report.voids:
        yield f"{counted(report.voids, 'void')}, by nobody's fault (voids.csv)"
    if report.extent.unplayed:
        yield f"{counted(report.extent.unplayed, 'duel')} unplayed, void too often"
    if report.extent.missing:
        missing = counted(report.extent.missing, "duel")
        yield f"{missing} not there: not played, or not shown"
    withdrawn = [entrant.label for entrant in league.entrants if entrant.withdrawn]
    if withdrawn:
        yield f"withdrawn: {', '.join(withdrawn)}"


def _of_seeds(league: ExportedLeague) -> Iterator[str]:
    for epoch in league.epochs:
        if epoch.given:
            yield f"the seed of epoch {epoch.number} was given by somebody, who knew every deck"


def _of_sandboxes(league: ExportedLeague) -> Iterator[str]:
    free = sum(each.duels for each in league.sandboxes if not each.sandboxed)
    if free:
        yield f"{UNSANDBOXED}: {counted(free, 'duel')}; the bots could do whatever they liked"
    less = {
        f"{kept.name} {kept.level}"
        for each in league.sandboxes
        for kept in each.guarantees
        if kept.level != "enforced"
    }
    if less:
        yield f"the sandbox: {', '.join(sorted(less))}"


def _as_json(report: Report) -> dict[str, object]:
    league = report.league
    return {
        "outcome": report.outcome,
        "league": league.name if league else None,
        "state": league.state if league else None,
        "checked": dict(report.checked),
        "failures": [failure._asdict() for failure in report.failures],
        "on_trust": {
            "faults": dict(report.kinds),
            "voids": report.voids,
            **report.extent._asdict(),
            "in_words": list(on_trust(report, league)) if league else [],
        },
    }
