"""`upcard league log`: all that was done to a league, with the head of the hash chain."""

from collections.abc import Mapping

from referee.cli import arguments
from referee.cli.league_argument import LeagueName, chosen_league
from referee.cli.output import print_json, print_table
from referee.cli.store_options import Db
from referee.league.duel_names import duel_name
from referee.scheduling.keys import DuelKey
from referee.store.log import LogEntry, entries, entry_as_json
from referee.store.opening import DEFAULT, open_store
from referee.text import plain

_SHOWN = 12
"""How many digits of a digest or of a head are shown."""
_LONGEST = 60
_FIRST = {"duel", "entrant", "epoch", "worker"}
"""What the other facts of an entry are about."""
_HIDDEN = {"plan", "name"}


def log(name: LeagueName = None, json: arguments.AsJson = False, db: Db = DEFAULT) -> None:
    """List all that was done to a league, in order.

    Each entry has the head of a hash chain. Write the last one down, or publish it: it proves later
    that no entry up to it was changed, left out or put in between.
    """
    with open_store(db) as store:
        name = chosen_league(store, name)
        found = entries(store, name)
        if json:
            print_json([{**entry_as_json(*entry[:4]), "head": entry.head} for entry in found])
            return
        rows, last = [], None
        for last in found:
            rows.append(_row(last))
    if last is None:
        print(f"{name} is older than logs, and nothing was done to it since")
        return
    print_table(name, ("entry", "at", "kind", "what", "head"), rows)
    print(head_text(last.number, last.head))


def head_text(number: int, head: str) -> str:
    """Return the line that shows the head of a log."""
    return f"The head of its log, at entry {number}: {head}"


def _row(entry: LogEntry) -> tuple[str, ...]:
    at = f"{entry.at:%Y-%m-%d %H:%M:%S}"
    return str(entry.number), at, plain(entry.kind), _what(entry.body), entry.head[:_SHOWN]


def _what(body: Mapping[str, object]) -> str:
    ordered = sorted(body.items(), key=lambda item: item[0] not in _FIRST)
    told = {name: value for name, value in ordered if name not in _HIDDEN}
    parts = (_part(name, value) for name, value in told.items() if value not in (None, ""))
    return plain(", ".join(parts))[:_LONGEST]


def _part(name: str, value: object) -> str:
    match name, value:
        case "duel", [int(first), int(second), int(number)]:
            return duel_name(DuelKey(first, second, number))
        case "after" | "counted_from", int(number):
            return f"{name.replace('_', ' ')} duel {number + 1}"
        case (("digest" | "commitment" | "isolation" | "file"), str(digest)):
            return f"{name} {digest[:_SHOWN]}"
        case "entrants", list(several):
            return f"{len(several)} entrants"
        case _:
            return f"{name.replace('_', ' ')} {value}"
