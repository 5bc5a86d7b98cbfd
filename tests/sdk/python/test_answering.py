"""Frames in, answers out, without a network."""

from collections.abc import Callable, Iterable, Iterator
from itertools import count
from threading import Event

import pytest

import upcard
from referee.engine.match import Match
from referee.engine.registry import preset
from referee.engine.tricks import trick_view
from tests.sdk.python.turns import turn_of, welcome
from tools.testdata import described
from upcard.answering import Tables
from upcard.pieces import Pieces
from upcard.v1.euchre_pb2 import EuchreCall, EuchrePhase
from upcard.v1.referee_pb2 import Answers, Frame, TableClosed, TableOpened, Turn, Welcome

PATIENCE = 60


class First(upcard.Bot):
    def choose(self, _view: upcard.View, legal: tuple[str, ...]) -> str:
        return legal[0]


class Last(upcard.Bot):
    def choose(self, _view: upcard.View, legal: tuple[str, ...]) -> str:
        return legal[-1]


class Silent(upcard.Bot):
    pass


class Split(upcard.Bot):
    def bid(self, _view: upcard.EuchreView, _legal: tuple[str, ...]) -> str:
        return "order_up"

    def discard(self, view: upcard.EuchreView, _legal: tuple[str, ...]) -> str:
        return f"discard:{view.hand[-1]}"

    def play(self, view: upcard.View, _legal: tuple[str, ...]) -> str:
        return f"play:{view.legal_cards[-1]}"


def seated(
    kind: type[upcard.Bot],
    game: str = "euchre",
    opened: Iterable[int] = (1,),
    seed: int = 99,
) -> Tables:
    tables = Tables(kind, welcome(preset(game).game(), 0))
    frame = Frame(opened=[TableOpened(table_id=table, seed=seed) for table in opened])
    assert answers_of(tables, frame) == []
    return tables


def answers_of(
    tables: Tables, frame: Frame, clock: Callable[[], float] = lambda: 0.0
) -> list[Answers]:
    sent: list[Answers] = []
    tables.answer(frame, Pieces(sent.append, clock))
    return sent


def moment(so_far: str = "", game: str = "euchre") -> tuple[Turn, tuple[str, ...]]:
    """Return the turn of the seat that acts after some actions, and what is legal then."""
    match = Match.start(preset(game).game(), 3)
    state = match.deal(match.game.pack)
    for action in so_far.split():
        state = state.play(next(legal for legal in state.legal if legal == action))
    return turn_of(trick_view(state, state.actor), match, turn_id=1, table_id=1), state.legal


def turns(number: int) -> Frame:
    frame = Frame(turns=[moment()[0]] * number)
    for place, turn in enumerate(frame.turns):
        turn.turn_id = place + 10
    return frame


def chosen(kind: type[upcard.Bot], so_far: str = "", game: str = "euchre") -> str:
    turn, legal = moment(so_far, game)
    (answers,) = answers_of(seated(kind, game), Frame(turns=[turn]))
    return legal[answers.choices[0]]


def test_an_answer_is_the_place_among_the_legal_actions() -> None:
    (answers,) = answers_of(seated(Last), Frame(turns=[moment()[0]]))
    assert list(answers.choices) == [2]


def test_a_frame_is_answered_in_one_message() -> None:
    (answers,) = answers_of(seated(First), turns(256))
    assert list(answers.turn_ids) == list(range(10, 266))


def test_each_table_of_a_frame_has_its_own_answer() -> None:
    class Remembering(upcard.Bot):
        def __init__(self) -> None:
            self.calls = count()

        def choose(self, _view: upcard.View, legal: tuple[str, ...]) -> str:
            return legal[next(self.calls)]

    frame = turns(4)
    for turn, table in zip(frame.turns, (1, 2, 1, 2), strict=True):
        turn.table_id = table
    (answers,) = answers_of(seated(Remembering, opened=(1, 2)), frame)
    assert list(answers.choices) == [0, 0, 1, 1]


def test_news_alone_is_not_answered() -> None:
    assert answers_of(seated(First), Frame(closed=[TableClosed(table_id=1)])) == []


def test_what_took_long_is_sent_before_the_rest() -> None:
    now = 0.0

    class Slow(upcard.Bot):
        def choose(self, _view: upcard.View, legal: tuple[str, ...]) -> str:
            nonlocal now
            now += 0.04
            return legal[0]

    pieces = answers_of(seated(Slow), turns(7), lambda: now)
    assert [len(piece.turn_ids) for piece in pieces] == [3, 3, 1]


def test_the_last_piece_is_never_empty() -> None:
    clock = count(step=1.0)
    pieces = answers_of(seated(First), turns(2), lambda: float(next(clock)))
    assert [list(piece.turn_ids) for piece in pieces] == [[10], [11]]


def test_what_is_finished_is_sent_while_a_decision_takes_its_time() -> None:
    sent: list[list[int]] = []
    was_sent = Event()

    def send(piece: Answers) -> None:
        sent.append(list(piece.turn_ids))
        was_sent.set()

    class Thinking(First):
        def choose(self, _view: upcard.View, legal: tuple[str, ...]) -> str:
            if len(pieces.choices) == 2:
                assert was_sent.wait(PATIENCE)
            return legal[0]

    pieces = Pieces(send)
    seated(Thinking).answer(turns(4), pieces)
    assert sent == [[10, 11], [12, 13]]


def test_what_is_finished_is_sent_though_a_decision_fails() -> None:
    class Failing(First):
        def choose(self, _view: upcard.View, legal: tuple[str, ...]) -> str:
            if len(pieces.choices) == 2:
                raise ZeroDivisionError
            return legal[0]

    sent: list[Answers] = []
    pieces = Pieces(sent.append, lambda: 0.0)
    tables = seated(Failing)
    with pytest.raises(ZeroDivisionError):
        tables.answer(turns(4), pieces)
    assert [list(piece.turn_ids) for piece in sent] == [[10, 11]]


def test_a_closed_table_is_forgotten() -> None:
    tables = seated(First)
    answers_of(tables, Frame(closed=[TableClosed(table_id=1)]))
    with pytest.raises(KeyError):
        answers_of(tables, turns(1))


def test_a_bot_is_made_when_it_is_asked_first() -> None:
    made = count()

    class Counted(First):
        def __init__(self) -> None:
            next(made)

    tables = seated(Counted, opened=range(256))
    answers_of(tables, turns(1))
    assert next(made) == 1


@pytest.mark.parametrize(("seed", "same"), [(99, True), (98, False)])
def test_a_bot_draws_on_its_tables_seed(seed: int, same: bool) -> None:
    drawn = []

    class Drawing(First):
        def __init__(self) -> None:
            drawn.append(self.random.random())

    for each in (99, seed):
        answers_of(seated(Drawing, seed=each), turns(1))
    assert (drawn[0] == drawn[1]) is same


def test_a_bot_knows_its_table_when_it_is_made() -> None:
    known = []

    class Curious(First):
        def __init__(self) -> None:
            known.append((self.seat, self.rules.target, self.random.random() < 1))

    answers_of(seated(Curious), turns(1))
    assert known == [(0, 10, True)]


@pytest.mark.parametrize(
    ("so_far", "action"),
    [
        ("", "order_up"),
        ("order_up", "discard:JS"),
        ("order_up discard:9S", "play:KC"),
    ],
)
def test_each_kind_of_decision_has_its_method(so_far: str, action: str) -> None:
    assert chosen(Split, so_far) == action


def test_whist_needs_only_play() -> None:
    class Whist(upcard.Bot):
        def play(self, _view: upcard.View, legal: tuple[str, ...]) -> str:
            return legal[3]

    assert chosen(Whist, game="whist").startswith("play:")


RULES, AT_ONE, _ = described.of_a_match()


def acted(kind: type[upcard.Bot]) -> int:
    """Return what a bot answers in a game described in RECYCLE."""
    received = Welcome.FromString(described.welcome(RULES))
    turn = Turn.FromString(described.turn(RULES, AT_ONE))
    tables = Tables(kind, received)
    frame = Frame(opened=[TableOpened(table_id=turn.table_id)], turns=[turn])
    (answers,) = answers_of(tables, frame)
    return answers.choices[0]


def test_a_game_described_in_recycle_needs_only_act() -> None:
    class Acting(upcard.Bot):
        def act(self, view: upcard.RecycleView, _legal: tuple[str, ...]) -> str:
            return view.moves[-1].text

    assert acted(Acting) == len(AT_ONE["moves"]) - 1


def test_choose_is_asked_in_a_game_described_in_recycle() -> None:
    assert acted(First) == 0


def test_act_is_named_where_it_is_missing() -> None:
    with pytest.raises(upcard.MissingMethod, match=r"Split cannot decide: write act\("):
        acted(Split)


def test_a_bot_knows_which_player_of_which_game_it_is() -> None:
    known = []

    class Curious(First):
        def __init__(self) -> None:
            known.append((self.seat, self.rules))

    acted(Curious)
    ((seat, rules),) = known
    assert isinstance(rules, upcard.RecycleRules)
    assert (seat, rules.seat, rules.name) == (7, 8, "eight at a table")


def test_moves_in_words_are_told_apart() -> None:
    class Wrong(upcard.Bot):
        def choose(self, _view: upcard.View, _legal: tuple[str, ...]) -> str:
            return "nothing"

    told = "'nothing'; legal here: play NA-RED; play CJ-BLUE$"
    with pytest.raises(upcard.IllegalChoice, match=told):
        acted(Wrong)


def test_a_missing_method_is_named() -> None:
    with pytest.raises(upcard.MissingMethod, match=r"Silent cannot decide: write bid\("):
        chosen(Silent)


@pytest.mark.parametrize("returned", ["KC", "play:9S", None, 0, True])
def test_what_is_not_legal_is_refused(returned: object) -> None:
    class Wrong(upcard.Bot):
        def choose(self, _view: upcard.View, _legal: tuple[str, ...]) -> str:
            return returned  # type: ignore[return-value]

    with pytest.raises(upcard.IllegalChoice) as error:
        chosen(Wrong)
    assert str(error.value) == (
        f"the bot returned {returned!r}; legal here: pass order_up order_up_alone"
    )


def test_a_game_from_the_future_is_refused() -> None:
    with pytest.raises(upcard.NotKnown, match="does not know"):
        Tables(First, Welcome(protocol_revision=2))


@pytest.mark.parametrize("call", [0, 12, -1])
def test_a_call_from_the_future_is_refused(call: int) -> None:
    frame = turns(1)
    frame.turns[0].euchre.legal_calls.append(EuchreCall.ValueType(call))
    with pytest.raises(upcard.NotKnown, match="turn 10 at table 1 offers an action that"):
        answers_of(seated(First), frame)


def test_a_phase_from_the_future_is_refused() -> None:
    frame = turns(1)
    frame.turns[0].euchre.phase = EuchrePhase.ValueType(4)
    with pytest.raises(upcard.NotKnown):
        answers_of(seated(First), frame)


@pytest.mark.parametrize("game", ["euchre", "whist"])
def test_a_view_of_another_game_is_refused(game: str) -> None:
    with pytest.raises(upcard.NotKnown):
        answers_of(seated(First, game), Frame(turns=[Turn(turn_id=1, table_id=1)]))


def test_the_situation_tells_hand_and_choices() -> None:
    tables = seated(Silent)
    with pytest.raises(upcard.MissingMethod):
        answers_of(tables, turns(1))
    assert tables.situation() == (
        "euchre, bidding: hand 9C TC JC QC KC, upcard JS, legal pass order_up order_up_alone"
    )


def pieces_of(tables: Tables, frame: Frame) -> Iterator[list[int]]:
    for piece in answers_of(tables, frame):
        yield list(piece.choices)


@pytest.mark.parametrize("each", [1, 7, 64])
def test_choices_do_not_depend_on_the_batching(each: int) -> None:
    class Drawing(upcard.Bot):
        def choose(self, _view: upcard.View, legal: tuple[str, ...]) -> str:
            return self.random.choice(legal)

    whole, split = seated(Drawing), seated(Drawing)
    together = [choice for piece in pieces_of(whole, turns(64)) for choice in piece]
    apart = [
        choice
        for start in range(0, 64, each)
        for piece in pieces_of(split, Frame(turns=turns(64).turns[start : start + each]))
        for choice in piece
    ]
    assert apart == together
