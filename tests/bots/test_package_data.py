"""Where the files are that come with the package; `tools/check_wheels` tries those of a wheel."""

from importlib import resources
from pathlib import Path

import pytest

from referee.bots.package_data import data_directory, page
from referee.bots.sdks import SDKS

ROOT = Path(__file__).parents[2]


def test_an_editable_install_reads_the_clone() -> None:
    assert data_directory() == ROOT
    assert page("protocol.md").is_file()


def test_a_wheel_has_them_in_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "data").mkdir()
    monkeypatch.setattr(resources, "files", lambda _: tmp_path)
    assert data_directory.__wrapped__() == tmp_path / "data"


def test_each_sdk_is_named_for_the_wheel() -> None:
    names = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for about in SDKS.glob("*/sdk.toml"):
        assert f'    "sdk/{about.parent.name}",\n' in names
