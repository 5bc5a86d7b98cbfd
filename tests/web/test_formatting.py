"""Names, numbers and times as pages write them."""

from datetime import UTC, datetime

import pytest

from referee.ratings.points import Margin
from referee.web.formatting import (
    NONE,
    duration,
    margin,
    milliseconds,
    name_html,
    percentage,
    points,
    probability,
    short_name,
    signed,
    timestamp,
    words,
)


@pytest.mark.parametrize(
    ("number", "written"),
    [(0.25, "+0.25"), (-0.25, "−0.25"), (0.0, "+0.00"), (-0.001, "+0.00"), (12.0, "+12.00")],
)
def test_a_number_has_its_sign_and_nothing_is_never_below_zero(number: float, written: str) -> None:
    assert signed(number) == written


def test_a_number_has_so_many_places() -> None:
    assert signed(-1.25, 1) == "−1.2"


@pytest.mark.parametrize(
    ("known", "written"),
    [
        (Margin(-0.125, 0.0625, 90, 7), "−0.12 ± 0.06"),
        (Margin(0.5, None, 9), "+0.50"),
        (Margin(None, None, 0), NONE),
    ],
)
def test_points_are_told_as_far_as_they_are_known(known: Margin, written: str) -> None:
    assert margin(known) == written


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (0.5, "50.0 %"),
        (0.001, "0.1 %"),
        (0.999, "99.9 %"),
        (0.0009, "<0.1 %"),
        (0.9991, ">99.9 %"),
        (0.0, "<0.1 %"),
        (1.0, ">99.9 %"),
    ],
)
def test_a_chance_is_written_in_percent_within_its_bounds(value: float, written: str) -> None:
    assert probability(value) == written


def test_no_chance_is_called_certain() -> None:
    written = {probability(place / 10_000) for place in range(10_001)}
    assert not written & {"0.0 %", "100.0 %"}


def test_a_share_may_be_all_or_nothing() -> None:
    assert (percentage(0.0), percentage(1.0)) == ("0.0 %", "100.0 %")


@pytest.mark.parametrize("write", [signed, probability, percentage, milliseconds])
def test_what_is_not_known_is_a_dash(write: object) -> None:
    assert callable(write)
    assert write(None) == NONE


@pytest.mark.parametrize(
    ("seconds", "written"), [(0.0125, "12.5"), (0.00004, "0.0"), (1.23456, "1234.6"), (0.0, "0.0")]
)
def test_a_decision_is_told_in_milliseconds(seconds: float, written: str) -> None:
    assert milliseconds(seconds) == written


def test_a_moment_can_be_read_by_a_program_too() -> None:
    at = datetime(2026, 5, 1, 12, 30, 15, 5, tzinfo=UTC)
    assert timestamp(at) == '<time datetime="2026-05-01T12:30:15+00:00">2026-05-01 12:30 UTC</time>'


@pytest.mark.parametrize(
    ("seconds", "written"),
    [
        (0, "less than a minute"),
        (29, "less than a minute"),
        (31, "about 1 min"),
        (59 * 60, "about 59 min"),
        (59.6 * 60, "about 1 h"),
        (47 * 3600, "about 47 h"),
        (47.6 * 3600, "about 2 days"),
        (10 * 86400, "about 10 days"),
    ],
)
def test_a_duration_is_told_as_a_person_would(seconds: float, written: str) -> None:
    assert duration(seconds) == written


@pytest.mark.parametrize(
    ("number", "written"), [(1, "1 point"), (0.5, "0.5 points"), (2.0, "2 points")]
)
def test_only_one_point_is_one(number: float, written: str) -> None:
    assert points(number) == written


def test_a_token_is_said_in_words() -> None:
    assert words("ordered_up") == "ordered up"


def test_a_short_name_stays_as_it_is() -> None:
    assert short_name("Ada’s 2. bot, “bower” (左)") == "Ada’s 2. bot, “bower” (左)"


@pytest.mark.parametrize("length", [47, 48])
def test_a_name_that_fits_is_shown_in_full(length: int) -> None:
    assert short_name("n" * length) == "n" * length


@pytest.mark.parametrize("length", [49, 50, 10_000])
def test_a_name_that_is_too_long_is_cut_and_says_so(length: int) -> None:
    assert short_name("n" * length) == "n" * 47 + "…"


@pytest.mark.parametrize("letter", ["\u202e", "\u2066", "\u200b", "\x1b", "\0", "\n", "\ue000"])
def test_what_is_not_to_be_seen_is_replaced(letter: str) -> None:
    assert short_name(f"a{letter}b") == "a?b"


def test_a_name_on_a_page_is_text_apart_from_its_neighbours() -> None:
    assert name_html("<b>&'\"") == "<bdi>&lt;b&gt;&amp;&#39;&#34;</bdi>"


def test_a_name_is_cut_before_it_is_escaped() -> None:
    assert name_html("&" * 60) == f"<bdi>{'&amp;' * 47}…</bdi>"
