"""A fault that is played again: it comes back, or it does not."""

import asyncio
from pathlib import Path

import pytest

from referee.arena.limits import TimeLimits
from referee.bots.seating import SeatedBot
from referee.examination.fault_bundle import FaultBundle
from referee.examination.fault_reading import read_bundle
from referee.examination.rerun import ComparedStep, Rerun, rerun, steps_of, unanswered
from referee.rpc.decoding import read_frame
from referee.rpc.transcript import TO_BOT, TranscriptEvidence
from tests.examination.conftest import TERMS, TINY, fault_of, written
from tests.examination.plain import PlainLauncher

KINDS = {
    "misplays the third trick": "illegal_action",
    "crashes": "crashed",
    "quits": "disconnected",
    "falls silent": "decision_timeout",
    "sends rubbish": "malformed_message",
    "answers the wrong turn": "protocol_error",
    "has another token": "protocol_error",
    "computes on": "cpu_limit",
}


@pytest.fixture
def bundle(request: pytest.FixtureRequest, entrant: SeatedBot, tmp_path: Path) -> FaultBundle:
    return read_bundle(written(fault_of(request.param), entrant, tmp_path))


def again(bundle: FaultBundle, misbehaviour: str) -> tuple[Rerun, list[ComparedStep]]:
    compared: list[ComparedStep] = []
    came = asyncio.run(rerun(bundle, PlainLauncher(TINY, misbehaviour), compared.append))
    return came, compared


@pytest.mark.parametrize(("bundle", "kind"), KINDS.items(), indirect=["bundle"])
def test_the_session_found_the_fault_that_was_made(bundle: FaultBundle, kind: str) -> None:
    assert bundle.kind == kind


@pytest.mark.parametrize(
    ("bundle", "misbehaviour"), [(name, name) for name in KINDS], indirect=["bundle"]
)
def test_a_fault_comes_back_in_the_same_bot(bundle: FaultBundle, misbehaviour: str) -> None:
    came, _ = again(bundle, misbehaviour)
    assert came.is_the_same(bundle), came.violation


@pytest.mark.parametrize("bundle", ["crashes", "misplays the third trick"], indirect=True)
def test_a_fault_does_not_come_back_in_a_bot_that_is_fixed(bundle: FaultBundle) -> None:
    came, _ = again(bundle, "nothing")
    assert came.violation is None


@pytest.mark.parametrize("bundle", ["crashes"], indirect=True)
def test_another_fault_is_not_the_same(bundle: FaultBundle) -> None:
    came, _ = again(bundle, "misplays the third trick")
    assert (came.is_the_same(bundle), came.violation is None) == (False, False)


@pytest.mark.parametrize("bundle", ["crashes"], indirect=True)
def test_the_same_messages_are_sent_in_the_same_order(bundle: FaultBundle) -> None:
    came, _ = again(bundle, "nothing")
    sent = [said.data for said in came.evidence.messages if said.way == TO_BOT]
    assert sent == [said.data for said in bundle.messages if said.way == TO_BOT]


@pytest.mark.parametrize("bundle", ["crashes"], indirect=True)
def test_tables_that_were_opened_before_the_tail_are_opened_again(bundle: FaultBundle) -> None:
    sent = [said for said in bundle.messages if said.way == TO_BOT]
    came, _ = again(bundle._replace(messages=(*bundle.messages[:2], sent[-1])), "nothing")
    frame = read_frame([said.data for said in came.evidence.messages if said.way == TO_BOT][-1])
    assert frame
    assert frame.opened.keys() == {asked.table for asked in frame.turns}


@pytest.mark.parametrize("bundle", ["crashes"], indirect=True)
def test_the_same_answers_are_told_to_be_the_same(bundle: FaultBundle) -> None:
    _, compared = again(bundle, "crashes")
    assert [list(each.others) for each in compared] == [[] for _ in compared]
    assert compared


@pytest.mark.parametrize("bundle", ["crashes"], indirect=True)
def test_other_answers_are_told_with_those_of_before(bundle: FaultBundle) -> None:
    _, compared = again(bundle, "draws lots")
    others = [other for each in compared[:-1] for other in each.others]
    assert others
    assert all(before in asked.legal and now in asked.legal for asked, before, now in others)


def test_time_for_a_match_runs_out_again(entrant: SeatedBot, tmp_path: Path) -> None:
    terms = TERMS._replace(limits=TimeLimits(decision=2.0, bank=0.1))
    bundle = read_bundle(written(fault_of("thinks long", terms), entrant, tmp_path))
    came, _ = again(bundle, "thinks long")
    assert (bundle.kind, came.is_the_same(bundle)) == ("bank_empty", True)


def test_a_bot_that_never_said_hello_says_it_or_not(entrant: SeatedBot, tmp_path: Path) -> None:
    terms = TERMS._replace(limits=TimeLimits(ready=6.0))
    bundle = read_bundle(written(fault_of("says nothing", terms), entrant, tmp_path))
    silent, _ = again(bundle, "says nothing")
    fixed, _ = again(bundle, "nothing")
    assert (bundle.kind, silent.is_the_same(bundle), fixed.violation) == (
        "never_ready",
        True,
        None,
    )


@pytest.mark.parametrize("bundle", ["falls silent"], indirect=True)
def test_the_turns_that_were_open_are_known(bundle: FaultBundle) -> None:
    steps = [step for step in steps_of(bundle.messages) if step.turns]
    assert {asked.turn for asked in unanswered(bundle.messages)} == set(steps[-1].turns)


def test_evidence_of_a_session_is_what_a_bundle_is_made_of() -> None:
    assert isinstance(fault_of("crashes").fault.evidence, TranscriptEvidence)
