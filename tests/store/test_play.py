import zlib
from contextlib import suppress
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.engine.game import Game
from referee.engine.record import Forfeit, MatchRecord, Scoresheet, SeededDeal, play_match
from referee.engine.recycle import Recycle
from referee.engine.seating import rooms
from referee.errors import RecordError
from referee.store.play import ANY_GAME, FORMAT, LONGEST, Rooms, packed, unpacked
from tests.cli.leagues import play_at_random
from tests.games import highest
from tests.recycle.small import page
from tests.store.scenes import SEED, played
from tests.table import euchre, whist
from upcard.recycle import bounds

DEALT = SeededDeal(SEED, "cup/euchre/1-2/1")
GAMES = (
    euchre(),
    euchre(alone=False, target=1),
    euchre(stick_dealer=False),
    whist(),
    whist(target=50),
)
FIRST = (
    "0178bbb605ab457363a645461acd47a3f96864e523c6ff0c8c0ccc0c4c0c0c0c8c324c0ccc4ccc8c4cac201e"
    "0cc0d88c0c28804545535b59574bc740cf50dd544ddfccdcd8c4c28aaa86010015e1130a"
)


def match(game: Game, dealer: int, luck: int, forfeit: tuple[int, int] | None) -> MatchRecord:
    """Play at random, to the end or until a seat forfeits after so many actions."""
    draw = Random(luck)
    sheet = Scoresheet(game, dealer, DEALT)
    actions = 0
    while sheet.state.actor is not None:
        if forfeit and actions == forfeit[1]:
            return sheet.record(forfeit[0])
        sheet.play(draw.choice(sheet.state.legal))
        actions += 1
    return sheet.record()


@pytest.mark.parametrize("players", [2, 3, 7])
def test_a_duel_of_the_longest_hands_can_be_stored(players: int) -> None:
    long = "N" * bounds.NAME
    stored = f"(set ((current player) str {long}) {long})" * 30
    text = page(f"(stage player (end (== 1 2)) (choice ((do ({stored})))))", players=players)
    game = Recycle.with_rules({"program": text, "hands": 2})
    record = play_match(game, players - 1, DEALT, lambda state: state.legal[0])
    assert [hand.result.notes for hand in record.hands] == [("stopped",)] * 2
    play = packed((record,) * len(rooms(game)))
    assert len(play) <= LONGEST
    assert unpacked(play, DEALT, game)[0] == record


FORFEITS = st.none() | st.tuples(st.integers(0, 3), st.integers(0, 300))


@pytest.mark.slow
@given(st.sampled_from(GAMES), st.integers(0, 3), st.integers(0), FORFEITS, FORFEITS)
def test_play_comes_back_exactly_as_it_was(
    game: Game,
    dealer: int,
    luck: int,
    first: tuple[int, int] | None,
    second: tuple[int, int] | None,
) -> None:
    rooms = match(game, dealer, luck, first), match(game, dealer, luck + 1, second)
    assert unpacked(packed(rooms), DEALT, game) == rooms


def test_packed_play_holds_nothing_of_the_seed() -> None:
    one, other = played(euchre(), DEALT)
    elsewhere = SeededDeal(bytes(32), "none")
    undealt = one._replace(dealt=elsewhere), other._replace(dealt=elsewhere)
    assert packed((one, other)) == packed(undealt)


def test_a_duel_of_euchre_takes_less_than_a_kilobyte() -> None:
    assert len(packed(played(euchre(), DEALT))) < 1000


def by_the_first_action(game: Game) -> Rooms:
    """Play what is listed first; rooms that tell of one way each are not worth more."""
    sheets = Scoresheet(game, 1, DEALT), Scoresheet(game, 1, DEALT)
    for sheet in sheets:
        while sheet.state.actor is not None:
            sheet.play(sheet.state.legal[0])
    return sheets[0].record(), sheets[1].record()


def test_what_the_first_release_packed_can_be_read() -> None:
    game = euchre(target=1)
    assert unpacked(bytes.fromhex(FIRST), DEALT, game) == by_the_first_action(game)


def test_play_of_a_newer_format_is_refused() -> None:
    data = packed(played(euchre(), DEALT))
    with pytest.raises(RecordError, match="newer upcard"):
        unpacked(bytes([3]) + data[1:], DEALT, euchre())


@pytest.mark.parametrize("place", range(1, 500, 7))
def test_a_changed_byte_of_play_is_noticed_or_changes_nothing(place: int) -> None:
    rooms = played(euchre(), DEALT)
    data = bytearray(packed(rooms))
    data[place] ^= 0x10
    with suppress(RecordError):
        assert unpacked(bytes(data), DEALT, euchre()) == rooms


def test_play_that_was_cut_off_is_refused() -> None:
    data = packed(played(whist(), DEALT))
    with pytest.raises(RecordError, match="damaged"):
        unpacked(data[:-1], DEALT, whist())


def test_play_of_a_seat_that_no_table_has_is_refused() -> None:
    opened, closed = played(euchre(), DEALT)
    strangers = (
        opened._replace(first_dealer=4),
        opened._replace(hands=(opened.hands[0]._replace(dealer=9), *opened.hands[1:])),
        opened._replace(forfeit=Forfeit(4, ())),
    )
    for stranger in strangers:
        with pytest.raises(RecordError, match="damaged"):
            unpacked(packed((stranger, closed)), DEALT, euchre())


@pytest.mark.parametrize(
    "written",
    [
        b"[" * 60_000,
        b'["euchre", [], [], []]',
        b'["euchre", {"alone": []}, [], []]',
        b'["euchre", {}, [1], []]',
        b"[{}, {}, [], []]",
    ],
)
def test_play_of_what_is_no_game_is_refused(written: bytes) -> None:
    head = len(written).to_bytes(2, "little") + written
    with pytest.raises(RecordError, match="damaged"):
        unpacked(bytes([FORMAT]) + zlib.compress(head), DEALT, euchre())


ANY = highest(players=5)


def of_any_game() -> Rooms:
    return tuple(play_at_random(ANY, DEALT, luck) for luck in range(10))


def test_play_of_any_other_game_comes_back_exactly_as_it_was() -> None:
    broken_off = of_any_game()[0]._replace(
        hands=of_any_game()[0].hands[:1], score=(1, 2, 3, 4, 0), forfeit=Forfeit(4, ())
    )
    rooms = broken_off, *of_any_game()[1:]
    assert unpacked(packed(rooms), DEALT, ANY) == rooms


def test_the_game_is_not_in_the_play_of_any_other_game() -> None:
    data = packed(of_any_game())
    assert data[0] == ANY_GAME
    assert b"highest" not in zlib.decompress(data[1:])


@pytest.mark.parametrize("written", [b"[]", b"{}", b"[1]", b'[{"hands": []}]', b"[" * 60_000])
def test_play_that_is_none_of_any_other_game_is_refused(written: bytes) -> None:
    with pytest.raises(RecordError, match="damaged"):
        unpacked(bytes([ANY_GAME]) + zlib.compress(written), DEALT, ANY)


def test_play_of_any_other_game_that_lacks_a_room_or_its_end_is_refused() -> None:
    for data in (packed(of_any_game()[:9]), packed(of_any_game())[:-1]):
        with pytest.raises(RecordError, match="damaged"):
            unpacked(data, DEALT, ANY)


def test_play_that_would_fill_the_memory_is_refused() -> None:
    data = bytes([ANY_GAME]) + zlib.compress(b"[" + b" " * (1 << 25) + b"]")
    with pytest.raises(RecordError, match="damaged"):
        unpacked(data, DEALT, ANY)
