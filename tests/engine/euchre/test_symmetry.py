"""No suit is better than another: with the suits renamed, the hand is the same hand."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from referee.engine.cards import Action, Card
from referee.engine.euchre.bowers import PACK
from tests.table import euchre

# What may be renamed: a colour's two suits among each other, and the colours.
RENAMINGS = st.sampled_from(
    ["CDHS", "SDHC", "CHDS", "SHDC", "DCSH", "HCSD", "DSCH", "HSCD"],
)


def renamed(token: str, names: str) -> str:
    """Rename the suit at the end of a card or an action."""
    suit = token[-1]
    return token[:-1] + names["CDHS".index(suit)] if suit in "CDHS" else token


@given(st.permutations(PACK.cards), RENAMINGS, st.integers(0, 3), st.randoms(), st.booleans())
def test_renaming_the_suits_renames_the_choices_and_keeps_the_score(
    deck: list[Card], names: str, dealer: int, random: Random, shy: bool
) -> None:
    here = euchre().start(deck, dealer)
    there = euchre().start([Card(renamed(card, names)) for card in deck], dealer)
    while here.actor is not None:
        assert {renamed(action, names) for action in here.legal} == set(there.legal)
        action = here.legal[0] if shy else random.choice(here.legal)
        here, there = here.play(action), there.play(Action(renamed(action, names)))
    assert here.result == there.result
