"""Card games described in RECYCLE: read a program, play it, see what a player may see."""

from upcard.recycle.errors import ProgramError
from upcard.recycle.position import Position
from upcard.recycle.program import Program, read
from upcard.recycle.seeing import seen
from upcard.recycle.values import (
    Award,
    Choice,
    Entry,
    Face,
    Key,
    Option,
    Owner,
    Part,
    Place,
    PointsMap,
    ProgramWarning,
    Seen,
    SeenPlace,
    Source,
    Step,
)
from upcard.recycle.worlds import world

__all__ = [
    "Award",
    "Choice",
    "Entry",
    "Face",
    "Key",
    "Option",
    "Owner",
    "Part",
    "Place",
    "PointsMap",
    "Position",
    "Program",
    "ProgramError",
    "ProgramWarning",
    "Seen",
    "SeenPlace",
    "Source",
    "Step",
    "read",
    "seen",
    "world",
]
