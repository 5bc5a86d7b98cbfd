"""How much a program may ask for: it may be a stranger's, and must neither hang nor fill memory."""

from typing import Final

TEXT: Final = 256 * 1024
"""Characters of a page."""
NESTING: Final = 200
"""Parentheses inside each other."""
CONSTANTS: Final = 200_000
"""Expressions that the constants stand for, wherever they are used, together."""
NAME: Final = 256
"""Letters of a name, and so of every text that is stored."""
PLAYERS: Final = 8
CARDS: Final = 10_000
REFERENCES: Final = 10_000
"""Cards that are noted in all memory places together; a card may be noted more than once."""
ATTRIBUTES: Final = 32
"""Different attributes of all cards together."""
INTEGER: Final = 2**31 - 1
"""The largest number; the smallest is one less than its negative."""
SLOTS: Final = 10_000
"""Places, and likewise numbers, texts and points maps, that a hand may have."""
AWARDS: Final = 1_000
"""Awards of a points map."""
SCORES: Final = 1_000_000
"""Points maps that are stored, times cards."""
STEPS: Final = 100_000
"""Stages, blocks and choices that are run between two decisions."""
WORK: Final = 1_000_000
"""Items that are looked at between two decisions, by loops and in collections. Steps of options,
awards of new points maps, and cards among which one is found count as such."""
HAND_WORK: Final = 50_000_000
"""Likewise in a hand."""
DECISIONS: Final = 5_000
"""Decisions in a hand."""
OPTIONS: Final = 10_000
"""Options of a decision."""
OPTION_TEXT: Final = 4096
"""Characters of the text of an option; of what it does beyond, only how much it is is told."""
OPTION_TEXTS: Final = 1024 * 1024
"""Characters of the texts of all options of a decision."""
SCORE: Final = 2**31 // 100
"""The score of a player in a hand, or as much below 0: a hundred hands add up to 32 bits."""
SUBSET: Final = 13
"""Cards of which `subsets` lists all subsets."""
