"""Breaks the rules on purpose, one at a time, and demands that the tests notice every time.

Run it from the root of the repository; it works on copies. A mutation that no test catches is
named, and the exit code is 1.
"""

import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
COPIED = ("referee", "tests", "docs", "pyproject.toml")
TESTS = ("tests/engine", "tests/conformance")


class Mutation(NamedTuple):
    """One rule, broken by replacing one piece of text that occurs once in its file."""

    broken: str
    file: str
    old: str
    new: str


TRICKS, CARDS, MATCH = "tricks.py", "cards.py", "match.py"
BOWERS, HAND, EUCHRE = "euchre/bowers.py", "euchre/hand.py", "euchre/game.py"
WHIST, DEALING, RECORD = "whist/hand.py", "dealing.py", "record.py"

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
        "everybody sees the choices",
        "game.py",
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
    Mutation("the deal stays", MATCH, "dealer=next_seat(self.dealer)", "dealer=self.dealer"),
    Mutation(
        "the target must be passed", MATCH, ">= self.game.rules.target", "> self.game.rules.target"
    ),
    Mutation(
        "misdeals add up over the match",
        MATCH,
        "0 if any(points) else self.misdeals + 1",
        "self.misdeals + (not any(points))",
    ),
    Mutation("twelve tricks are a slam", WHIST, "max(points) == 7", "max(points) >= 6"),
    Mutation("eldest's second call is of round one", HAND, "self._calls) < 4", "self._calls) < 5"),
    Mutation(
        "the seats are told that eldest leads, though she sits out",
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
    Mutation("every hand has the same deck", DEALING, "+ hand.to_bytes(4)", "+ bytes(4)"),
    Mutation("the commitment is the seed's plain hash", DEALING, "_COMMITMENT + ", ""),
    Mutation(
        "a replay does not ask whose turn it is", RECORD, "if seat != state.actor:", "if False:"
    ),
    Mutation("a replay believes the score", RECORD, "if match.score != record.score:", "if False:"),
    Mutation("a replay believes the hands' results", RECORD, "if told != is_so:", "if False:"),
)


def mutated(mutation: Mutation | None) -> subprocess.CompletedProcess[str]:
    """Run the tests over a copy with one rule broken."""
    with tempfile.TemporaryDirectory(prefix="upcard-mutation-") as place:
        root = Path(place)
        for name in COPIED:
            source = ROOT / name
            if source.is_dir():
                # Links lead to the SDKs, and all that was built of them.
                without = shutil.ignore_patterns("__pycache__")
                shutil.copytree(source, root / name, symlinks=True, ignore=without)
            else:
                shutil.copy(source, root / name)
        if mutation:
            file = root / "referee" / "engine" / mutation.file
            text = file.read_text()
            if text.count(mutation.old) != 1:
                sys.exit(f"{mutation.file}: {mutation.old!r} is not there exactly once")
            file.write_text(text.replace(mutation.old, mutation.new))
        plain = ["-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist"]
        return subprocess.run(
            [sys.executable, "-m", "pytest", *plain, *TESTS],
            cwd=root,
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )


def main() -> int:
    """Say of each mutation whether it was caught."""
    sound = mutated(None)
    if sound.returncode != 0:
        print(sound.stdout)
        print("the tests fail on rules that are not broken")
        return 1
    survivors = 0
    with ThreadPoolExecutor(2) as pool:
        for mutation, run in zip(MUTATIONS, pool.map(mutated, MUTATIONS), strict=True):
            caught = run.returncode == 1
            survivors += not caught
            print(f"{'caught' if caught else 'SURVIVED':<9} {mutation.broken}", flush=True)
    print(f"{len(MUTATIONS) - survivors} of {len(MUTATIONS)} broken rules were caught")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
