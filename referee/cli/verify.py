"""`upcard verify`: whether a league's export holds together, with nothing else at hand."""

from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Final

import typer

from referee.cli import arguments
from referee.cli.on_trust import on_trust
from referee.cli.output import print_json, with_progress
from referee.errors import ConfigError
from referee.publication.verification import REQUIREMENTS, Report, Requirement, VerificationRequest
from referee.publication.verification import verify as verified
from referee.text import counted, plain

FAILED: Final = 1
_LONGEST: Final = 300
_OUTCOMES: Final = {
    "consistent": "CONSISTENT WITH ITSELF ONLY: everything above follows from the seed and the "
    "play, but the maker of this export may have made another; compare with what was published:",
    "incomplete": "INCOMPLETE: the league is open and its seed secret, so no deck could be "
    "checked against it; the rest is as it should be. Verify again when the league is over",
    "failed": "NOT VERIFIED",
}
_SHOWN: Final = {
    "digest": "the digest: this is the export that was published",
    "statement": "the statement: it is played as was published before the first duel",
    "head": "the head, of entry {entry}: nothing up to it was changed since it was written down",
}
_FOLLOWS: Final = "everything above follows from the seed and the play"


def verify(
    directory: Annotated[
        Path, typer.Argument(metavar="EXPORT_DIR", help="What 'upcard league export' wrote.")
    ],
    digest: Annotated[
        str | None,
        typer.Option(
            metavar="HEX",
            help="The digest of the export that was published; without any of these three, an "
            "export is checked against itself.",
        ),
    ] = None,
    statement: Annotated[
        str | None,
        typer.Option(metavar="HEX", help="The digest of an opening statement that was published."),
    ] = None,
    head: Annotated[
        str | None,
        typer.Option(metavar="HEX", help="A head of the league's log that somebody wrote down."),
    ] = None,
    require: Annotated[
        str | None,
        typer.Option(
            metavar="WHAT",
            help=f"Fail without these: any of {','.join(REQUIREMENTS)}, with commas between.",
        ),
    ] = None,
    json: arguments.AsJson = False,
) -> None:
    """Check an export of a league: its files, decks, play, results and tables.

    Nothing but the export is needed. What rests on the referee's word alone is listed.
    """
    asked = VerificationRequest(
        _digest(digest), _digest(statement), _digest(head), _required(require)
    )
    report = verified(directory, asked, _watched, datetime.now(UTC))
    if json:
        print_json(_as_json(report))
    else:
        _tell(report)
    if report.outcome not in {"verified", "consistent"}:
        raise typer.Exit(FAILED)


def _digest(text: str | None) -> str | None:
    if text is None:
        return None
    digest = text.strip().lower()
    if len(digest) != 64 or not set(digest) <= set("0123456789abcdef"):
        message = "a digest is 64 hexadecimal digits; copy it whole, as it was published"
        raise ConfigError(message)
    return digest


def _required(text: str | None) -> Collection[Requirement]:
    words = text.split(",") if text else []
    if unknown := [word for word in words if word not in REQUIREMENTS]:
        known = ", ".join(REQUIREMENTS)
        raise ConfigError(f"nothing is called {unknown[0][:80]!r}; --require takes {known}")
    return [each for each in REQUIREMENTS if each in words]


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
    for line in _verdict(report):
        print(line)


def _verdict(report: Report) -> Iterator[str]:
    if report.outcome == "verified":
        yield f"VERIFIED by {_words(report.compared)}: {_FOLLOWS}"
        for what in report.compared:
            yield f"  {_SHOWN[what].format(entry=report.logged.written_down)}"
        return
    yield _OUTCOMES[report.outcome]
    if report.outcome == "consistent":
        for what, found in report.found.items():
            yield f"  {what} {found or '(it has none)'}"


def _words(compared: Sequence[str]) -> str:
    *first, last = (f"the {what}" for what in compared)
    return f"{', '.join(first)} and {last}" if first else last


def _short(words: str) -> str:
    return plain(words)[:_LONGEST]


def _checked(report: Report) -> Iterator[str]:
    """Yield what was looked at and found right; without a league that was not much."""
    if not report.league:
        return
    league, done = report.league, report.checked
    yield _short(f"League {league.name}, {league.terms.game.title}, {league.state}")
    yield f"  {counted(done['files'], 'file')}, by SHA256SUMS"
    yield f"  {counted(done['commitments'], 'seed')}, by what was committed to"
    yield f"  {counted(done['decks'], 'deck')}, by the seed"
    hands, actions = counted(done["hands"], "hand"), counted(done["actions"], "action")
    yield f"  {counted(done['matches'], 'match', 'es')}, {hands}, {actions}, by the rules"
    yield f"  {counted(done['duels'], 'duel')}, by their matches"
    if sure := report.completeness.sure:
        yield f"  {counted(sure, 'duel')} left unplayed, by the rule of adaptive rounds"
    ratings, cells = counted(done["ratings"], "row"), done["cells"]
    yield f"  {ratings} of ratings, {cells} of the crosstable, by the duels"
    if entries := report.logged.entries:
        what = "entry" if entries == 1 else "entries"
        yield f"  {entries} {what} of the log, by their chain and all of the above"
    if report.stated:
        yield f"  {counted(len(report.stated), 'opening statement')}, by the log and the league"


def _as_json(report: Report) -> dict[str, object]:
    league = report.league
    return {
        "outcome": report.outcome,
        "league": league.name if league else None,
        "state": league.state if league else None,
        "found": dict(report.found),
        "compared": list(report.compared),
        "head_entry": report.logged.written_down,
        "log_entries": report.logged.entries,
        "checked": dict(report.checked),
        "failures": [failure._asdict() for failure in report.failures],
        "on_trust": {
            "faults": dict(report.kinds),
            "voids": report.voids,
            **report.completeness._asdict(),
            "in_words": list(on_trust(report, league)) if league else [],
        },
    }
