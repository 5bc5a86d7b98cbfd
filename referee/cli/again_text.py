"""What people and programs are shown of a duel that is played again with the same deals."""

from collections.abc import Iterator
from typing import NamedTuple

from typing_extensions import TypedDict

from referee.cli.played_duels import PlayedDuel
from referee.cli.turn_text import situation_lines
from referee.engine.seating import entrant_at, room_names, room_title
from referee.league.bot_logs import Decision, Logged
from referee.reports.duels import DuelLine
from referee.reports.played_again import Parted, PlayedAgain, played_again
from referee.rpc.decoding import asked_turn
from referee.text import counted, plain


class PartedReport(TypedDict):
    """The first decision of a hand that was not made as it was before."""

    room: str
    hand: int
    """From 1."""
    seat: str
    decision: str
    """What was to be decided (``trick 3``)."""
    bot_before: str
    before: str
    """What it did, as a card player tells it."""
    logged_before: list[str]
    """What it logged about that, as far as its logs are there."""
    bot_now: str
    now: str
    logged_now: list[str]
    situation: list[str]
    """What the seat knew, in lines."""


class Again(NamedTuple):
    """A duel, and the one before it that had the same deals."""

    before: PlayedDuel
    now: DuelLine
    logged: Logged
    """What the bots logged now."""

    @property
    def report(self) -> list[PartedReport]:
        """Return where they part."""
        return [self._report(parted) for parted in self._compared.parted]

    @property
    def lines(self) -> Iterator[str]:
        """Yield the same as text."""
        before, compared = self.before, self._compared
        league = f" of {before.league.name}" if before.league else ""
        yield (
            f"Of {counted(compared.hands, 'hand')} played both times, {len(compared.parted)} went "
            f"otherwise than in duel {before.name}{league}"
        )
        for each in self.report:
            yield ""
            yield f"{room_title(each['room'])}, hand {each['hand']}, {each['decision']}"
            yield f"  before      as {each['seat']} {plain(each['bot_before'])} {each['before']}"
            yield from (f"              logged: {line}" for line in each["logged_before"])
            yield f"  now         as {each['seat']} {plain(each['bot_now'])} {each['now']}"
            yield from (f"              logged: {line}" for line in each["logged_now"])
            yield from (f"  {line}" for line in each["situation"])

    @property
    def _compared(self) -> PlayedAgain:
        return played_again(self.before.rooms, self.now.rooms)

    def _report(self, parted: Parted) -> PartedReport:
        game, state = parted.match.game, parted.state
        entrant = entrant_at(game, parted.room, parted.seat)
        decision = Decision(parted.room, parted.match.hand + 1, parted.move, parted.seat)
        return {
            "room": room_names(game)[parted.room],
            "hand": parted.match.hand + 1,
            "seat": game.seat_names[parted.seat],
            "decision": state.decision,
            "bot_before": self.before.bots[entrant],
            "before": plain(game.say(parted.before)),
            "logged_before": [plain(line) for line in self.before.logged.get(decision, ())],
            "bot_now": self.now.names[entrant],
            "now": plain(game.say(parted.now)),
            "logged_now": [plain(line) for line in self.logged.get(decision, ())],
            "situation": list(situation_lines(asked_turn(parted.match, state))),
        }
