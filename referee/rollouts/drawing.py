"""Draws a card movement graph in SVG, which any browser shows, in light and in dark."""

from collections.abc import Iterator
from html import escape
from typing import Final

from referee.rollouts.layout import HIGH, Box, Curve, Layout, arrange, held, label
from referee.rollouts.movements import Flow, MovementGraph, Sight, movements, sight
from referee.text import counted, plain
from upcard.recycle import Place, Program

_TOP: Final = 64
"""Where the picture begins, below its title."""
_FOOT: Final = 100
"""What the legend takes."""
_NARROWEST: Final = 860
"""The least width: that of the legend."""
_LETTERS: Final = 20
"""How many letters of a name are shown."""
_LETTER: Final = 7.0
"""How wide a letter of the legend is, about."""
_STYLE: Final = """
.paper { fill: #ffffff } .ink { fill: #1c2127 } .quiet { fill: #59636e }
text { font: 13px system-ui, sans-serif } .title { font-size: 18px; font-weight: 600 }
.name { font-weight: 600; fill: #14181d } .who { font-size: 11px; fill: #3a424b }
.small { font-size: 11px } .owner { fill: #f4f5f7; stroke: #b4bbc4 }
.count { font-size: 11px; font-weight: 600 }
.halo { paint-order: stroke; stroke: #ffffff; stroke-width: 4px; stroke-linejoin: round }
.public { fill: #b7e1b4; stroke: #3d7f3a } .hidden { fill: #f7e299; stroke: #94780f }
.private { fill: #b5d3f7; stroke: #2b66a8 } .others { fill: #e3c8f2; stroke: #7d4a9c }
.memory { fill: #dcdfe3; stroke: #737c86 } .backs { stroke-width: 4 }
.line { fill: none; stroke-width: 1.6 }
.moved { stroke: #4a535d } .taken { stroke: #c4261d; stroke-dasharray: 2 4; stroke-width: 2.2 }
.shared { stroke: #1a5fd0; stroke-dasharray: 8 4; stroke-width: 2.2 }
.remembered { stroke: #98a1ab }
.moved-end { fill: #4a535d } .taken-end { fill: #c4261d } .shared-end { fill: #1a5fd0 }
.remembered-end { fill: #98a1ab }
@media (prefers-color-scheme: dark) {
.paper { fill: #15181c } .ink { fill: #e8eaed } .quiet { fill: #a3acb6 }
.small { font-size: 11px } .owner { fill: #1f242a; stroke: #4a535d } .halo { stroke: #15181c }
.moved { stroke: #b4bbc4 } .taken { stroke: #ff7b72 } .shared { stroke: #79b8ff }
.remembered { stroke: #7d8792 } .moved-end { fill: #b4bbc4 } .taken-end { fill: #ff7b72 }
.shared-end { fill: #79b8ff } .remembered-end { fill: #7d8792 }
}
"""
_MEANING: Final = "Where the cards went in one game of random play, and how many"
_ALWAYS: Final = (Sight.PUBLIC, Sight.HIDDEN, Sight.PRIVATE, Sight.MEMORY)
"""What a legend has even if a game does not."""


def draw_rollout(program: Program, name: str, seed: bytes, number: int = 1) -> str:
    """Return how the cards move in a rollout, as an SVG document.

    Raises:
        ConfigError: the graph is too large to be drawn.
        GameError: the program cannot go on.
    """
    return draw(movements(program, seed, number), name, f"rollout {number} of seed {seed.hex()}")


def draw(graph: MovementGraph, title: str, played: str) -> str:
    """Return a graph as an SVG document; what was played is said below it."""
    layout = arrange(graph, _TOP)
    width, height = max(layout.width, _NARROWEST), layout.height + _FOOT
    size = f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-labelledby="title desc">',
        f'<title id="title">{_text(title)}: how its cards move</title>',
        f'<desc id="desc">{_text(_described(graph))}</desc>',
        f"<style>{_STYLE}</style>",
        "<defs>",
        *(_arrow_head(flow) for flow in Flow),
        "</defs>",
        f'<rect class="paper" width="{width:.0f}" height="{height:.0f}"/>',
        f'<text class="ink title" x="24" y="32">{_text(title)}</text>',
        f'<text class="quiet" x="24" y="52">{_MEANING}</text>',
        f'<g transform="translate({(width - layout.width) / 2:.1f} 0)">',
        *map(_rectangle, layout.owners.values()),
        *(_line(curve) for curve in layout.curves),
        *_places(graph, layout),
        *(_number(curve) for curve in layout.curves),
        *_names(layout),
        "</g>",
        *_legend(graph, layout.height + 30),
        f'<text class="quiet small" x="24" y="{height - 14:.0f}">{_text(played)}</text>',
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _described(graph: MovementGraph) -> str:
    """Return the graph in words, for who does not see it."""
    return " ".join(
        f"{_whole_name(edge.source)} to {_whole_name(edge.target)}: {counted(edge.cards, 'card')}"
        f"{'' if edge.flow is Flow.MOVED else f', {edge.flow.value}'}."
        for edge in graph.edges
    )


def _whole_name(place: Place) -> str:
    return f"{_owner(place.owner)}, {label(place)} ({place.kind})"


def _owner(owner: int) -> str:
    return f"Player {owner}" if owner else "Table"


def _rectangle(box: Box) -> str:
    x, y, width, height = (f"{size:.1f}" for size in box)
    return f'<rect class="owner" x="{x}" y="{y}" width="{width}" height="{height}" rx="10"/>'


def _names(layout: Layout) -> Iterator[str]:
    """Yield what the owners are called, each on the side away from the table."""
    table = layout.owners[0]
    for owner, (x, y, _, height) in layout.owners.items():
        line = y + height - 10 if y > table.y else y + 20
        yield f'<text class="ink halo" x="{x + 12:.1f}" y="{line:.1f}">{_owner(owner)}</text>'


def _places(graph: MovementGraph, layout: Layout) -> Iterator[str]:
    for place, (x, y, width, _) in layout.places.items():
        pile = graph.piles[place]
        seen_by = sight(place).name.lower()
        bold = " backs" if len(pile.backs) > 1 else ""
        name = label(place)
        shown = name if len(name) <= _LETTERS else f"{name[: _LETTERS - 1]}…"
        middle = x + width / 2
        yield (
            f"<g><title>{_text(_whole_name(place))}: {sight(place).value}</title>"
            f'<rect class="{seen_by}{bold}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" '
            f'height="{HIGH}" rx="6"/>'
            f'<text class="name" x="{middle:.1f}" y="{y + 19:.1f}" text-anchor="middle">'
            f"{_text(shown)}</text>"
            f'<text class="who" x="{middle:.1f}" y="{y + 35:.1f}" text-anchor="middle">'
            f"{_text(held(place, pile))}</text></g>"
        )


def _line(curve: Curve) -> str:
    flow = curve.edge.flow.name.lower()
    return (
        f'<path class="line {flow}" d="{curve.path}" marker-end="url(#{flow})">'
        f"<title>{_text(_whole_name(curve.edge.source))} to "
        f"{_text(_whole_name(curve.edge.target))}: {curve.edge.cards}</title></path>"
    )


def _number(curve: Curve) -> str:
    x, y = curve.label
    return (
        f'<text class="ink count halo" x="{x:.1f}" y="{y + 4:.1f}" text-anchor="middle">'
        f"{curve.edge.cards}</text>"
    )


def _arrow_head(flow: Flow) -> str:
    name = flow.name.lower()
    return (
        f'<marker id="{name}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="9" '
        f'markerHeight="9" markerUnits="userSpaceOnUse" orient="auto">'
        f'<path class="{name}-end" d="M0 1 L10 5 L0 9 z"/></marker>'
    )


def _legend(graph: MovementGraph, y: float) -> Iterator[str]:
    used = {sight(place) for place in graph.piles}
    x = 24.0
    for each in Sight:
        if each in used or each in _ALWAYS:
            yield _swatch(x, y, each.name.lower(), each.value)
            x += 54 + _LETTER * len(each.value)
    yield _swatch(x, y, "memory backs", "cards of distinct backs")
    x = 24.0
    for flow in Flow:
        name, words = flow.name.lower(), flow.value
        yield (
            f'<path class="line {name}" d="M{x} {y + 24} h34" marker-end="url(#{name})"/>'
            f'<text class="ink" x="{x + 42}" y="{y + 28}">{words}</text>'
        )
        x += 74 + _LETTER * len(words)


def _swatch(x: float, y: float, classes: str, words: str) -> str:
    return (
        f'<rect class="{classes}" x="{x:.1f}" y="{y - 9:.1f}" width="16" height="12" rx="3"/>'
        f'<text class="ink" x="{x + 22:.1f}" y="{y + 2:.1f}">{words}</text>'
    )


def _text(words: str) -> str:
    return escape(plain(words))
