"""Grows valid programs at random, of every construct there is, to try what holds for all of them.

A program is grown from `GRAMMAR`: of each word in angle brackets one of its forms is taken. ``<NEW
CARD>`` binds a variable, which may then stand for any ``<CARD>`` in what follows in the same form.
Most of what is grown can be done; an error in play is a program's right.
"""

import re
from random import Random
from typing import Final

DECK: Final = """(create deck (game vloc STOCK) (deck (RANK (ONE, TWO, THREE, FOUR))
  (COLOR (RED (SUIT (HEARTS))) (BLACK (SUIT (SPADES, CLUBS))))))"""
DEAL: Final = "".join(
    f"((> (size (game vloc STOCK)) 3) (move (top (game vloc STOCK)) (top ('P {kind} A))))"
    for kind in ("vloc", "iloc", "hloc", "oloc") * 2
)
START: Final = f"""(do (
  (shuffle (game vloc STOCK))
  (set (game points PM) (((RANK : ONE) 1) ((RANK : TWO) 2) ((RANK : THREE) 3)))
  (all player 'P (do ({DEAL})))))"""
COUNT: Final = "(inc (game sto PASSES))"
END: Final = "(end (or <TRUTH> (>= (game sto PASSES) <DIGIT>)))"
GRAMMAR: Final[dict[str, tuple[str, ...]]] = {
    "GAME": (f"(game (setup (create players <PLAYERS>) <DECKS>) {START} <PART> <PART> <SCORING>)",),
    "SCORING": ("(scoring max <INTEGER>)", "(scoring min <INTEGER>)"),
    "PLAYERS": (
        "2",
        "3",
        "4",
        "4) (create teams (1, 3) (2, 4)",
        "4) (create teams (0, 3) (2, 1)",
    ),
    "DECKS": (
        DECK,
        DECK,
        f"(repeat 2 {DECK})",
        f"{DECK} (create deck BLUE ((1 player) iloc A) (deck (RANK (ONE, TWO))))",
    ),
    "PART": (
        "(choice (<CHOSEN> (turn pass)))",
        "(choice (<CHOSEN> <CHOSEN> (turn pass)))",
        "<ACTION>",
        "(choice (<CHOSEN> <CHOSEN> (turn pass)))",
        "(let (top (game <KIND> A)) <NEW CARD> (choice (<CHOSEN> <CHOSEN> (turn pass))))",
        "(let (union (game vloc A) (game oloc B)) <NEW CARDS> (choice (<CHOSEN> (turn pass))))",
        "(let ((current player) <KIND> A) <NEW PLACE> (choice (<CHOSEN> (turn pass))))",
        f"(stage <CYCLE> {END} <PART> (do ({COUNT})))",
        f"(stage <CYCLE> {END} <PART> <PART> (do ({COUNT})))",
    ),
    "CYCLE": ("player", "team"),
    "DIGIT": tuple("123456789"),
    "CHOSEN": (
        "<PRIMITIVE>",
        "(any <CARDS> <NEW CARD> <PRIMITIVE>)",
        "(do (<CHOSEN> <CHOSEN>))",
        "(<TRUTH> <CHOSEN>)",
        "(any <CARDS> <NEW CARD> <CHOSEN>)",
        "(any <LOOP> <CHOSEN>)",
        "(all <LOOP> <CHOSEN>)",
        "(let <BINDING> <CHOSEN>)",
        "(repeat (% <INTEGER> 4) <CHOSEN>)",
    ),
    "ACTION": (
        "<PRIMITIVE>",
        "(all <CARDS> <NEW CARD> <PRIMITIVE>)",
        "(do (<ACTION> <ACTION>))",
        "(<TRUTH> <ACTION>)",
        "(all <LOOP> <ACTION>)",
        "(let <BINDING> <ACTION>)",
        "(repeat (% <INTEGER> 4) <ACTION>)",
    ),
    "LOOP": (
        "<PLAYERS OF> <NEW PLAYER>",
        "<CARDS> <NEW CARD>",
        "<SETS> <NEW CARDS>",
        "team <NEW TEAM>",
        "(other team) <NEW TEAM>",
        "(HEARTS, SPADES) <NEW STRING>",
        "(A, B) <NEW STRING>",
        "(range 0 .. 2) <NEW INTEGER>",
        "(filter <CARDS> <NEW CARD> <TRUTH>) <NEW CARD>",
        "(filter <SETS> <NEW CARDS> <TRUTH>) <NEW CARDS>",
        "(indexed <OWNER> <KIND> A) <NEW PLACE>",
    ),
    "BINDING": (
        "<PLAYER> <NEW PLAYER>",
        "<TEAM> <NEW TEAM>",
        "<CARD> <NEW CARD>",
        "<SOME> <NEW CARDS>",
        "<PLACE> <NEW PLACE>",
        "<INTEGER> <NEW INTEGER>",
        "<STRING> <NEW STRING>",
    ),
    "PRIMITIVE": (
        "(move <CARD> <TARGET>)",
        "(repeat all (move (top <CARDS>) <TARGET>))",
        "(set (<WHOSE> str <NAME>) <STRING>)",
        "(set (<WHOSE> sto <NAME>) (% <INTEGER> 100))",
        "(inc (<WHOSE> sto <NAME>) (% <INTEGER> 100))",
        "(dec (<WHOSE> sto <NAME>) (% <INTEGER> 100))",
        "(set (<WHOSE> points <NAME>) (((<KEY> : <STRING>) <DIGIT>)))",
        "(update (<WHOSE> points <NAME>) (((<KEY> : <STRING>) <DIGIT>)))",
        "(cycle next <PLAYER>)",
        "(cycle current <PLAYER>)",
        "(shuffle <PLACE>)",
        "(remember <CARD> (top (<OWNER> mem <NAME>)))",
        "(all (<OWNER> mem <NAME>) <NEW CARD> (forget <NEW CARD>))",
        "(swap <PLACE> <PLACE>)",
        "(swap <CARD> <CARD>)",
    ),
    "TARGET": ("(top <PLACE>)", "(top <PLACE>)", "(bottom <PLACE>)", "(0 <PLACE>)"),
    "KIND": ("vloc", "iloc", "hloc", "oloc"),
    "KEY": ("SUIT", "RANK", "COLOR", "NEVER"),
    "NAME": ("A", "B", "A", "B", "A", "B", "<STRING>"),
    "OWNER": ("game", "(current player)", "<PLAYER>"),
    "WHOSE": ("game", "(current player)", "<PLAYER>", "<TEAM>"),
    "PLACE": (
        "(<OWNER> <KIND> A)",
        "(<OWNER> <KIND> B)",
        "(<OWNER> <KIND> <NAME>)",
        "(game vloc STOCK)",
        "(<OWNER> <KIND> A 1)",
        "(<OWNER> <KIND> A (size (filter player <NEW PLAYER> <TRUTH>)))",
    ),
    "MAP": ("(game points PM)", "(game points PM)", "(<WHOSE> points <NAME>)"),
    "CARDS": ("<PLACE>", "<PLACE>", "<SOME>"),
    "SOME": (
        "(union <PLACE> <PLACE>)",
        "(union <CARDS> <CARDS>)",
        "(intersect <CARDS> <CARDS>)",
        "(disjunction <CARDS> <CARDS>)",
        "(union (all player <NEW PLAYER> <CARDS>))",
        "(intersect (all player <NEW PLAYER> <CARDS>))",
        "(filter <CARDS> <NEW CARD> <TRUTH>)",
        "(filter <CARDS> <NEW CARD> <TRUTH>)",
        "(sort <CARDS> using <MAP>)",
        "(top 0 <CARDS>)",
        "(top 1 (union <CARDS> (game vloc STOCK)))",
        "(bottom 1 (union <CARDS> (game vloc STOCK)))",
        "(run top <DIGIT> <CARDS> using <MAP>)",
        "(bottom <DIGIT> <CARDS> using <MAP>)",
    ),
    "SETS": (
        "(partition <KEY> <CARDS>)",
        "(tuples 2 <CARDS> using <MAP>)",
        "(subsets (filter <CARDS> <NEW CARD> (== (cardatt RANK <NEW CARD>) TWO)))",
        "(runs largest 2 <CARDS> using <MAP>)",
        "(runs all 2 <CARDS> using <MAP>)",
        "(all player <NEW PLAYER> <CARDS>)",
    ),
    "CARD": (
        "(top (union <CARDS> (game vloc STOCK)))",
        "(bottom (union (game vloc STOCK) <CARDS>))",
        "(0 (union <CARDS> (game vloc STOCK)))",
        "(max (union <CARDS> (game vloc STOCK)) using <MAP>)",
        "(min (union <CARDS> (game vloc STOCK)) using <MAP>)",
    ),
    "PLAYERS OF": ("player", "(other player)", "<TEAM>"),
    "PLAYER": (
        "(current player)",
        "(next player)",
        "(previous player)",
        "(1 player)",
        "((size (A)) player)",
    ),
    "TEAM": ("(current team)", "(next team)", "(previous team)", "(1 team)", "(team <PLAYER>)"),
    "STRING": (
        *("HEARTS", "SPADES", "ONE", "TWO", "A", "B", "(game str A)", "((current player) str B)"),
        "(cardatt <KEY> (top <CARDS>))",
        "(cardatt <STRING> (bottom <CARDS>))",
    ),
    "INTEGER": (
        *("0", "1", "2", "3", "(game sto A)", "((current player) sto B)"),
        "(+ <INTEGER> <INTEGER>)",
        "(- <INTEGER> <INTEGER>)",
        "(* <INTEGER> <INTEGER>)",
        "(// <INTEGER> 2)",
        "(sum <CARDS> using <MAP>)",
        "(scoremax (union <CARDS> (game vloc STOCK)) using <MAP>)",
        "(scoremin (union <CARDS> (game vloc STOCK)) using <MAP>)",
        "(score <CARD> using <MAP>)",
        "(random 2)",
        "(random 1 .. 3)",
        "(tri (size <CARDS>))",
        "(fib (size <CARDS>))",
        "(all player <NEW PLAYER> <INTEGER>)",
        "(pid <PLAYER>)",
        "(tid <TEAM>)",
        "(size <CARDS>)",
        "(size <SETS>)",
        "(size <PLAYERS OF>)",
    ),
    "TRUTH": (
        "(== <STRING> <STRING>)",
        "(!= <STRING> <STRING>)",
        "(== <CARD> (top <CARDS>))",
        "(!= (bottom <CARDS>) (top <CARDS>))",
        "(== <PLAYER> <PLAYER>)",
        "(!= <TEAM> <TEAM>)",
        "(< <INTEGER> <INTEGER>)",
        "(>= <INTEGER> <INTEGER>)",
        "(== <INTEGER> <INTEGER>)",
        "(and <TRUTH> <TRUTH>)",
        "(or <TRUTH> <TRUTH>)",
        "(not <TRUTH>)",
        "(all <LOOP> <TRUTH>)",
        "(any <LOOP> <TRUTH>)",
        "(any player <NEW PLAYER> <TRUTH>)",
    ),
}
_WORD: Final = re.compile(r"<([A-Z ]+)>")
_DEEPEST: Final = 10
"""From there on the first form of each word is taken."""
_SHARE_OF_VARIABLES: Final = 0.7

Scope = dict[str, str]
"""The variables in scope with what each is."""


class Grower:
    """Grows one program."""

    def __init__(self, seed: int) -> None:
        self._random: Final = Random(seed)
        self._bound = 0

    def program(self) -> str:
        return self._grown("GAME", {}, 0)

    def _grown(self, word: str, scope: Scope, depth: int) -> str:
        """Return one of the forms of a word, or a variable that may stand for it."""
        kind = "PLACE" if word == "CARDS" and self._random.random() < 0.5 else word
        variables = [name for name, of in scope.items() if of == kind]
        if variables and self._random.random() < _SHARE_OF_VARIABLES:
            return self._random.choice(variables)
        forms = GRAMMAR[word]
        # The deeper, the fewer forms, and the first of each are the plainest.
        most = max(1, round(len(forms) * (1 - depth / _DEEPEST)))
        form = self._random.choice(forms[:most])
        inner = dict(scope)
        new: dict[str, str] = {}

        def replaced(match: re.Match[str]) -> str:
            found = match[1]
            if not found.startswith("NEW "):
                return self._grown(found, inner, depth + 1)
            of = found.removeprefix("NEW ")
            if of not in new:
                new[of] = self._variable()
                inner[new[of]] = of
            return new[of]

        return _WORD.sub(replaced, form)

    def _variable(self) -> str:
        """Return a variable that was not bound yet."""
        self._bound += 1
        letters = ""
        number = self._bound
        while number:
            number, letter = divmod(number - 1, 26)
            letters = chr(ord("A") + letter) + letters
        return f"'V{letters}"
