"""`upcard replay` and `upcard convert`."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from referee.cli.duel_logs import write_logs
from referee.engine.cards import SEAT_NAMES
from referee.engine.record import Scoresheet, SeededDeal, to_json
from referee.game_files import find_game
from referee.league.table import league_table
from referee.store.opening import open_store
from tests.breaking import REASON, breaking
from tests.cli.conftest import Upcard
from tests.cli.leagues import SEED, bots, write_league
from tests.table import euchre


def hands_of(path: Path, match: int = 1) -> list[dict[str, Any]]:
    hands: list[dict[str, Any]] = json.loads(path.read_text().splitlines()[match - 1])["hands"]
    return hands


@pytest.fixture
def forfeited_file(tmp_path: Path) -> Path:
    """A match that West gave up in its second hand, and one given up before it began."""
    lines = []
    for hands in (1, 0):
        sheet = Scoresheet(euchre(), 3, SeededDeal(bytes(32), "forfeited"))
        while sheet.match.hand < hands:
            sheet.play(sheet.state.legal[0])
        lines.append(to_json(sheet.record(forfeited_by=3)))
    path = tmp_path / "forfeited.jsonl"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_a_forfeit_is_told_after_the_last_finished_hand(
    upcard: Upcard, forfeited_file: Path
) -> None:
    out = upcard("replay", forfeited_file).out
    assert out.endswith("West forfeits the match by a fault\n")
    assert "Match 1, hand 1 of 1" in out


def test_a_match_forfeited_before_it_began_has_nothing_to_tell(
    upcard: Upcard, forfeited_file: Path
) -> None:
    out = upcard("replay", forfeited_file, "--match", 2).out
    assert out == (
        "Match 2 was forfeited before a hand was finished\nWest forfeits the match by a fault\n"
    )


def test_the_first_match_is_told_hand_by_hand(upcard: Upcard, euchre_file: Path) -> None:
    out = upcard("replay", euchre_file).out
    assert out.count("Match 1, hand ") == len(hands_of(euchre_file))


def test_another_match_can_be_chosen(upcard: Upcard, euchre_file: Path) -> None:
    assert "Match 3, hand 1 of" in upcard("replay", euchre_file, "--match", 3).out


def test_one_hand_can_be_chosen(upcard: Upcard, euchre_file: Path) -> None:
    out = upcard("replay", euchre_file, "--hand", 2).out
    assert ("hand 1 of" in out, "hand 2 of" in out, "hand 3 of" in out) == (False, True, False)


def test_every_card_is_shown_when_no_seat_is_named(upcard: Upcard, euchre_file: Path) -> None:
    out = upcard("replay", euchre_file, "--hand", 1).out
    assert all(f"{rank}{suit}" in out for rank in "9TJQKA" for suit in "CDHS")


def test_every_call_is_told(upcard: Upcard, euchre_file: Path) -> None:
    for number, hand in enumerate(hands_of(euchre_file), start=1):
        out = upcard("replay", euchre_file, "--hand", number).out
        passes = sum(action == "pass" for _, action in hand["actions"])
        assert out.count(" passes\n") == passes


def test_the_score_after_the_hand_is_told(upcard: Upcard, whist_file: Path) -> None:
    points = hands_of(whist_file)[0]["points"]
    out = upcard("replay", whist_file, "--hand", 1).out
    assert f"score North-South {points[0]}, East-West {points[1]}" in out


def test_the_last_hand_says_that_the_match_is_over(upcard: Upcard, whist_file: Path) -> None:
    assert upcard("replay", whist_file).out.count("the match is over") == 1


@pytest.mark.slow
@pytest.mark.parametrize("seat", ["N", "E", "S", "W"])
def test_a_seats_replay_shows_no_card_that_it_did_not_see(
    upcard: Upcard, euchre_file: Path, seat: str
) -> None:
    """Played cards, the upcard and its own hand are all that it may show."""
    for number in range(1, len(hands_of(euchre_file)) + 1):
        full = upcard("replay", euchre_file, "--hand", number).out
        told = upcard("replay", euchre_file, "--hand", number, "--seat", seat).out
        cards = {f"{rank}{suit}" for rank in "9TJQKA" for suit in "CDHS"}
        actions = hands_of(euchre_file)[number - 1]["actions"]
        played = {action[5:] for _, action in actions if action.startswith("play:")}
        name = SEAT_NAMES["NESW".index(seat)]
        own = next(line for line in full.splitlines() if line.startswith(f"{name}  ")).split()[1:]
        turned = next(line for line in full.splitlines() if line.startswith("turned up")).split()[2]
        assert {card for card in cards if card in told} == played | set(own) | {turned}


def test_a_seats_replay_shows_its_own_discard_only(upcard: Upcard, euchre_file: Path) -> None:
    for number, hand in enumerate(hands_of(euchre_file), start=1):
        discards = any(action.startswith("discard:") for _, action in hand["actions"])
        for seat in "NESW":
            out = upcard("replay", euchre_file, "--hand", number, "--seat", seat).out
            assert ("discards" in out) == (discards and seat == hand["dealer"])


def test_a_seat_that_does_not_deal_is_told_that_the_dealer_picked_up(
    upcard: Upcard, euchre_file: Path
) -> None:
    hand = hands_of(euchre_file)[0]
    assert any(action.startswith("order_up") for _, action in hand["actions"])
    out = upcard("replay", euchre_file, "--hand", 1, "--seat", "N").out
    assert re.search(r"West takes the \w\w and lays a card away\n", out)


def test_check_says_how_much_was_checked(upcard: Upcard, euchre_file: Path) -> None:
    hands = sum(len(hands_of(euchre_file, match)) for match in (1, 2, 3))
    said = upcard("replay", euchre_file, "--check")
    assert (said.code, f"3 matches, {hands} hands" in said.out) == (0, True)


def test_check_names_the_line_the_field_and_the_reason(upcard: Upcard, euchre_file: Path) -> None:
    lines = euchre_file.read_text().splitlines()
    lines[1] = lines[1].replace('"score":[', '"score":[9')
    euchre_file.write_text("\n".join(lines))
    said = upcard("replay", euchre_file, "--check")
    assert (said.code, "euchre.jsonl, line 2: score: is (9" in said.err) == (1, True)


def test_a_match_is_not_told_if_it_cannot_have_happened(upcard: Upcard, euchre_file: Path) -> None:
    text = euchre_file.read_text()
    euchre_file.write_text(text.replace('"score":[', '"score":[9', 1))
    said = upcard("replay", euchre_file)
    assert (said.code, said.out, "line 1: score" in said.err) == (1, "", True)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--match", 9), "holds 3 matches; choose 1 to 3"),
        (("--hand", 99), "hands; choose 1 to"),
        (("--seat", "X"), "there is no seat 'X'; choose N, E, S, W"),
        (("--hand", 0), "Invalid value for '--hand'"),
        (("--check", "--hand", 1), "--check looks at every match; leave out --match, --hand and"),
        (("--check", "--seat", "N"), "--check looks at every match; leave out --match, --hand an"),
    ],
)
def test_wrong_words_are_answered_in_one_line(
    upcard: Upcard, euchre_file: Path, words: tuple[object, ...], says: str
) -> None:
    said = upcard("replay", euchre_file, *words)
    assert (said.code, said.out, said.err.count("\n"), says in said.err) == (2, "", 1, True)


def test_euchre_is_converted_to_egn(upcard: Upcard, euchre_file: Path, tmp_path: Path) -> None:
    out = tmp_path / "match.egn"
    assert upcard("convert", euchre_file, out, "--match", 2).code == 0
    assert len(json.loads(out.read_text())["deals"]) == len(hands_of(euchre_file, 2))


def test_whist_is_converted_to_pbn(upcard: Upcard, whist_file: Path, tmp_path: Path) -> None:
    out = tmp_path / "matches.pbn"
    assert upcard("convert", whist_file, out).code == 0
    hands = sum(len(hands_of(whist_file, match)) for match in (1, 2))
    assert out.read_text().count("[Deal ") == hands


def test_several_matches_do_not_fit_in_egn(
    upcard: Upcard, euchre_file: Path, tmp_path: Path
) -> None:
    said = upcard("convert", euchre_file, tmp_path / "match.egn")
    assert (said.code, "--match" in said.err) == (2, True)


def test_a_notation_of_another_game_is_refused(
    upcard: Upcard, whist_file: Path, tmp_path: Path
) -> None:
    said = upcard("convert", whist_file, tmp_path / "match.egn")
    assert (said.code, "whist is written as .pbn; name such a file" in said.err) == (2, True)


def test_two_games_in_one_file_are_refused(
    upcard: Upcard, whist_file: Path, euchre_file: Path, tmp_path: Path
) -> None:
    both = tmp_path / "both"
    both.write_text(whist_file.read_text() + euchre_file.read_text())
    said = upcard("convert", both, tmp_path / "match.pbn")
    assert (said.code, "holds euchre and whist; choose a match with --match" in said.err) == (
        2,
        True,
    )


def test_what_cannot_have_happened_is_not_converted(
    upcard: Upcard, whist_file: Path, tmp_path: Path
) -> None:
    whist_file.write_text(whist_file.read_text().replace('"score":[', '"score":[9', 1))
    said = upcard("convert", whist_file, tmp_path / "match.pbn")
    assert (said.code, "line 1: score" in said.err) == (1, True)
    assert not (tmp_path / "match.pbn").exists()


@pytest.fixture
def club(tmp_path: Path) -> Path:
    """A store with a league of two, in which ada is number 1."""
    write_league(tmp_path / "upcard.db", bots(["ada", "bert"]))
    return tmp_path / "upcard.db"


def first_duel(upcard: Upcard, db: Path) -> dict[str, Any]:
    duels = json.loads(upcard("duels", "--db", db, "--json").out)["duels"]
    return next(duel for duel in duels if duel["duel"].endswith("/1"))


def test_both_rooms_of_a_duel_are_told_hand_by_hand(upcard: Upcard, club: Path) -> None:
    duel = first_duel(upcard, club)
    out = upcard("replay", "club", duel["duel"], "--db", club).out
    assert f"Duel {duel['duel']}, open room: {duel['first']} North-South, {duel['second']} E" in out
    assert f"Duel {duel['duel']}, closed room: {duel['second']} North-South, {duel['first']}" in out
    assert out.count("the match is over") == 2


def test_the_scores_told_are_those_listed(upcard: Upcard, club: Path) -> None:
    duel = first_duel(upcard, club)
    for room, (north_south, east_west) in duel["scores"].items():
        out = upcard("replay", "club", duel["duel"], "--room", room, "--db", club).out
        assert out.count("the match is over") == 1
        assert (
            f"score North-South {north_south}, East-West {east_west}, and the match is over" in out
        )


def test_a_league_need_not_be_named_if_it_is_the_only_one(upcard: Upcard, club: Path) -> None:
    told = upcard("replay", "1-2/1", "--db", club)
    assert (told.code, told) == (0, upcard("replay", "club", "1-2/1", "--db", club))


def test_a_duel_is_found_whoever_is_named_first(upcard: Upcard, club: Path) -> None:
    assert upcard("replay", "2-1/1", "--db", club) == upcard("replay", "1-2/1", "--db", club)


def test_the_same_hand_of_both_rooms_has_the_same_cards(upcard: Upcard, club: Path) -> None:
    out = upcard("replay", "1-2/1", "--hand", 1, "--db", club).out
    dealt = re.findall(
        r"^(?:North|East|South|West|kitty) +(?:[9TJQKA][CDHS] ?)+$", out, re.MULTILINE
    )
    assert (len(dealt), dealt[:5]) == (10, dealt[5:])


def test_a_seats_replay_of_a_duel_shows_no_other_hand(upcard: Upcard, club: Path) -> None:
    out = upcard("replay", "1-2/1", "--room", "open", "--hand", 1, "--seat", "N", "--db", club).out
    assert re.findall(r"^(North|East|South|West|kitty) +\w\w \w\w ", out, re.MULTILINE) == ["North"]


def test_the_seed_of_a_league_is_not_told(upcard: Upcard, club: Path) -> None:
    assert SEED.hex() not in upcard("replay", "1-2/1", "--db", club).out


def test_a_forfeit_in_one_room_is_told_there(upcard: Upcard, tmp_path: Path) -> None:
    db = tmp_path / "upcard.db"
    write_league(db, bots(["ada", "bert"]), faulty={1})
    out = upcard("replay", "1-2/1", "--db", db).out
    assert out.count("forfeits the match by a fault") == 1
    assert "forfeits" in out.partition(", closed room")[0]


def test_a_room_without_the_hand_says_so(upcard: Upcard, tmp_path: Path) -> None:
    db = tmp_path / "upcard.db"
    write_league(db, bots(["ada", "bert"]), faulty={1})
    said = upcard("replay", "1-2/1", "--hand", 2, "--db", db)
    assert (said.code, "1-2/1, open room was over after 1 hand\n" in said.out) == (0, True)


def test_a_file_that_is_there_is_a_file_whatever_it_is_called(
    upcard: Upcard, euchre_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (euchre_file.parent / "1-2").mkdir()
    euchre_file.rename(euchre_file.parent / "1-2" / "1")
    monkeypatch.chdir(euchre_file.parent)
    assert "Match 1, hand 1 of" in upcard("replay", "1-2/1").out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("cup", "1-2/1"), "there is no league 'cup'"),
        (("club",), "there is no file club; a league takes a DUEL too, as club 1-2/17"),
        (("club", "x17"), "a duel is named like 1-2/17, as 'upcard duels' shows it, not 'x17'"),
        (("gone/duels.jsonl", "17"), "there is no file gone/duels.jsonl"),
        (("club", "1-3/1"), "club has no duel 1-3/1; 'upcard duels' lists them"),
        (("club", "1-1/1"), "club has no duel 1-1/1"),
        (("club", "1-2/0"), "club has no duel 1-2/0"),
        (("club", "1-2/99"), "1-2/99"),
        (("club", "1-2/1", "--hand", 99), "hands; choose 1 to"),
        (
            ("club", "1-2/1", "--match", 2),
            "--match and --check are for whole files; a duel has --room",
        ),
        (
            ("club", "1-2/1", "--check"),
            "--match and --check are for whole files; a duel has --room",
        ),
        (
            ("1-2/1", "--room", "cellar"),
            "there is no room 'cellar' in a duel of euchre; choose open or closed",
        ),
    ],
)
def test_wrong_words_about_a_duel_are_answered_in_one_line(
    upcard: Upcard, club: Path, words: tuple[object, ...], says: str
) -> None:
    said = upcard("replay", *words, "--db", club)
    assert (said.code, said.out, said.err.count("\n"), says in said.err) == (2, "", 1, True)


def test_a_file_has_no_rooms(upcard: Upcard, euchre_file: Path) -> None:
    said = upcard("replay", euchre_file, "--room", "open")
    assert (said.code, "--room is for a duel; name the DUEL too" in said.err) == (2, True)


def test_the_number_of_a_duel_is_its_name_in_a_league_of_two(upcard: Upcard, club: Path) -> None:
    told = upcard("replay", "club", 2, "--room", "closed", "--db", club)
    named = upcard("replay", "club", "1-2/2", "--room", "closed", "--db", club)
    assert told.code == 0
    # Headings are filled up with dashes to the same width.
    assert told.out.replace("-", "") == named.out.replace("1-2/2", "2").replace("-", "")


@pytest.fixture
def logs(club: Path) -> Path:
    """The matches of a duel's logs, with the names of its bots beside them."""
    directory = club.parent / "logs"
    directory.mkdir()
    with open_store(str(club)) as store:
        table = league_table(store, "club")
        write_logs(directory, store, table)
    return directory / "duels.jsonl"


def test_a_duel_in_a_file_goes_by_the_same_name_as_in_the_league(
    upcard: Upcard, club: Path, logs: Path
) -> None:
    told = upcard("replay", logs, "3", "--room", "open")
    assert told.code == 0
    assert told == upcard("replay", "club", "3", "--room", "open", "--db", club)


def test_a_file_without_the_duel_says_so(upcard: Upcard, logs: Path) -> None:
    said = upcard("replay", logs, "99")
    assert (said.code, "has no matches of a duel '99'" in said.err) == (2, True)


# Games that a program describes


@pytest.fixture
def described(tmp_path: Path) -> Path:
    """A league of black lady, in which three play, each for himself."""
    place = tmp_path / "upcard.db"
    write_league(place, bots(["ada", "bert"]), game=find_game("black-lady").game(), duels=1)
    return place


def test_a_described_game_is_told_move_by_move(upcard: Upcard, described: Path) -> None:
    out = upcard("replay", "club", "1-2/1", "--room", 1, "--db", described).out
    assert out.startswith("Duel 1-2/1, room 1: ada Player 1 and Player 3, bert Player 2\n")
    assert "black-lady; Player 2 is the first player; score Player 1 0" in out
    assert re.search(r"^  1 Player 2 moves \w+-\w+ from HAND to PASSED$", out, re.MULTILINE)


def test_all_rooms_of_a_described_game_are_told(upcard: Upcard, described: Path) -> None:
    out = upcard("replay", "club", "1-2/1", "--db", described).out
    assert [f"room {number}, hand 1 of 1" in out for number in range(1, 7)] == [True] * 6


def test_one_seat_is_told_no_card_that_it_does_not_see(upcard: Upcard, described: Path) -> None:
    whole = upcard("replay", "club", "1-2/1", "--room", 2, "--db", described).out
    seen = upcard("replay", "club", "1-2/1", "--room", 2, "--seen-by", 2, "--db", described).out
    others = re.findall(r"^Player [13] HAND: (.+)$", whole, re.MULTILINE)[:2]
    assert len(others) == 2
    assert not any(hand in seen for hand in others)
    assert re.search(r"^Player 1 HAND: \d+ cards face down$", seen, re.MULTILINE)
    assert "Player 1 moves a card from HAND to PASSED" in seen
    assert re.search(r"Player 2 moves \w+-\w+ from HAND to PASSED", seen)


def test_a_seat_that_a_game_does_not_have_is_refused(upcard: Upcard, described: Path) -> None:
    said = upcard("replay", "club", "1-2/1", "--seen-by", "N", "--db", described)
    assert said.code == 2
    assert "there is no seat 'N'; choose 1, 2, 3" in said.err


def test_a_hand_that_could_not_go_on_says_why(upcard: Upcard, tmp_path: Path) -> None:
    place = tmp_path / "upcard.db"
    write_league(place, bots(["ada", "bert"]), game=breaking(hands=8), duels=1)
    out = upcard("replay", "club", "1-2/1", "--db", place).out
    assert f"The hand could not go on, and is scored as it stands: {REASON}" in out
