"""Card games described in RECYCLE: reads a program, plays it, and shows what a player may see.

The referee and a bot's search play by these very rules. They are pure: no I/O, no clock, and no
randomness but that of the `Source` they are given.

    program = read(text)                        # ProgramError: line, column, what was expected
    position = program.start(source)            # at the first decision
    view = seen(position, position.actor)       # what a player may know; nothing else ever leaves
    position.play(0)                            # an index of position.options
    other = world(program, view, draw, source)  # a position that agrees with the view

Theory of operation
-------------------

**Reading.** `pages` finds the program in its page, `tokens` cuts it into words and `tree` builds
the tree of its parentheses, in loops, so that no nesting exhausts the stack. `outline` reads the
parts of a program and has `reader` read what is in them by the tables of `shapes`, `expressions`
and `actions`. The reader knows the variables in scope and the kind of everything (`kinds`), so
what is wrong is refused here, and the `nodes` that come out can be compiled without a question.

**Compiling.** Each block, condition and choice becomes a Python function (`unit`), made by
`expression_code`, `action_code` and `choice_code` of the nodes only: names and texts of a program
are constants in it, never code. `flow` lays the functions out flat, each
returning where to go on, so that a position is nothing but lists of numbers (`state`) and a place
in that course. What the text names has a slot in those lists before play; what is named by a text
that is worked out in play gets one then (`slots`). The functions call `finding`, `collecting`,
`moves` and `charts`.

**Options.** An option is a tuple of primitive actions with all they need, worked out when options
are listed, and only carried out when it is taken. Where nothing that an entry of a choice asks
depends on what it did before (`effects`), loops over the items of its ``any`` list them.
Otherwise every way is tried on a copy (`trials`), and so are entries that draw at random, on the
draws that will really come; what was drawn is left out of what is told. `options` says what an
option does, naming no card that the actor does not see.

**Bounds.** A program may be a stranger's. Everything that could go on without end is counted, by
loops before they begin and by collections before they are made, and `bounds` says how far.

==================  ==============================================================================
`program`           `Program`, and `read`
`position`          `Position`: a hand at one moment, and how it goes on
`seeing` `worlds`   `seen` and `world`
`values`            what these are made of: faces, places, options, views
`errors` `bounds`   `ProgramError`; how much a program may ask for
`pages` `tokens`    where the program is in its page; its words
`tree` `nodes`      what is read: first parentheses, in the end checked nodes
`kinds`             integers, cards, places, ...: what serves as what
`outline` `decks`   the parts of a program; its cards
`reader`            expressions and actions: variables, kinds, errors
`shapes`            the constructs that are always written alike, as a table
`expressions`       the other expressions
`actions`           the constructs that do something
`constants`         what is known before play
`arithmetic`        numbers of 32 bits
`compiling`         from what was read to what is played
`unit`              the Python functions a program is compiled to
`expression_code`   expressions as Python
`action_code`       actions as Python
`effects`           which entries of a choice need no trial
`choice_code`       choices as Python
`flow`              stages, blocks and choices, laid out flat
`state` `slots`     a hand as lists; what lies where in them
`finding`           run by compiled code: one card, place or player
`collecting`        run by compiled code: collections of cards
`moves` `charts`    run by compiled code: primitive actions; points maps
`trials`            options that are found by trying
`options`           what an option is called
`tracing` `unread`  who is told of each card that moves; what is stored and never read
==================  ==============================================================================

The names of this page are loaded when they are first used: what a bot is shown is made of `values`,
which load in no time; to read and compile programs takes longer to load than all the rest of a bot.
"""

from typing import TYPE_CHECKING, Final

from upcard.lazy import lazy_names

if TYPE_CHECKING:
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

_MODULES: Final = {
    **dict.fromkeys(__all__, "values"),
    "Position": "position",
    "Program": "program",
    "ProgramError": "errors",
    "read": "program",
    "seen": "seeing",
    "world": "worlds",
}
"""Where each name is defined."""

if not TYPE_CHECKING:  # or a type checker would take any name to be there
    __getattr__, __dir__ = lazy_names(__name__, _MODULES)
