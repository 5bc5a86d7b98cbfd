"""Draws the ratings of a league with their 95 % intervals; the only place that knows matplotlib."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Final
from warnings import catch_warnings, filterwarnings

from referee.cli.league_facts import title
from referee.errors import ConfigError
from referee.files.writing import whole_file
from referee.league.table import LeagueTable, drawn_interval
from referee.text import plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_SAME_EVERY_TIME: Final = {
    ".svg": {"Date": None, "Creator": None},
    ".png": {"Software": None},
}
"""By the suffix of the file: what matplotlib would say of itself and of today."""
_STYLE: Final = {
    # What bots are called may hold a $, which is no formula.
    "text.parse_math": False,
    "svg.hashsalt": "upcard",
    "svg.fonttype": "none",
}
_COLOUR: Final = "#0072b2"
_WIDTH, _LETTER, _HEIGHT, _ROW = 6.0, 0.1, 1.4, 0.32
"""In inches: the size without names, and what each letter and each entrant adds."""


def refuse_unknown_picture(path: Path) -> None:
    """Refuse to draw what cannot be drawn, before any work is done for it.

    Raises:
        ConfigError: the file has another suffix, or matplotlib is not installed.
    """
    if path.suffix not in _SAME_EVERY_TIME:
        raise ConfigError(f"a plot is written as .svg or .png; name such a file, not {path}")
    if find_spec("matplotlib") is None:
        raise ConfigError(
            "a plot needs matplotlib; install it with: pip install 'upcard-referee[plots]'"
        )


def plot_ratings(table: LeagueTable, path: Path) -> None:
    """Write a picture, best first; it appears whole or not at all."""
    picture = BytesIO()
    with _own_style():
        _figure(table).savefig(
            picture, format=path.suffix[1:], metadata=_SAME_EVERY_TIME[path.suffix]
        )
    with whole_file(path) as out:
        out.buffer.write(picture.getvalue())


@contextmanager
def _own_style() -> Iterator[None]:
    """Draw alike everywhere, whatever somebody set for pictures of her own."""
    from matplotlib import style  # noqa: PLC0415 (an extra, and slow to import)

    with style.context(["default", _STYLE]), catch_warnings():
        # A name may hold what the font has no picture for; a picture of the rest is still one.
        filterwarnings("ignore", "Glyph")
        yield


def _figure(table: LeagueTable) -> "Figure":
    from matplotlib.figure import Figure  # noqa: PLC0415 (as above)

    names = _names(table)
    width = _WIDTH + _LETTER * max(map(len, names), default=0)
    height = _HEIGHT + _ROW * max(1, len(names))
    figure = Figure((width, height), dpi=150, layout="constrained")
    _draw(table, figure.add_subplot())
    return figure


def _names(table: LeagueTable) -> list[str]:
    return [plain(table.names[row.entrant]) for row in table.standings.rows]


def _draw(table: LeagueTable, axes: "Axes") -> None:
    rows = table.standings.rows
    places = range(len(rows))
    means = [row.rating.mean for row in rows]
    ends = [drawn_interval(row) for row in rows]
    axes.errorbar(
        means,
        places,
        xerr=[
            [mean - low for mean, (low, _) in zip(means, ends, strict=True)],
            [high - mean for mean, (_, high) in zip(means, ends, strict=True)],
        ],
        fmt="o",
        color=_COLOUR,
        capsize=3,
    )
    axes.set_yticks(places, _names(table))
    axes.set_ylim(max(len(rows), 1) - 0.5, -0.5)
    axes.set_xlabel("rating, with its 95 % interval")
    axes.set_title(title(table), loc="left")
    axes.grid(axis="x", alpha=0.3)
    for edge in ("top", "right"):
        axes.spines[edge].set_visible(False)
