"""The constructs whose shape is fixed: a table of how each is written, and its reader."""

from typing import Final, NamedTuple

from upcard.recycle.constants import folded
from upcard.recycle.kinds import ELEMENT, Kind
from upcard.recycle.nodes import Node, node
from upcard.recycle.reader import Construct, Reader
from upcard.recycle.tree import Form, Item, is_token

_SLOTS: Final[dict[str, tuple[Kind, ...]]] = {
    "INT": (Kind.INTEGER,),
    "BOOL": (Kind.TRUTH,),
    "STR": (Kind.STRING,),
    "PLAYER": (Kind.PLAYER,),
    "TEAM": (Kind.TEAM,),
    "CARD": (Kind.CARD,),
    "CARDS": (Kind.CARDS,),
    "SETS": (Kind.SETS,),
    "MAP": (Kind.POINTS,),
    "COLLECTION": tuple(ELEMENT),
}
"""What the words in capitals stand for."""


class Shape(NamedTuple):
    """How a construct is written."""

    usage: str
    kind: Kind
    op: str = ""
    """The node's op, if it is not the first word."""
    word: str = ""
    """What the node's `word` is."""
    is_newer: bool = False
    """Whether only RECYCLE 0.6 has it."""


_SHAPES: Final = (
    Shape("size COLLECTION", Kind.INTEGER),
    Shape("sum CARDS using MAP", Kind.INTEGER),
    Shape("score CARD using MAP", Kind.INTEGER),
    Shape("scoremax CARDS using MAP", Kind.INTEGER, is_newer=True),
    Shape("scoremin CARDS using MAP", Kind.INTEGER, is_newer=True),
    Shape("- INT INT", Kind.INTEGER),
    Shape("// INT INT", Kind.INTEGER),
    Shape("% INT INT", Kind.INTEGER),
    Shape("^ INT INT", Kind.INTEGER),
    Shape("tri INT", Kind.INTEGER),
    Shape("fib INT", Kind.INTEGER),
    Shape("random INT", Kind.INTEGER),
    Shape("random INT .. INT", Kind.INTEGER),
    Shape("pid PLAYER", Kind.INTEGER, is_newer=True),
    Shape("tid TEAM", Kind.INTEGER, is_newer=True),
    Shape("not BOOL", Kind.TRUTH),
    Shape("< INT INT", Kind.TRUTH),
    Shape("> INT INT", Kind.TRUTH),
    Shape("<= INT INT", Kind.TRUTH),
    Shape(">= INT INT", Kind.TRUTH),
    Shape("cardatt STR CARD", Kind.STRING),
    Shape("current player", Kind.PLAYER),
    Shape("next player", Kind.PLAYER),
    Shape("previous player", Kind.PLAYER),
    Shape("owner CARD", Kind.PLAYER),
    Shape("current team", Kind.TEAM),
    Shape("next team", Kind.TEAM),
    Shape("previous team", Kind.TEAM),
    Shape("team PLAYER", Kind.TEAM),
    Shape("other player", Kind.PLAYERS),
    Shape("other team", Kind.TEAMS),
    Shape("range INT .. INT", Kind.INTEGERS),
    Shape("max CARDS using MAP", Kind.CARD),
    Shape("min CARDS using MAP", Kind.CARD),
    Shape("sort CARDS using MAP", Kind.CARDS),
    Shape("run top INT CARDS using MAP", Kind.CARDS, "run", "top"),
    Shape("run bottom INT CARDS using MAP", Kind.CARDS, "run", "bottom"),
    Shape("tuples INT CARDS using MAP", Kind.SETS),
    Shape("subsets CARDS", Kind.SETS),
    Shape("runs largest INT CARDS using MAP", Kind.SETS, "runs", "largest"),
    Shape("runs all INT CARDS using MAP", Kind.SETS, "runs", "all"),
    Shape("turn pass", Kind.ACTION),
)


def _usages() -> dict[str, tuple[Shape, ...]]:
    """Return the shapes by the keyword they begin with."""
    found: dict[str, tuple[Shape, ...]] = {}
    for shape in _SHAPES:
        head = shape.usage.split(" ", 1)[0]
        found[head] = (*found.get(head, ()), shape)
    return found


def read_shape(reader: Reader, form: Form, shapes: tuple[Shape, ...]) -> Node:
    """Read a form that has to be written in one of these ways."""
    for shape in shapes:
        words = shape.usage.split(" ")
        if _fits(form.items, words):
            break
    else:
        usages = " or ".join(f"({shape.usage})" for shape in shapes)
        raise reader.expected(usages, form)
    reader.is_newer = reader.is_newer or shape.is_newer
    parts = []
    for word, item in zip(words, form.items, strict=True):
        if word in _SLOTS:
            parts.append(reader.value(item, *_SLOTS[word]))
    found = node(shape.op or words[0], shape.kind, form.at, *parts, word=shape.word)
    return folded(reader.page, found)


def _fits(items: tuple[Item, ...], words: list[str]) -> bool:
    """Whether a form has these keywords, and as many items as there are words."""
    return len(items) == len(words) and all(
        word in _SLOTS or is_token(item, word) for word, item in zip(words, items, strict=True)
    )


def _construct(shapes: tuple[Shape, ...]) -> Construct:
    """Return the reader of the constructs that begin with one keyword."""

    def construct(reader: Reader, form: Form) -> Node:
        return read_shape(reader, form, shapes)

    return construct


CONSTRUCTS: Final = {head: _construct(shapes) for head, shapes in _usages().items()}
