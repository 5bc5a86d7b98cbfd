"""How far a league is, who is in it, and who runs it."""

from typing_extensions import TypedDict

from referee.league.table import LeagueTable
from referee.reports.facts import Facts, facts
from referee.store import models


class EntryReport(TypedDict):
    """A bot in a league."""

    number: int
    """From 1, in the order in which they were entered."""
    name: str
    """What it is called in the league: by no more than tells it apart."""
    version: str
    digest: str
    epoch: int
    """The epoch that began when it was first to play; 0 before that."""
    withdrawn: str | None
    """When."""


class Status(Facts):
    """How far a league is, and who is in it."""

    entrants: list[EntryReport]
    run_by: str | None
    """The process that runs it now, if one does."""


def status(table: LeagueTable, run_by: str | None) -> Status:
    """Return how far a league is."""
    entrants = [_entry(table, entry) for entry in table.league.entries]
    return {**facts(table), "entrants": entrants, "run_by": run_by}


def _entry(table: LeagueTable, entry: models.Entry) -> EntryReport:
    return {
        "number": entry.number,
        "name": table.names[entry.number],
        "version": entry.bot.version,
        "digest": entry.bot.digest,
        "epoch": entry.epoch,
        "withdrawn": entry.withdrawn.isoformat() if entry.withdrawn else None,
    }
