"""Breaks the rules on purpose, one at a time, and demands that the engine's own tests notice.

Each broken rule is tried in a process of its own, which compiles the rule's module from changed
source; no file is written. A mutation that no test catches is named, and the exit code is 1.
"""

import io
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stdout
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from multiprocessing import get_context
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest
from hypothesis import Phase, settings

ROOT = Path(__file__).parents[2]
ENGINE = ROOT / "referee" / "engine"
SLOW = ("test_deals.py", "test_egn.py", "test_record.py")
"""These go last, since most mutations are caught before them."""
TESTS = sorted(
    (ROOT / "tests" / "engine").rglob("test_*.py"), key=lambda file: (file.name in SLOW, file)
)
PRELOADED = ["pytest", "hypothesis", "hypothesis.strategies", "jsonschema"]
"""What the tests import from elsewhere: imported once, not once a mutation."""


class Mutation(NamedTuple):
    """One rule, broken by replacing one piece of text that occurs once in its file."""

    broken: str
    file: str
    old: str
    new: str


TRICKS, CARDS, MATCH = "tricks.py", "cards.py", "match.py"
GAME, PARTNERSHIPS = "game.py", "partnerships.py"
BOWERS, HAND, EUCHRE = "euchre/bowers.py", "euchre/hand.py", "euchre/game.py"
WHIST, DEALING, RECORD = "whist/hand.py", "dealing.py", "record.py"
DRAWS, DESCRIBED = "recycle/draws.py", "recycle/hand.py"

MUTATIONS = (
    Mutation(
        "the left bower belongs to the suit printed on it",
        BOWERS,
        "return trump if card == left_bower(trump) else suit(card)",
        "return suit(card)",
    ),
    Mutation(
        "the left bower beats the right",
        BOWERS,
        "left_bower(trump), right_bower(trump)]",
        "right_bower(trump), left_bower(trump)]",
    ),
    Mutation("the king beats the ace", BOWERS, '[*"9TJQKA"', '[*"9TJQAK"'),
    Mutation("the left bower is of the other colour", BOWERS, '"C": Suit("S")', '"C": Suit("D")'),
    Mutation("nobody has to follow suit", TRICKS, "hand & follow or hand]", "hand]"),
    Mutation("trump does not win", TRICKS, "return suits[other] == trump", "return False"),
    Mutation(
        "a high card of a third suit wins",
        TRICKS,
        "return suits[other] == trump",
        "return strength(other, trump) > strength(card, trump)",
    ),
    Mutation(
        "the lowest card wins", TRICKS, "strength(other, trump) > ", "strength(other, trump) < "
    ),
    Mutation("the first card always wins", TRICKS, "self._beaten_by = beaten_by", "pass"),
    Mutation("the trick's last player leads", TRICKS, "winner = self.actor = ", "winner = "),
    Mutation(
        "the dealer leads to the first trick",
        TRICKS,
        "leader = self._rounds[contract.dealer][0]",
        "leader = contract.dealer",
    ),
    Mutation("the maker's partner plays too", TRICKS, " if seat != sits_out)", ")"),
    Mutation(
        "the hand ends with four tricks", TRICKS, "if not hand:", "if len(self._winners) == 4:"
    ),
    Mutation("any card is accepted", TRICKS, "if action not in self.legal:", "if not self.legal:"),
    Mutation(
        "a finished hand goes on",
        TRICKS,
        "        self.refuse(action)\n\n    def view",
        "        return self\n\n    def view",
    ),
    Mutation("a copy shares its tricks", TRICKS, "self._played.copy()", "self._played"),
    Mutation("a march alone is two", HAND, "4 if alone else 2", "2"),
    Mutation("a march is one", HAND, "4 if alone else 2", "4 if alone else 1"),
    Mutation(
        "a lone hand made is two",
        HAND,
        "winners, won = makers, 1",
        "winners, won = makers, 1 + alone",
    ),
    Mutation("the euchred score", HAND, "winners, won = 1 - makers, 2", "winners, won = makers, 2"),
    Mutation(
        "a euchre is one", HAND, "winners, won = 1 - makers, 2", "winners, won = 1 - makers, 1"
    ),
    Mutation("a lone euchre is four", HAND, "1 - makers, 2", "1 - makers, 4 if alone else 2"),
    Mutation("three tricks are not enough", HAND, "tricks[makers] < 3", "tricks[makers] < 4"),
    Mutation("two tricks are enough", HAND, "tricks[makers] < 3", "tricks[makers] < 2"),
    Mutation("four tricks are a march", HAND, "tricks[makers] < 5", "tricks[makers] < 4"),
    Mutation("the dealer's team are the makers", HAND, "self.maker % 2", "self.dealer % 2"),
    Mutation(
        "the dealer is the maker", HAND, "            self.actor,\n", "            self.dealer,\n"
    ),
    Mutation("the dealer does not pick up", HAND, " | PACK.bit[bidding.upcard]", ""),
    Mutation("the discard stays in the hand", HAND, "        self._six ^= bit\n", ""),
    Mutation("an opponent sits out", HAND, "partner(self.actor) if", "(self.actor + 1) % 4 if"),
    Mutation(
        "the upcard's suit is always trump",
        HAND,
        "_PLAY_TABLES[named]",
        "_PLAY_TABLES[_SUITS[self.upcard]]",
    ),
    Mutation(
        "a call is accepted unseen",
        HAND,
        "    self.refuse(action)\n        self._calls",
        "    pass\n        self._calls",
    ),
    Mutation(
        "bidding goes anticlockwise", HAND, "(self.actor + 1) % 4\n", "(self.actor + 3) % 4\n"
    ),
    Mutation("there is no second round", HAND, "if turn == 8:", "if turn == 4:"),
    Mutation(
        "everybody sees the discard",
        HAND,
        "self.discard if seat == self.dealer else None",
        "self.discard",
    ),
    Mutation(
        "the dealer forgets her discard",
        HAND,
        "self.discard if seat == self.dealer else None",
        "None",
    ),
    Mutation(
        "the dealer's partner sees the discard if she made trump",
        HAND,
        "self.discard if seat == self.dealer else None",
        "self.discard if seat in {self.dealer, partner(self.dealer)} & {self.dealer, self.maker}"
        " else None",
    ),
    Mutation(
        "all seats see the discard after the hand",
        HAND,
        "self.discard if seat == self.dealer else None",
        "self.discard if seat == self.dealer or (seat is not None and state.result) else None",
    ),
    Mutation(
        "the dealer's partner sees six cards during the discard",
        HAND,
        "contract.view(seat, self, self._hands())",
        "contract.view(seat, self, [self._six if one % 2 == self.actor % 2 else hand"
        " for one, hand in enumerate(self._hands())])",
    ),
    Mutation(
        "a hand thrown in is shown to all seats",
        HAND,
        "PACK.names(hands[seat])",
        "PACK.names(sum(hands) if state.result == _MISDEAL else hands[seat])",
    ),
    Mutation(
        "who sits out sees the maker's hand",
        HAND,
        "PACK.names(hands[seat])",
        "PACK.names(hands[seat] | (hands[partner(seat)] if seat == self.sits_out else 0))",
    ),
    Mutation(
        "the dealer, alone by her own order up, may not discard the upcard",
        HAND,
        "_DISCARDS[six]",
        "_DISCARDS[six ^ (PACK.bit[bidding.upcard] if sits_out == partner(dealer) else 0)]",
    ),
    Mutation(
        "a dealer who sits out may not discard the upcard",
        HAND,
        "_DISCARDS[six]",
        "_DISCARDS[six ^ (PACK.bit[bidding.upcard] if sits_out == dealer else 0)]",
    ),
    Mutation(
        "a dealer who sits out does not pick up",
        HAND,
        " | PACK.bit[bidding.upcard]",
        " | (PACK.bit[bidding.upcard] if sits_out != dealer else 0)",
    ),
    Mutation(
        "everybody sees the choices",
        GAME,
        "self.legal if seat is not None and seat == self.actor else ()",
        "self.legal",
    ),
    Mutation(
        "everybody sees the dealer's hand",
        HAND,
        "PACK.names(hands[seat])",
        "PACK.names(hands[self.dealer])",
    ),
    Mutation("a hand is not noted as stuck", HAND, "turns == 8 and self.stuck", "False"),
    Mutation("the upcard's suit may be named", EUCHRE, " if named != turned]", "]"),
    Mutation("the stuck dealer may pass", EUCHRE, "tuple(names) if stuck else second", "second"),
    Mutation("eldest must go alone", EUCHRE, "(first, partners, first", "(partners, first, first"),
    Mutation("alone cannot be switched off", EUCHRE, "if rules.alone:", "if True:"),
    Mutation("it takes 21 misdeals", EUCHRE, "MISDEALS_IN_A_ROW = 20", "MISDEALS_IN_A_ROW = 21"),
    Mutation("nobody alone yet made to", EUCHRE, " and not rules.alone:", " and False:"),
    Mutation("the deal stays", GAME, "(dealer + self.rotation)", "(dealer)"),
    Mutation(
        "the target must be passed", PARTNERSHIPS, ">= self.rules.target", "> self.rules.target"
    ),
    Mutation(
        "misdeals add up over the match",
        MATCH,
        "0 if any(points) else self.misdeals + 1",
        "self.misdeals + (not any(points))",
    ),
    Mutation(
        "misdeals go on adding up after North-South score",
        MATCH,
        "0 if any(points) else self.misdeals + 1",
        "0 if points[1] else self.misdeals + (not points[0])",
    ),
    Mutation("twelve tricks are a slam", WHIST, "max(points) == 7", "max(points) >= 6"),
    Mutation("eldest's second call is of round one", HAND, "self._calls) < 4", "self._calls) < 5"),
    Mutation(
        "every view says that eldest leads, though she sits out",
        TRICKS,
        "turns(next_seat(contract.dealer), contract.sits_out)[0]",
        "next_seat(contract.dealer)",
    ),
    Mutation("a third block is the second again", DEALING, "counter += 1", "counter = 1"),
    Mutation("six tricks score", WHIST, "east_west - 6", "east_west - 5"),
    Mutation("the first card dealt is trump", WHIST, "turned = deck[-1]", "turned = deck[0]"),
    Mutation(
        "the king is high", WHIST, "RANKS.index(rank(card))", '"A23456789TJQK".index(rank(card))'
    ),
    Mutation(
        "the dealer is dealt first", CARDS, "eldest_at = 3 - dealer", "eldest_at = (4 - dealer) % 4"
    ),
    Mutation("a deck may hold a card twice", CARDS, " or sum(bits) != self.all:", ":"),
    Mutation("low cards come up more often", DEALING, "if byte < _FAIR[left]:", "if byte < 256:"),
    Mutation(
        "every hand has the same deck", DEALING, "duel_label + hand.to_bytes(4)", "duel_label"
    ),
    Mutation(
        "every hand of a program has the same draws",
        DEALING,
        "label + hand.to_bytes(4)).digest()",
        "label).digest()",
    ),
    Mutation(
        "a draw of a program is not fair", DRAWS, "if drawn < values - values % count:", "if True:"
    ),
    Mutation("the lowest score does not win", DESCRIBED, "sign = -1 if", "sign = 1 if"),
    Mutation(
        "who deals does not turn the players", DESCRIBED, "self.dealer + 1 + player", "player"
    ),
    Mutation("the commitment is the seed's plain hash", DEALING, "_COMMITMENT + ", ""),
    Mutation(
        "a replay does not ask whose turn it is", RECORD, "if seat != state.actor:", "if False:"
    ),
    Mutation("a replay believes the score", RECORD, "if match.score != record.score:", "if False:"),
    Mutation("a replay believes the hands' results", RECORD, "if recorded != played:", "if False:"),
)


class BrokenModule(MetaPathFinder, Loader):
    """Finds and loads one module of the engine with its rule broken."""

    def __init__(self, mutation: Mutation) -> None:
        self._mutation = mutation
        self._name = ".".join(("referee", "engine", *Path(mutation.file).with_suffix("").parts))

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002 (the file is known)
        target: ModuleType | None = None,  # noqa: ARG002 (likewise)
    ) -> ModuleSpec | None:
        return spec_from_loader(fullname, self) if fullname == self._name else None

    def exec_module(self, module: ModuleType) -> None:
        file = ENGINE / self._mutation.file
        source = file.read_text(encoding="utf-8")
        broken = compile(source.replace(self._mutation.old, self._mutation.new), file, "exec")
        exec(broken, module.__dict__)  # noqa: S102 (to load a module is to execute it)


class Run(NamedTuple):
    """How the tests ended."""

    exit_code: int
    output: str


def run_tests(mutation: Mutation | None) -> Run:
    """Run the tests with one rule broken, or none, in a process that has not imported the rules."""
    assert "referee" not in sys.modules
    if mutation:
        sys.meta_path.insert(0, BrokenModule(mutation))
    # The same examples every time, so that no mutation is caught by luck; a failing one is not
    # made smaller, for nobody reads it.
    settings.register_profile(
        "mutations",
        deadline=None,
        database=None,
        derandomize=True,
        phases=(Phase.explicit, Phase.generate),
    )
    options = ["-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist"]
    options += ["-W", "ignore:Module already imported:pytest.PytestAssertRewriteWarning"]
    with redirect_stdout(io.StringIO()) as output:
        exit_code = pytest.main([*options, "--hypothesis-profile=mutations", *map(str, TESTS)])
    return Run(exit_code, output.getvalue())


def misplaced() -> list[str]:
    """Name the mutations whose text is not in their file exactly once."""
    return [
        f"{mutation.file}: {mutation.old!r} is not there exactly once"
        for mutation in MUTATIONS
        if (ENGINE / mutation.file).read_text(encoding="utf-8").count(mutation.old) != 1
    ]


def main() -> int:
    """Report for each mutation whether it was caught."""
    if wrong := misplaced():
        print("\n".join(wrong))
        return 1
    context = get_context("forkserver")
    context.set_forkserver_preload(PRELOADED)
    survivors = 0
    with ProcessPoolExecutor(os.cpu_count(), context, max_tasks_per_child=1) as pool:
        unbroken, *runs = (pool.submit(run_tests, mutation) for mutation in (None, *MUTATIONS))
        if unbroken.result().exit_code != pytest.ExitCode.OK:
            pool.shutdown(cancel_futures=True)
            print(unbroken.result().output)
            print("the tests fail on rules that are not broken")
            return 1
        for mutation, run in zip(MUTATIONS, runs, strict=True):
            caught = run.result().exit_code == pytest.ExitCode.TESTS_FAILED
            survivors += not caught
            print(f"{'caught' if caught else 'SURVIVED':<9} {mutation.broken}", flush=True)
    print(f"{len(MUTATIONS) - survivors} of {len(MUTATIONS)} broken rules were caught")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
