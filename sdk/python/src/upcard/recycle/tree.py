"""Builds the tree of parentheses that a program is."""

from typing import Final, NamedTuple

from upcard.recycle import bounds
from upcard.recycle.pages import Page
from upcard.recycle.tokens import Sort, Token, tokens

_SHOWN: Final = 40


class Form(NamedTuple):
    """A pair of parentheses with what is in it."""

    items: "tuple[Item, ...]"
    at: int

    def __str__(self) -> str:
        return _shown(self)


Item = Token | Form


def is_token(item: Item, *texts: str) -> bool:
    """Whether an item is one of those keywords or operators."""
    return isinstance(item, Token) and item.text in texts and item.sort in {Sort.WORD, Sort.MARK}


def tree(page: Page) -> Form:
    """Return the program as nested forms. A loop, so that no nesting exhausts the stack."""
    opened: list[tuple[int, list[Item]]] = [(page.start, [])]
    for token in tokens(page):
        if token.sort is Sort.OPEN:
            if len(opened) > bounds.NESTING:
                raise page.error(token.at, f"more than {bounds.NESTING} parentheses are nested")
            opened.append((token.at, []))
        elif token.sort is Sort.CLOSE:
            at, items = opened.pop()
            opened[-1][1].append(Form(tuple(items), at))
        else:
            opened[-1][1].append(token)
    if len(opened) > 1:
        at = opened[-1][0]
        line, column = page.where(at)
        raise page.error(
            page.end, f"expected ')' for the '(' at line {line}, column {column}, found the end"
        )
    program = opened[0][1][0]
    assert isinstance(program, Form)
    return program


def _shown(form: Form) -> str:
    """Return the beginning of a form, on one line, for a message."""
    words: list[str] = []
    length = 0
    waiting: list[Item | str] = [form]
    while waiting:
        item = waiting.pop()
        if isinstance(item, Form):
            waiting += [")", *reversed(item.items), "("]
            continue
        word = str(item)
        length += len(word) + 1
        if length > _SHOWN:
            words.append("…")
            break
        words.append(word)
    return " ".join(words).replace("( ", "(").replace(" )", ")").replace(" ,", ",")
