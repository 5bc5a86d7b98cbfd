"""The faults of a league: what a bot did wrong, where, what it cost, and what its author can do."""

from collections.abc import Iterator, Mapping
from typing import Final

from referee.arena import fault as kinds
from referee.league.duel_names import duel_name
from referee.reports import duels
from referee.store.database import Store
from referee.store.duels import faults
from referee.store.models import League

ADVICE: Final = {
    kinds.ILLEGAL_ACTION: "Answer with the place of an action in the turn's list of legal ones, "
    "from 0.",
    kinds.MALFORMED_MESSAGE: "Send nothing but the messages of the protocol, of 65536 bytes at "
    "most; as many choices as turns.",
    kinds.PROTOCOL_ERROR: "Say hello once, with the token, and answer each turn once.",
    kinds.DECISION_TIMEOUT: "Decide faster, send what is decided in pieces, or sit at fewer "
    "tables.",
    kinds.BANK_EMPTY: "Look at the time left that comes with each turn, and decide faster as it "
    "shrinks.",
    kinds.CRASHED: "Look at the end of what the bot wrote: it should say where it failed.",
    kinds.DISCONNECTED: "Keep the stream open, and the process running, until the goodbye.",
    kinds.MEMORY_LIMIT: "Use less memory, or ask for more with memory_mib in bot.toml.",
    kinds.CPU_LIMIT: "Stop computing once every turn is answered, and wait for the next frame.",
    kinds.PROCESS_LIMIT: "Start fewer threads and processes.",
    kinds.OUTPUT_LIMIT: "Write less to the standard output and error.",
    kinds.NEVER_READY: "Load less, or faster, before the hello: all of it counts, up to the limit. "
    "After the hello there is no time for it.",
}
"""What an author can do about each kind."""


class NumberedFault(duels.FaultReport):
    """A fault in a league."""

    number: int
    """From 1, in the order in which they were stored; ``upcard fault save`` goes by it."""
    duel: str
    advice: str


def numbered_faults(
    store: Store, league: League, names: Mapping[int, str], entrant: int | None = None
) -> Iterator[NumberedFault]:
    """Yield the faults of a league, or of one entrant, in the order in which they were stored."""
    game = league.plan.terms.game
    for number, key, fault in faults(store, league.name):
        if entrant is None or fault.entrant == entrant:
            yield {
                "number": number,
                "duel": duel_name(key),
                **duels.fault(game, fault, names[fault.entrant]),
                "advice": ADVICE[fault.kind],
            }
