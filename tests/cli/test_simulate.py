"""`upcard simulate`."""

import csv
import io
import json
import re
from pathlib import Path

import pytest

from tests.breaking import PROGRAM
from tests.cli.conftest import Upcard
from tests.rollouts.programs import SOUND

SEED = "c0" * 32
SHORT = ("--matches", "20", "--seed", SEED)


def test_it_says_how_many_matches_were_played(upcard: Upcard) -> None:
    assert "20 matches of random play" in upcard("simulate", "euchre", *SHORT).out


def test_it_shows_the_seed_so_that_it_can_be_run_again(upcard: Upcard) -> None:
    drawn = upcard("simulate", "whist", "--matches", 1).out.split("seed ")[1].split()[0]
    first, second = (upcard("simulate", "whist", "--matches", 1, "--seed", drawn) for _ in "ab")
    assert first == second


def test_without_a_seed_two_runs_differ(upcard: Upcard) -> None:
    first, second = (
        json.loads(upcard("simulate", "whist", "--matches", 1, "--json").out) for _ in "ab"
    )
    assert first["seed"] != second["seed"]


def test_each_match_follows_from_the_seed_and_its_number_alone(
    upcard: Upcard, tmp_path: Path
) -> None:
    few, many = tmp_path / "few", tmp_path / "many"
    upcard("simulate", "euchre", "--matches", 2, "--seed", SEED, "--record-out", few)
    upcard("simulate", "euchre", "--matches", 5, "--seed", SEED, "--record-out", many)
    assert many.read_text().startswith(few.read_text())


def test_a_rule_can_be_changed(upcard: Upcard) -> None:
    told = json.loads(upcard("simulate", "euchre", *SHORT, "--rule", "alone=off", "--json").out)
    assert (told["rules"]["alone"], told["notes"]["alone"]["hands"]) == (False, 0)


def test_the_first_dealer_can_be_chosen(upcard: Upcard, tmp_path: Path) -> None:
    path = tmp_path / "out"
    upcard("simulate", "euchre", *SHORT, "--first-dealer", "E", "--record-out", path)
    assert json.loads(path.read_text().splitlines()[0])["hands"][0]["dealer"] == "E"


def test_choices_along_a_hand_and_players_are_shown(upcard: Upcard) -> None:
    out = upcard("simulate", "euchre", *SHORT).out
    assert "Choices along a hand, by the number of the decision" in out
    assert "player 4" in out
    assert re.search(r"the first player wins [+-]\d+\.\d% \(\S+ to \S+\) more of the hands", out)


def test_a_game_from_a_program_is_simulated_like_the_others(upcard: Upcard) -> None:
    told = json.loads(upcard("simulate", "kuhn-poker", *SHORT, "--rule", "hands=2", "--json").out)
    assert (told["game"], told["rules"]["name"], told["first_dealer"]) == (
        "recycle",
        "kuhn-poker",
        "2",
    )
    assert told["spreads"]["hands a match"] == {"count": 20, "mean": 2.0, "least": 2, "most": 2}
    assert [player["player"] for player in told["players"]] == [1, 2]


def test_the_program_of_a_game_is_not_printed_among_its_rules(upcard: Upcard) -> None:
    assert upcard("simulate", "kuhn-poker", *SHORT).out.startswith("kuhn-poker (hands=1)\n")


def test_matches_that_end_level_are_won_by_nobody(upcard: Upcard) -> None:
    out = upcard("simulate", "goofspiel", "--matches", 30, "--seed", SEED).out
    won = re.search(r"won by Player 1 (\d+), Player 2 (\d+), nobody (\d+)\n", out)
    assert won
    assert sum(map(int, won.groups())) == 30


def test_points_that_count_negatively_are_explained(upcard: Upcard) -> None:
    out = upcard("simulate", "black-lady", "--matches", 2).out
    assert "the lowest score wins, so points count negatively" in out


def test_a_game_that_fails_names_the_match_and_the_seed(upcard: Upcard, tmp_path: Path) -> None:
    path = tmp_path / "broken.rcy"
    broken = "(move (top (game iloc NOTHING)) (top (game iloc STOCK)))"
    path.write_text(SOUND.replace("(shuffle (game iloc STOCK))", broken))
    said = upcard("simulate", path, "--seed", SEED)
    assert (said.code, said.err.count("\n")) == (1, 1)
    assert said.err.endswith(f"(match 1 of seed {SEED})\n")


def test_a_player_who_deals_first_is_named_by_number(upcard: Upcard) -> None:
    told = json.loads(upcard("simulate", "kuhn-poker", *SHORT, "--first-dealer", "1", "--json").out)
    assert told["first_dealer"] == "1"


def test_json_has_everything(upcard: Upcard) -> None:
    told = json.loads(upcard("simulate", "euchre", *SHORT, "--json").out)
    assert list(told) == [
        *("game", "rules", "first_dealer", "seed", "matches", "wins", "spreads", "notes"),
        *("choices", "branching", "players", "sides", "first_advantage"),
    ]


def test_csv_has_a_header_and_numbers(upcard: Upcard) -> None:
    rows = list(csv.DictReader(io.StringIO(upcard("simulate", "euchre", *SHORT, "--csv").out)))
    (hands,) = (row for row in rows if row["name"] == "hands a match")
    assert 3 <= float(hands["least"]) <= float(hands["mean"]) <= float(hands["most"]) <= 19


def test_records_written_hold(upcard: Upcard, euchre_file: Path) -> None:
    assert upcard("replay", euchre_file, "--check").code == 0


def test_nothing_but_the_result_goes_to_stdout_and_nothing_to_stderr(upcard: Upcard) -> None:
    said = upcard("simulate", "euchre", *SHORT, "--json")
    assert (json.loads(said.out)["matches"], said.err) == (20, "")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("bridge",), "there is no game 'bridge'; choose euchre, euchre-280, whist, black-lady, "),
        (("euchre", "--rule", "joker=on"), "euchre has no rule 'joker'; its rules are alone, s"),
        (("euchre", "--rule", "alone"), "a rule is given as name=value, not 'alone'"),
        (("euchre", "--rule", "alone=maybe"), "euchre rule alone must be on or off, not 'maybe'"),
        (("euchre", "--rule", "alone=on", "--rule", "alone=off"), "rule alone is given twice"),
        (("euchre", "--seed", "12"), "a seed is 64 lower-case hexadecimal digits, not '12'"),
        (("euchre", "--seed", "zz" * 32), "a seed is 64 lower-case hexadecimal digits"),
        (("euchre", "--first-dealer", "X"), "there is no seat 'X'; choose N, E, S, W"),
        (("euchre", "--json", "--csv"), "choose one of --json and --csv"),
        (("euchre", "--matches", "0"), "Invalid value for '--matches'"),
        (("euchre", "--matches", "many"), "Invalid value for '--matches'"),
        ((), "Missing argument 'GAME'"),
        (("euchre", "--cards", "3"), "No such option: --cards"),
    ],
)
def test_wrong_words_are_answered_in_one_line(
    upcard: Upcard, words: tuple[str, ...], says: str
) -> None:
    said = upcard("simulate", *words)
    assert (said.code, said.out, said.err.count("\n"), says in said.err) == (2, "", 1, True)


def test_hands_that_could_not_go_on_are_counted(upcard: Upcard, tmp_path: Path) -> None:
    path = tmp_path / "breaking.rcy"
    path.write_text(PROGRAM)
    told = json.loads(upcard("simulate", path, *SHORT, "--json").out)
    out = upcard("simulate", path, *SHORT).out
    assert 0 < told["notes"]["stopped"]["hands"] < 20
    assert re.search(r"could not go on, .+ stood: \d+; 'upcard games check' says why", out)
    assert re.search(r"stopped\W+\d+\W+\d+\.\d%", out)
