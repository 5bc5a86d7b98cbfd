"""What is written down of a fault, and what is too large for that."""

import json
import zlib
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest

from referee.arena import fault
from referee.arena.duel import Duel, DuelResult
from referee.arena.fault import Fault, StartFailure
from referee.bots.seating import SeatedBot
from referee.engine.record import Scoresheet, SeededDeal
from referee.league.channel import NeverStarted
from referee.league.stored_duels import LARGEST_BUNDLE, Writer
from referee.rpc.transcript import FROM_BOT, Message, TranscriptEvidence
from referee.scheduling.keys import DuelKey
from referee.store import play
from referee.store.models import StoredDuel, StoredFault, StoredVoid
from tests.cli.leagues import play_at_random
from tests.examination.conftest import SEED, TERMS, CausedFault, fault_of, seated_bot
from tests.games import highest

NOW = datetime(2026, 1, 1, tzinfo=UTC)
DIGESTS = "a" * 64, "b" * 64


@pytest.fixture
def entrant(tmp_path: Path) -> SeatedBot:
    return seated_bot(tmp_path / "tiny")


@pytest.fixture
def crashed() -> CausedFault:
    return fault_of("crashes")


def kept(caused: CausedFault, entrant: SeatedBot, *messages: Message) -> StoredFault:
    """Write down a duel with a fault before which so much was said."""
    evidence = caused.fault.evidence
    assert isinstance(evidence, TranscriptEvidence)
    assert isinstance(caused.fault, Fault)
    fault = caused.fault._replace(evidence=evidence._replace(messages=messages))
    deal = SeededDeal(SEED, "duel")
    record = Scoresheet(TERMS.game, 0, deal).record(0)
    result = DuelResult(Duel(0, deal, 0), (record, record), (fault,), (None, None))
    written = Writer((1, 2), (entrant, entrant), DIGESTS, TERMS).written(result, NOW)
    assert isinstance(written, StoredDuel)
    return written.faults[0]


def test_a_duel_whose_play_is_too_long_to_be_read_back_is_void(
    entrant: SeatedBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play, "_MOST_ANY", 100)
    game, deal = highest(players=2), SeededDeal(SEED, "duel")
    rooms = tuple(play_at_random(game, deal, luck) for luck in (0, 1))
    result = DuelResult(Duel(0, deal, 0), rooms, (), (None, None))
    terms = TERMS._replace(game=game)
    written = Writer((1, 2), (entrant, entrant), DIGESTS, terms).written(result, NOW)
    reason = "play: takes more than 0 MB; play fewer hands"
    assert written == StoredVoid(DuelKey(1, 2, 0), reason, NOW)


def said(size: int, at_random: Random) -> Message:
    return Message(1.0, FROM_BOT, at_random.randbytes(size))


def test_a_bundle_names_its_bot_by_the_digest_that_is_known(
    crashed: CausedFault, entrant: SeatedBot
) -> None:
    bundle = kept(crashed, entrant).bundle
    assert bundle
    told = json.loads(zlib.decompress(bundle))
    assert told["bot"]["digest"] == DIGESTS[crashed.fault.entrant]


@pytest.mark.parametrize(("messages", "is_kept"), [(200, True), (300, False)])
def test_a_bundle_that_was_padded_is_not_kept(
    crashed: CausedFault, entrant: SeatedBot, messages: int, is_kept: bool
) -> None:
    at_random = Random(1)
    fault = kept(crashed, entrant, *(said(4096, at_random) for _ in range(messages)))
    assert (fault.bundle is not None) == is_kept
    assert fault.bundle is None or len(fault.bundle) <= LARGEST_BUNDLE


def test_who_never_started_is_named_by_its_number_in_the_league(
    crashed: CausedFault, entrant: SeatedBot
) -> None:
    failed = StartFailure(fault.NEVER_READY, 1, 3, 0, "did not say hello", crashed.fault.evidence)
    written = Writer((4, 7), (entrant, entrant), DIGESTS, TERMS).written(failed, NOW)
    assert isinstance(written, NeverStarted)
    assert written[:3] == (7, "never_ready", "did not say hello")
    assert written.bundle
    told = json.loads(zlib.decompress(written.bundle))
    assert told["bot"]["digest"] == DIGESTS[1]
    assert told["fault"]["where"] == "open room, West, before its first turn"


def test_the_bundle_of_who_never_started_is_one_more_of_its_kind(
    crashed: CausedFault, entrant: SeatedBot
) -> None:
    writer = Writer((4, 7), (entrant, entrant), DIGESTS, TERMS)
    for _ in range(2):
        failed = StartFailure(fault.CRASHED, 1, 3, 0, "it ended", crashed.fault.evidence)
        written = writer.written(failed, NOW)
        assert isinstance(written, NeverStarted)
        assert written.bundle
