"""Records: written, read back, replayed, and refused with the field and the reason."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.engine.game import Game
from referee.engine.record import (
    SCHEMA,
    HandRecord,
    MatchRecord,
    Scoresheet,
    SeededDeal,
    each_once,
    from_json,
    play_match,
    replay,
    to_json,
    without_deal,
)
from referee.errors import RecordError
from tests.table import euchre

Change = Callable[[dict[str, Any]], object]


def played(game: Game | None = None) -> MatchRecord:
    random = Random(1)
    dealt = SeededDeal(bytes(32), "a duel")
    return play_match(game or euchre(), 3, dealt, lambda state: random.choice(state.legal))


def with_decks(record: MatchRecord) -> MatchRecord:
    return record._replace(dealt=tuple(record.deck(n) for n in range(len(record.hands))))


def forfeited(hand: int = 2, actions: int = 3) -> MatchRecord:
    """Return a match that East gives up in the middle of a hand."""
    random, sheet = Random(1), Scoresheet(euchre(), 3, SeededDeal(bytes(32), "a duel"))
    while sheet.match.hand < hand:
        sheet.play(random.choice(sheet.state.legal))
    for _ in range(actions):
        sheet.play(sheet.state.legal[0])
    return sheet.record(forfeited_by=1)


def refusal(change: Change, record: MatchRecord | None = None) -> str:
    """Change a good record, and return what is said of it."""
    data = json.loads(to_json(record or played()))
    change(data)
    with pytest.raises(RecordError) as refused:
        list(replay(from_json(json.dumps(data))))
    return str(refused.value)


def test_a_record_is_one_line() -> None:
    assert "\n" not in to_json(played())


def test_a_record_holds_its_schema() -> None:
    assert json.loads(to_json(played()))["schema"] == SCHEMA


def test_a_record_with_its_decks_reads_back_as_written() -> None:
    record = with_decks(played())
    assert from_json(to_json(record)) == record


def test_a_record_with_its_decks_replays_as_the_one_with_the_seed() -> None:
    record = played()
    assert [hand.last.result for hand in replay(with_decks(record))] == [
        hand.result for hand in record.hands
    ]


def test_every_action_is_recorded_with_its_seat() -> None:
    first = json.loads(to_json(played()))["hands"][0]
    assert first["actions"][0] == ["N", played().hands[0].actions[0][1]]


def test_forced_plays_are_recorded_like_any_other() -> None:
    lone = ("alone" in hand.result.notes for hand in played().hands)
    for hand, alone in zip(played().hands, lone, strict=True):
        plays = [action for _, action in hand.actions if action.startswith("play:")]
        assert len(plays) == (15 if alone else 20)


@pytest.mark.parametrize(
    "text",
    ["", "{", "nonsense", "[1, 2", '{"schema": 1'],
    ids=["empty", "brace", "word", "list", "cut"],
)
def test_what_is_not_json_is_refused(text: str) -> None:
    with pytest.raises(RecordError, match="this is not JSON"):
        from_json(text)


def test_a_record_that_lacks_its_last_character_is_refused() -> None:
    with pytest.raises(RecordError, match="this is not JSON"):
        from_json(to_json(played())[:-1])


@pytest.mark.parametrize("text", ["[]", "1", '"record"', "null"])
def test_what_is_not_an_object_is_refused(text: str) -> None:
    with pytest.raises(RecordError, match="must be a JSON object"):
        from_json(text)


def test_a_newer_schema_is_refused() -> None:
    assert refusal(lambda data: data.update(schema=2)) == (
        "schema: is 2, newer than this program reads (1); update upcard"
    )


@pytest.mark.parametrize("schema", [0, -1])
def test_a_schema_before_the_first_is_refused(schema: int) -> None:
    assert "schemas begin at 1" in refusal(lambda data: data.update(schema=schema))


@pytest.mark.parametrize("schema", [None, "1", 1.0, True])
def test_a_schema_is_a_whole_number(schema: object) -> None:
    assert refusal(lambda data: data.update(schema=schema)).startswith("schema: is missing or not")


@pytest.mark.parametrize("field", ["game", "rules", "first_dealer", "deal", "hands", "score"])
def test_a_missing_field_is_named(field: str) -> None:
    assert refusal(lambda data: data.pop(field)) == f"{field}: is missing"


@pytest.mark.parametrize("field", ["dealer", "actions", "points", "tricks", "notes"])
def test_a_missing_field_of_a_hand_is_named(field: str) -> None:
    assert refusal(lambda data: data["hands"][1].pop(field)) == f"hands[1].{field}: is missing"


def test_an_unknown_field_is_named() -> None:
    assert refusal(lambda data: data.update(winner=0)).startswith("winner: is unknown; known are")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda data: data.update(game="bridge"), "game: there is no game 'bridge'; choose euc"),
        (lambda data: data.update(game=7), "game: must be text"),
        (lambda data: data.update(rules=[]), "rules: must be a JSON object"),
        (lambda data: data["rules"].pop("alone"), "rules.alone: is missing or not on or off"),
        (lambda data: data["rules"].update(alone="on"), "rules.alone: is missing or not on or"),
        (lambda data: data["rules"].update(alone=1), "rules.alone: is missing or not on or off"),
        (lambda data: data["rules"].update(target="10"), "rules.target: is missing or not a whole"),
        (lambda data: data["rules"].update(target=True), "rules.target: is missing or not a who"),
        (lambda data: data["rules"].update(joker=True), "rules: euchre has no rule 'joker'; its"),
        (lambda data: data["rules"].update(target=0), "rules: euchre rule target must be a whole"),
        (
            lambda data: data["rules"].update(alone=False, partner_must_go_alone=True),
            "rules: partner_must_go_alone=on needs alone=on",
        ),
        (lambda data: data.update(first_dealer="X"), "first_dealer: must be one of N, E, S, W, n"),
        (lambda data: data.update(first_dealer=3), "first_dealer: must be one of N, E, S, W, not"),
        (lambda data: data.update(first_dealer=[]), "first_dealer: must be one of N, E, S, W, no"),
        (lambda data: data.update(deal=[]), "deal: must be a JSON object"),
        (lambda data: data["deal"].update(seed="00"), "deal.seed: a seed is 64 lower-case hexade"),
        (lambda data: data["deal"].update(duel="\ud800"), "deal.duel: a duel key is text that c"),
        (lambda data: data["deal"].update(seed=1), "deal.seed: must be text"),
        (lambda data: data["deal"].pop("duel"), "deal.duel: is missing"),
        (lambda data: data["deal"].update(decks=[]), "deal.seed: is unknown; known are decks"),
        (lambda data: data.update(hands={}), "hands: must be a list"),
        (lambda data: data["hands"].insert(0, 5), "hands[0]: must be a JSON object"),
        (lambda data: data["hands"][0].update(dealer="Q"), "hands[0].dealer: must be one of N, E"),
        (lambda data: data["hands"][0].update(actions=3), "hands[0].actions: must be a list"),
        (
            lambda data: data["hands"][0]["actions"].insert(2, "pass"),
            'hands[0].actions[2]: must be a seat and an action, as in ["N", "pass"]',
        ),
        (
            lambda data: data["hands"][0]["actions"].insert(0, ["N", 4]),
            "hands[0].actions[0]: must be text",
        ),
        (
            lambda data: data["hands"][0]["actions"].insert(0, ["Z", "pass"]),
            "hands[0].actions[0]: must be one of N, E, S, W, not 'Z'",
        ),
        (
            lambda data: data["hands"][0].update(points=[1]),
            "hands[0].points: must have a whole number for each side: North-South, East-West",
        ),
        (
            lambda data: data["hands"][0].update(tricks=["1", 4]),
            "hands[0].tricks: is missing or not a whole number",
        ),
        (lambda data: data["hands"][0].update(notes="march"), "hands[0].notes: must be a list"),
        (lambda data: data["hands"][0].update(notes=[1]), "hands[0].notes: must be text"),
        (lambda data: data.update(score=None), "score: must be a list"),
    ],
)
def test_a_wrong_shape_is_refused_with_field_and_reason(change: Change, said: str) -> None:
    assert refusal(change).startswith(said)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda data: data["hands"].append(data["hands"][0]), "the match was over before this"),
        (lambda data: data["hands"].pop(), "hands: the match is not over at ("),
        (lambda data: data.update(score=[10, 99]), "score: is (10, 99), but the hands give"),
        (
            lambda data: data.update(first_dealer="N"),
            "hands[0].dealer: is W, but N deals this hand",
        ),
        (
            lambda data: data["hands"][1].update(dealer="W"),
            "hands[1].dealer: is W, but N deals this hand",
        ),
        (
            lambda data: data["hands"][0]["actions"].insert(0, ["N", "play:9C"]),
            "hands[0].actions[0]: 'play:9C' is not allowed at this point (bidding; North is to",
        ),
        (
            lambda data: data["hands"][0]["actions"].insert(0, ["E", "pass"]),
            "hands[0].actions[0]: it is N who acts, not E",
        ),
        (
            lambda data: data["hands"][0]["actions"].pop(),
            "hands[0].actions: the hand is not played out",
        ),
        (
            lambda data: data["hands"][0]["actions"].append(["N", "pass"]),
            ": the hand was over before this action",
        ),
        (lambda data: data["hands"][0].update(points=[9, 9]), "hands[0].points: is (9, 9), but th"),
        (lambda data: data["hands"][0].update(tricks=[9, 9]), "hands[0].tricks: is (9, 9), but th"),
        (lambda data: data["hands"][0].update(notes=["x"]), "hands[0].notes: is ('x',), but the"),
        (lambda data: data["deal"].update(duel="another"), "hands[0].actions["),
    ],
)
def test_what_cannot_have_happened_is_refused_with_field_and_reason(
    change: Change, said: str
) -> None:
    assert said in refusal(change)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda data: data["deal"]["decks"].pop(), "]: this hand has no deck"),
        (lambda data: data["deal"]["decks"][0].pop(), "deal.decks[0]: a deck holds each of the 24"),
        (
            lambda data: data["deal"]["decks"][1].__setitem__(0, "1C"),
            "deal.decks[1]: a deck holds each of the 24 cards",
        ),
        (lambda data: data["deal"].update(decks="9C"), "deal.decks: must be a list"),
        (lambda data: data["deal"].update(decks=[[9]]), "deal.decks[0]: must be text"),
    ],
)
def test_wrong_decks_are_refused_with_field_and_reason(change: Change, said: str) -> None:
    assert said in refusal(change, with_decks(played()))


def test_a_deck_nobody_needed_is_refused() -> None:
    record = with_decks(played())
    more = record._replace(dealt=(*record.dealt, record.deck(0)))
    with pytest.raises(RecordError, match=r"deal\.decks: holds \d+ decks for \d+ hands"):
        list(replay(more))


def test_the_example_in_the_documentation_replays() -> None:
    page = (Path(__file__).parents[2] / "docs" / "records.md").read_text()
    example = page.split("```json")[1].split("```")[0]
    (hand,) = replay(from_json(example))
    assert hand.last.result is not None


def test_a_field_given_twice_is_refused() -> None:
    text = to_json(played()).replace('"first_dealer"', '"game":"euchre","first_dealer"')
    with pytest.raises(RecordError, match="game: is given twice"):
        from_json(text)


@pytest.mark.parametrize(
    "number", ["9" * 5000, "[" * 200_000 + "]" * 200_000], ids=["long", "deep"]
)
def test_json_that_python_will_not_read_is_refused(number: str) -> None:
    with pytest.raises(RecordError, match="too deep, or has too long a number"):
        from_json(f'{{"schema": {number}}}')


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.update(game="g" * 10_000),
        lambda data: data.update(first_dealer="X" * 10_000),
        lambda data: data.update({"u" * 10_000: 1}),
        lambda data: data["rules"].update({"u" * 10_000: 1}),
        lambda data: data["hands"][0].update(notes=["n" * 10_000]),
        lambda data: data["hands"][0]["actions"].insert(0, ["N", "play:" + "9" * 10_000]),
    ],
)
def test_a_message_stays_short_whatever_the_record_says(change: Change) -> None:
    assert len(refusal(change)) < 300


def test_a_changed_action_is_found_wherever_it_stands() -> None:
    """Each action becomes another one of that hand; nobody sits out, so every one counts."""
    record = played(euchre(alone=False))
    for number, hand in enumerate(record.hands[:3]):
        for place, (seat, action) in enumerate(hand.actions):
            for other in {other for _, other in hand.actions} - {action}:
                actions = (*hand.actions[:place], (seat, other), *hand.actions[place + 1 :])
                changed = HandRecord(hand.dealer, actions, hand.result)
                hands = (*record.hands[:number], changed, *record.hands[number + 1 :])
                with pytest.raises(RecordError):
                    list(replay(record._replace(hands=hands)))


def test_a_forfeited_match_reads_back_as_written() -> None:
    assert from_json(to_json(forfeited())) == forfeited()


def test_a_forfeited_match_replays_its_finished_hands() -> None:
    assert len(list(replay(forfeited()))) == 2


def test_a_match_may_be_forfeited_before_it_begins() -> None:
    record = forfeited(hand=0, actions=0)
    assert list(replay(from_json(to_json(record)))) == []


def test_a_forfeited_match_is_won_by_the_other_team() -> None:
    assert forfeited().winner == 0


def test_a_match_played_out_is_won_by_the_team_with_more_points() -> None:
    record = played()
    assert record.winner is not None
    assert record.score[record.winner] == max(record.score) > min(record.score)


def test_a_match_played_out_says_nothing_of_a_forfeit() -> None:
    assert "forfeit" not in json.loads(to_json(played()))


def test_the_deck_of_the_unfinished_hand_is_not_left_over() -> None:
    record = forfeited()
    dealt = tuple(record.deck(hand) for hand in range(3))
    assert len(list(replay(record._replace(dealt=dealt)))) == 2


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda data: data["forfeit"].pop("seat"), "forfeit.seat: is missing"),
        (lambda data: data["forfeit"].update(seat="X"), "forfeit.seat: must be one of N, E, S, W"),
        (lambda data: data["forfeit"].update(why="slow"), "forfeit.why: is unknown"),
        (
            lambda data: data["forfeit"]["actions"].append(["N", "play:2C"]),
            "forfeit.actions[3]: ",
        ),
        (
            lambda data: data["forfeit"].update(actions=data["hands"].pop()["actions"]),
            "forfeit.actions: the hand is played out, and so belongs to `hands`",
        ),
    ],
)
def test_a_forfeit_that_cannot_have_happened_is_refused(change: Change, said: str) -> None:
    assert refusal(change, forfeited()).startswith(said)


def test_a_match_that_was_over_cannot_be_forfeited() -> None:
    record = played()
    assert refusal(
        lambda data: data.update(forfeit={"seat": "E", "actions": []}), record
    ).startswith("forfeit: the match was over at")


def test_a_record_without_its_deal_lacks_nothing_else() -> None:
    record = played()
    whole = json.loads(to_json(record))
    assert json.loads(json.dumps(without_deal(record))) == {
        field: value for field, value in whole.items() if field != "deal"
    }


def test_what_a_scoresheet_holds_is_what_was_played() -> None:
    random, record = Random(1), played()
    sheet = Scoresheet(record.game, record.first_dealer, record.dealt)
    while sheet.state.actor is not None:
        sheet.play(random.choice(sheet.state.legal))
    assert sheet.record() == record


def test_the_positions_of_a_scoresheet_are_those_in_which_it_was_played() -> None:
    sheet = Scoresheet(euchre(), 3, SeededDeal(bytes(32), "a duel"))
    random = Random(1)
    before: list[object] = []
    while sheet.match.hand < 2 or len(before) % 7:
        state = sheet.state
        before.append((len(before), sheet.match, state.view(0), state.actor))
        sheet.play(random.choice(state.legal))
    after = [(n, match, state.view(0), state.actor) for n, match, state in sheet.positions()]
    assert (after, sheet.actions) == (before, len(before))


class CountedKey(str):
    """A key that counts how often it is compared with another one."""

    __slots__ = ()
    compared = 0
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        CountedKey.compared += 1
        return str.__eq__(self, other)


def test_a_field_given_twice_is_found_in_linear_time() -> None:
    names = [CountedKey(number) for number in (*range(1000), 999)]
    with pytest.raises(RecordError, match="999: is given twice"):
        each_once([(name, None) for name in names])
    assert CountedKey.compared < 10 * len(names)
