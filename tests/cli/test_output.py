"""Comma-separated values are for spreadsheets, where words of strangers must not do anything."""

import pytest

from referee.cli.output import print_csv


def cell(capsys: pytest.CaptureFixture[str], value: object) -> str:
    print_csv(["it"], [[value]])
    return capsys.readouterr().out.splitlines()[1]


@pytest.mark.parametrize("words", ["=1+1", "+SUM(A1)", "-cmd", "@it", "-1+1", "-"])
def test_words_that_a_spreadsheet_would_compute_are_words(
    capsys: pytest.CaptureFixture[str], words: str
) -> None:
    assert cell(capsys, words) == f"'{words}"


@pytest.mark.parametrize("number", ["-1.25", "+3", "-.5", "1e-9", "-2E+10", -1.25, -3])
def test_numbers_stay_as_they_are(capsys: pytest.CaptureFixture[str], number: object) -> None:
    assert cell(capsys, number) == str(number)


def test_what_would_work_on_a_terminal_is_harmless(capsys: pytest.CaptureFixture[str]) -> None:
    assert cell(capsys, "\x1b[2J") == "?[2J"
