"""The soak of Slurm says what it lacks."""

import pytest

from tests.soak import slurm
from tests.soak.node import INSTALL


def test_where_slurm_is_missing_the_soak_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(slurm, "can_start", lambda: False)
    assert slurm.soak("euchre", 1, 1, as_json=False) == 2
    assert capsys.readouterr().err == f"{INSTALL}\n"
