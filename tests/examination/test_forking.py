"""A bot may start processes of its own after gRPC has started."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from referee.arena.duel import Duel, DuelResult
from referee.arena.limits import Terms, TimeLimits
from referee.engine.record import SeededDeal
from referee.engine.registry import preset
from referee.rpc.sessions import play_session
from tests.examination.plain import PlainLauncher

if TYPE_CHECKING:
    from referee.arena.session import Outcome

BOT = str(Path(__file__).with_name("forking_bot.py"))


@pytest.mark.parametrize(
    "arguments", [(), ("as gRPC likes",)], ids=["as it is started", "as gRPC likes"]
)
def test_a_bot_that_forks_is_not_hung_up_on(arguments: tuple[str, ...]) -> None:
    outcomes: list[Outcome] = []
    terms = Terms(preset("euchre").game(), TimeLimits(decision=30.0, ready=30.0), tables=1)
    duel = Duel(0, SeededDeal(bytes(32), "forks"), 0)
    asyncio.run(play_session(terms, [duel], PlainLauncher(BOT, *arguments), outcomes.append))
    (outcome,) = outcomes
    assert isinstance(outcome, DuelResult)
    assert outcome.faults == ()
