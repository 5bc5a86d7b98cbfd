"""Arranges a card movement graph: players above and below the table, and their places."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import ceil, copysign
from typing import Final, NamedTuple

from referee.rollouts.movements import Edge, MovementGraph, Pile
from upcard.recycle import Place

HIGH: Final = 44
"""Of a place."""
_LETTER, _SMALL_LETTER, _NARROWEST, _WIDEST = 9.5, 5.9, 92, 190
_GAP, _PADDING, _TITLE, _ARC = 40, 16, 26, 34
_BETWEEN: Final = 110
"""The least room between a row of players and the table."""
_FAR: Final = 100_000
"""More than any picture is wide."""
_MARGIN: Final = 24
_ROW: Final = 5
"""Places of a player side by side; of the table half as many again."""
_LABEL: Final = (22, 16)
"""What room a number takes."""


class Point(NamedTuple):
    """A point of the picture, from its upper left corner."""

    x: float
    y: float


class Box(NamedTuple):
    """A rectangle."""

    x: float
    y: float
    width: float
    height: float

    def overlaps(self, other: "Box") -> bool:
        """Whether some of the other one is in this."""
        return (
            self.x < other.x + other.width
            and other.x < self.x + self.width
            and self.y < other.y + other.height
            and other.y < self.y + self.height
        )


Way = tuple[Point, ...]
"""Cubic Bézier curves, each beginning where the last one ends: one point, then three for each."""


class Curve(NamedTuple):
    """A movement, drawn as a curve with its number on it."""

    edge: Edge
    way: Way
    label: Point

    @property
    def path(self) -> str:
        """The curve as SVG has it."""
        start, *rest = (f"{x:.1f} {y:.1f}" for x, y in self.way)
        return f"M{start} C{', '.join(rest)}"


class Layout(NamedTuple):
    """A picture: where everything is."""

    width: float
    height: float
    owners: dict[int, Box]
    """Of the table, which is 0, and of each player."""
    places: dict[Place, Box]
    curves: list[Curve]


def arrange(graph: MovementGraph, top: float) -> Layout:
    """Arrange a graph from a height downwards."""
    owners, places = _boxes(graph, top)
    curves = _labelled(_Routes(graph, owners, places).curves(), places)
    right = max(box.x + box.width for box in owners.values())
    bottom = max(box.y + box.height for box in owners.values())
    return Layout(right + _MARGIN, bottom, owners, places, curves)


def _boxes(graph: MovementGraph, top: float) -> tuple[dict[int, Box], dict[Place, Box]]:
    """Return where the owners are, and their places: clockwise around the table."""
    of_owner = _in_columns(graph)
    wide = _width(graph.piles)
    above = range(1, graph.players // 2 + 1)
    below = range(graph.players, graph.players // 2, -1)
    sizes = {
        owner: _size(len(of_owner[owner]), _row(owner), wide) for owner in range(graph.players + 1)
    }
    rows = [above, (0,), below]
    widths = [sum(sizes[owner][0] for owner in row) + _GAP * (len(row) - 1) for row in rows]
    owners: dict[int, Box] = {}
    places: dict[Place, Box] = {}
    y = top
    for row, width in zip(rows, widths, strict=True):
        x = _MARGIN + (max(widths) - width) / 2
        height = max(sizes[owner][1] for owner in row)
        for owner in row:
            owners[owner] = Box(x, y, sizes[owner][0], height)
            # What arrows a player has among her places are on the side away from the table.
            lowered = _PADDING if row is below else _TITLE + _ARC
            inside = owners[owner]._replace(y=y + lowered)
            places.update(_within(inside, of_owner[owner], _row(owner), wide))
            x += sizes[owner][0] + _GAP
        y += height + _BETWEEN
    return owners, places


def _in_columns(graph: MovementGraph) -> dict[int, list[Place]]:
    """Return the places of each owner; those of players come in the same order for all."""
    found: defaultdict[int, list[Place]] = defaultdict(list)
    order = {place[1:]: number for number, place in reversed([*enumerate(graph.piles)])}
    for place in sorted(graph.piles, key=lambda place: order[place[1:]] if place.owner else 0):
        found[place.owner].append(place)
    return found


def _row(owner: int) -> int:
    return _ROW if owner else _ROW * 3 // 2


def _width(piles: Mapping[Place, Pile]) -> float:
    needed = (
        max(len(label(place)) * _LETTER, len(held(place, pile)) * _SMALL_LETTER)
        for place, pile in piles.items()
    )
    return min(_WIDEST, max(_NARROWEST, max(needed, default=0) + 16))


def label(place: Place) -> str:
    """Return what a place is called, with its index if it is one of several."""
    return f"{place.name} {place.index}" if place.index else place.name


def held(place: Place, pile: Pile) -> str:
    """Return what is said below the name of a place: its kind, and how many cards it held."""
    if pile.dealt_from:
        return f"{place.kind} · starts with {pile.dealt_from}"
    return f"{place.kind} · up to {pile.most}"


def _size(count: int, row: int, wide: float) -> tuple[float, float]:
    across, down = max(1, min(row, count)), max(1, ceil(count / row))
    return (
        across * (wide + _GAP) - _GAP + 2 * _PADDING,
        _TITLE + _ARC + down * (HIGH + _GAP) - _GAP + _PADDING,
    )


def _within(
    box: Box, places: Sequence[Place], row: int, wide: float
) -> Iterator[tuple[Place, Box]]:
    """Yield where the places of an owner are: in rows, from the upper side of a box."""
    for number, place in enumerate(places):
        down, across = divmod(number, row)
        in_row = min(row, len(places) - down * row)
        left = box.x + (box.width - in_row * (wide + _GAP) + _GAP) / 2
        yield (
            place,
            Box(left + across * (wide + _GAP), box.y + down * (HIGH + _GAP), wide, HIGH),
        )


class _Routes:
    """Where each movement begins and ends, and which way it takes."""

    def __init__(
        self, graph: MovementGraph, owners: dict[int, Box], places: dict[Place, Box]
    ) -> None:
        self.graph = graph
        self.owners = owners
        self.places = places
        self.ports = self._ports()
        self.crossed = Counter[float]()

    def curves(self) -> Iterator[tuple[Edge, Way]]:
        """Yield the way of each movement."""
        for edge in self.graph.edges:
            yield edge, self._way(edge)

    def _way(self, edge: Edge) -> Way:
        if self._beside(edge):
            return self._straight(edge)
        start, end = self.ports[edge, 0], self.ports[edge, 1]
        up, down = self._sides(edge)
        if edge.source.owner and edge.target.owner and up != down:
            gap = self._gap((start.x + end.x) / 2)
            if gap is not None:
                return *_curve(start, up, gap, -up), *_curve(gap, up, end, down)[1:]
        reach = self._reach(edge, start, end)
        return _curve(start, up, end, down, reach)

    def _gap(self, middle: float) -> Point | None:
        """Return where a curve crosses the table without crossing a place, if it has to."""
        table = self.owners[0]
        if not table.x < middle < table.x + table.width:
            return None
        boxes = [box for place, box in self.places.items() if not place.owner]
        sides = {x for box in boxes for x in (box.x - _GAP / 2, box.x + box.width + _GAP / 2)}
        x = min(sides, key=lambda side: abs(side - middle), default=middle)
        # Of several curves in one gap each has a way of its own.
        self.crossed[x] += 1
        aside = (self.crossed[x] // 2) * (7 if self.crossed[x] % 2 else -7)
        return Point(x + aside, table.y + table.height / 2)

    def _reach(self, edge: Edge, start: Point, end: Point) -> float:
        """Return how far a curve goes straight ahead before it turns."""
        if edge.source.owner == edge.target.owner and start.y == end.y:
            return _ARC + 0.05 * abs(end.x - start.x)
        return max(0.45 * abs(end.y - start.y), _BETWEEN * 0.6)

    def _beside(self, edge: Edge) -> bool:
        """Whether two places are neighbours in a row."""
        source, target = self.places[edge.source], self.places[edge.target]
        near = abs(source.x - target.x) <= source.width + _GAP + 1
        return (
            edge.source != edge.target
            and edge.source.owner == edge.target.owner
            and source.y == target.y
            and near
        )

    def _straight(self, edge: Edge) -> Way:
        source, target = self.places[edge.source], self.places[edge.target]
        right = source.x < target.x
        y = source.y + HIGH / 2 + (-8 if right else 8)
        start = Point(source.x + source.width if right else source.x, y)
        end = Point(target.x if right else target.x + target.width, y)
        third = (end.x - start.x) / 3
        return start, Point(start.x + third, y), Point(end.x - third, y), end

    def _sides(self, edge: Edge) -> tuple[int, int]:
        """Return where a curve leaves and arrives: -1 at the upper side, 1 at the lower one."""
        source, target = self.places[edge.source], self.places[edge.target]
        if edge.source.owner == edge.target.owner and source.y == target.y:
            outer = 1 if source.y > self.owners[0].y + self.owners[0].height else -1
            return outer, outer
        if edge.source.owner and edge.target.owner and source.y == target.y:
            inner = 1 if source.y < self.owners[0].y else -1
            return inner, inner
        return (1, -1) if source.y < target.y else (-1, 1)

    def _ports(self) -> dict[tuple[Edge, int], Point]:
        """Return where each curve meets a place: in the order of what is at its other end."""
        at: defaultdict[tuple[Place, int], list[tuple[float, int, int]]] = defaultdict(list)
        edges = self.graph.edges
        for number, edge in enumerate(edges):
            if self._beside(edge):
                continue
            sides = self._sides(edge)
            for end, (own, other) in enumerate((edge[:2], edge[1::-1])):
                at[own, sides[end]].append((self._towards(own, other), number, end))
        found = {}
        for (place, side), met in at.items():
            box = self.places[place]
            for nth, (_, number, end) in enumerate(sorted(met), start=1):
                x = box.x + box.width * nth / (len(met) + 1)
                found[edges[number], end] = Point(x, box.y + (HIGH if side > 0 else 0))
        return found

    def _towards(self, own: Place, other: Place) -> float:
        """Return where a curve wants to go: what is farther aside is met farther outside.

        Curves within a row lie inside each other, the longest one outside.
        """
        here, there = self.places[own], self.places[other]
        if here.y == there.y:
            return copysign(_FAR, there.x - here.x) - (there.x - here.x)
        return (there.x - here.x) / (1 + abs(there.y - here.y) / 400)


def _labelled(routes: Iterable[tuple[Edge, Way]], places: dict[Place, Box]) -> list[Curve]:
    """Put a number beside each curve, where there is room: near a player, if one is at an end."""
    taken = list(places.values())
    found = []
    for edge, way in routes:
        near = 0.32 if edge.source.owner else 0.68 if edge.target.owner else 0.5
        tried = [at for step in range(8) for at in (near - step * 0.06, near + step * 0.06)]
        boxes = [_around(_at(way, at)) for at in tried if 0.1 <= at <= 0.9]
        chosen = min(boxes, key=lambda box: sum(box.overlaps(other) for other in taken))
        taken.append(chosen)
        middle = Point(chosen.x + chosen.width / 2, chosen.y + chosen.height / 2)
        found.append(Curve(edge, way, middle))
    return found


def _curve(start: Point, up: int, end: Point, down: int, reach: float | None = None) -> Way:
    """Return a curve that leaves and arrives upright."""
    straight = 0.45 * abs(end.y - start.y) if reach is None else reach
    return (
        start,
        Point(start.x, start.y + up * straight),
        Point(end.x, end.y + down * straight),
        end,
    )


def _around(point: Point) -> Box:
    width, height = _LABEL
    return Box(point.x - width / 2, point.y - height / 2, width, height)


def _at(way: Way, t: float) -> Point:
    """Return a point of the first curve of a way: 0 is its beginning, 1 its end."""
    points = way[:4]
    weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
    return Point(
        sum(weight * point.x for weight, point in zip(weights, points, strict=True)),
        sum(weight * point.y for weight, point in zip(weights, points, strict=True)),
    )
