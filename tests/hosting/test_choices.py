"""A word that somebody writes is one of those that there are, or all of these are named."""

from collections.abc import Callable

import pytest

from referee.errors import ConfigError
from referee.hosting.roles import SCOPES, role_of, scope_of
from referee.store.hosting_models import ROLES


@pytest.mark.parametrize(
    ("read", "words"), [(role_of, ROLES), (scope_of, SCOPES)], ids=["role", "scope"]
)
def test_each_word_is_read(read: Callable[[str], str], words: tuple[str, ...]) -> None:
    assert tuple(map(read, words)) == words


@pytest.mark.parametrize("text", ["", "Author", "organizer"])
def test_any_other_word_is_refused_with_those_that_there_are(text: str) -> None:
    with pytest.raises(ConfigError) as refused:
        role_of(text)
    assert str(refused.value) == f"{text!r} is no role; choose from author, organiser, admin"
