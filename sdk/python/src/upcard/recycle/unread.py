"""Finds what a program stores and never asks for again."""

from collections.abc import Iterable, Iterator

from upcard.recycle.nodes import Node

_STORING = frozenset({"set", "inc", "dec", "update"})


def unread(parts: Iterable[Node]) -> Iterator[tuple[int, str]]:
    """Yield the family and the name of what is stored only, and where it is first.

    Of a family whose names are worked out during play nothing is known.
    """
    nodes = [node for part in parts for node in part.all()]
    targets = {id(node.parts[0]) for node in nodes if node.op in _STORING}
    stored: dict[tuple[str, str], int] = {}
    read: set[tuple[str, str | None]] = set()
    for node in nodes:
        if node.op != "stored":
            continue
        name = node.parts[1]
        if id(node) not in targets:
            read.add((node.word, name.word if name.op == "string" else None))
        elif name.op == "string":
            stored.setdefault((node.word, name.word), node.at)
    for (family, name_stored), at in stored.items():
        if not {(family, name_stored), (family, None)} & read:
            yield at, f"{family} {name_stored}"
