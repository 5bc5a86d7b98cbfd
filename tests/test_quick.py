"""What the tests' own settings name is there."""

import pytest

from tests.conftest import HERE, LONGEST, NOT_QUICK


@pytest.mark.parametrize("name", sorted({*NOT_QUICK, *LONGEST}))
def test_what_is_left_out_or_comes_first_is_there(name: str) -> None:
    assert (HERE / name).exists()
