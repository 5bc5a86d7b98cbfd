"""Columns of rows, many at once."""

import pytest

from referee.store.exact import exact_columns


def test_rows_become_columns() -> None:
    assert exact_columns([(1, None), (2, 0.5)], [{int}, {float, type(None)}]) == [
        (1, 2),
        (None, 0.5),
    ]


@pytest.mark.parametrize("row", [(1.0, 0.5), (1, 5), (True, 0.5), (1, "0.5")])
def test_a_value_of_another_type_is_refused(row: tuple[object, object]) -> None:
    with pytest.raises(TypeError):
        exact_columns([(1, 0.5), row], [{int}, {float}])
