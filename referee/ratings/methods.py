"""How ratings are computed now, and as earlier releases did, whose exports are still verified."""

from typing import Final, NamedTuple


class Method(NamedTuple):
    """How the tables are computed from results."""

    fitted_width: bool
    """Whether the prior's width is fitted to the field, or is 25/3."""
    clustered: bool
    """Whether duels that were played one after the other may depend on each other."""
    imagined: float
    """The squared points of the hands that are imagined, for the error of points a hand."""


FIRST: Final = Method(fitted_width=False, clustered=False, imagined=0.0)
"""That of version 0.1."""
LATEST: Final = Method(fitted_width=True, clustered=True, imagined=1.0)
METHODS: Final = (FIRST, LATEST)
"""All that ever were; a league that may stop early is stored with the number of its own, from 1."""
