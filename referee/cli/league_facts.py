"""What stands above every table of a league: the game, the seeds, how far it is, the sandbox."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from referee.cli.called import command
from referee.cli.game_text import with_rules
from referee.league.epochs import waits_for
from referee.league.table import LeagueFacts, plays_on_text
from referee.store.models import Epoch, Isolation, League
from referee.text import counted, plain

UNSANDBOXED: Final = "UNSANDBOXED"
MARKS: Final = ("sandboxed", "seed_given", "deals")
"""The columns that every row for programs ends with."""
_YES_OR_NO: Final = ("no", "yes")


def title(table: LeagueFacts) -> str:
    """Return the line that heads a table: the league, and what nobody may overlook."""
    marks = (UNSANDBOXED, not table.sandboxed), ("SEED GIVEN", table.seed_given)
    heads = "".join(f"{mark}: " for mark, holds in marks if holds)
    return f"{heads}{plain(table.league.name)}"


def marked(table: LeagueFacts, rows: Iterable[Sequence[object]]) -> Iterator[Sequence[object]]:
    """Put into each row for programs what nobody may overlook."""
    marks = (_YES_OR_NO[table.sandboxed], _YES_OR_NO[table.seed_given], table.deals)
    return ((*map(_plain_if_text, row), *marks) for row in rows)


def _plain_if_text(value: object) -> object:
    return plain(value) if isinstance(value, str) else value


def print_facts(table: LeagueFacts) -> None:
    """Print what is true of the league, whatever its table shows."""
    print(f"{game_text(table.league)}; {table.league.state}")
    print(_progress(table))
    if plays_on := plays_on_text(table):
        print(plays_on)
    if table.rounds:
        each = counted(table.rounds.each, "duel")
        print(f"{counted(len(table.rounds.pairs), 'round')} paired so far, {each} a pair in each")
    if beside := table.stored - table.played:
        print(f"{counted(beside, 'duel')} more do not count: with who is withdrawn or suspended")
    print(table.deals)
    for epoch in table.league.epochs:
        for line in _seed(table.league, epoch):
            print(line)
    for line in _pending(table.league):
        print(line)
    for line in _isolations(table):
        print(line)


def game_text(league: League) -> str:
    """Return the game of a league with its rules."""
    return with_rules(league.plan.terms.game)


def _progress(table: LeagueFacts) -> str:
    at_most = "at most " if table.league.plan.until else ""
    return (
        f"{table.played} of {at_most}{counted(table.planned, 'duel')} played"
        + (f"; {counted(len(table.voids), 'void')}" if table.voids else "")
        + (f"; {len(table.unplayed)} unplayed" if table.unplayed else "")
        + (f"; {command('duels', '--voids')} has the reasons" if table.voids else "")
    )


def _seed(league: League, epoch: Epoch) -> Iterator[str]:
    of = f" {epoch.number}" if len(league.epochs) > 1 else ""
    if epoch.opening:
        yield f"opening statement{of} {epoch.opening.digest}"
    yield f"commitment{of} {epoch.commitment}"
    if epoch.revealed and epoch.secret != epoch.seed:
        yield f"secret{of} {epoch.secret.hex()}"
    given = " (given)" if epoch.seed_given else ""
    if epoch.revealed:
        yield f"seed{of} {epoch.seed.hex()}{given}"
    elif given:
        yield f"seed{of}{given}: somebody chose it, and so could know the deals"


def _pending(league: League) -> Iterator[str]:
    """Yield what was published of the epoch that begins next, and what is still to come."""
    if league.pending:
        of = f" {league.pending.number}" if league.epochs else ""
        if league.pending.statement:
            yield f"opening statement{of} {league.pending.digest}"
        yield f"commitment{of} {league.pending.commitment}"
        yield from waits_for(league)


def _isolations(table: LeagueFacts) -> Iterator[str]:
    for isolation, duels in table.isolations:
        where = f" in {counted(duels, 'duel')}" if len(table.isolations) > 1 else ""
        yield f"{sandbox_text(isolation)}{where}"


def sandbox_text(isolation: Isolation) -> str:
    """Return how bots were kept apart, in a line."""
    if not isolation.sandboxed:
        return f"{UNSANDBOXED}: the bots could do whatever the referee can"
    by_level = ((level, _of_level(isolation, level)) for level in ("weak", "missing"))
    less = "".join(f"; {', '.join(found)} {level}" for level, found in by_level if found)
    strict = ", strict" if isolation.strict else ""
    enforced = counted(len(_of_level(isolation, "enforced")), "guarantee")
    return f"Sandbox{strict}: {enforced} enforced{less}"


def _of_level(isolation: Isolation, level: str) -> list[str]:
    return [each["name"] for each in isolation.guarantees if each["level"] == level]
