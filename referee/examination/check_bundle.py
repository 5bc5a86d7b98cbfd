"""The fault bundle of a check that failed, so that its author can look at it and rerun it."""

from collections.abc import Sequence

from referee.arena import fault
from referee.arena.fault import FAULT_KINDS, Fault, FaultKind
from referee.arena.limits import Terms, TimeLimits
from referee.engine.game import Game
from referee.examination.admission import Candidate
from referee.examination.fault_bundle import FaultBundle, SentMessage, bundle_of
from referee.examination.positions import examined_seat
from referee.examination.report_card import Check
from referee.examination.rerun import illegal_answers, steps_of, unanswered
from referee.rpc.decoding import AskedTurn


def check_bundle(
    check: Check, bot: Candidate, game: Game, limits: TimeLimits
) -> FaultBundle | None:
    """Return what is known of a failed check; None if it is about no fault."""
    kind, _, explanation = check.says.partition(": ")
    if kind not in FAULT_KINDS or check.evidence is None:
        return None
    seat = examined_seat(game)
    terms = Terms(game, limits, tables=bot.entrant.manifest.tables)
    found = Fault(FaultKind(kind), 0, seat, 0, 0, 0, explanation, False, check.evidence)
    bundle = bundle_of(found, bot.entrant, terms, bot.bot.digest)
    turn = _turn_at_fault(bundle.kind, bundle.messages)
    return bundle._replace(
        where=f"check '{check.name}'",
        hand=turn.hand_number if turn else 0,
        # A turn of a described game tells which player of its program is asked, not the seat.
        seat=seat if turn is None or turn.seat is None or turn.game == "recycle" else turn.seat,
    )


def _turn_at_fault(kind: FaultKind, messages: Sequence[SentMessage]) -> AskedTurn | None:
    if kind == fault.ILLEGAL_ACTION:
        return next((turn for turn, _ in illegal_answers(steps_of(messages))), None)
    return next(iter(unanswered(messages)), None)
