"""systemd takes every unit as it is, and finds what only serves pages well locked up."""

import subprocess
from pathlib import Path

import pytest

PLACE = Path(__file__).parents[2] / "deploy" / "systemd"
UNITS = sorted(unit for unit in PLACE.iterdir() if unit.suffix in (".service", ".timer"))
INSTALLED = "/opt/upcard/bin/upcard"
CONFINED = (
    "upcard-backup.service",
    "upcard-host.service",
    "upcard-scheduler.service",
    "upcard-web.service",
)
EXPOSED = 20
"""Tenths: what systemd calls well protected."""


@pytest.fixture(scope="module")
def units(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the units, with a program that is there."""
    place = tmp_path_factory.mktemp("units")
    for unit in UNITS:
        (place / unit.name).write_text(unit.read_text().replace(INSTALLED, "/bin/true"))
    return place


@pytest.mark.slow
@pytest.mark.parametrize("name", [unit.name for unit in UNITS])
def test_systemd_takes_every_unit(units: Path, name: str) -> None:
    assert _analyze("verify", "--man=no", units / name) == (0, "")


@pytest.mark.parametrize("name", CONFINED)
def test_what_lets_no_bot_play_is_confined(units: Path, name: str) -> None:
    code, said = _analyze("security", "--offline=true", f"--threshold={EXPOSED}", units / name)
    assert code == 0, said.splitlines()[-1]


def _analyze(*words: str | Path) -> tuple[int, str]:
    # Without colours and without a pager.
    environment = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "SYSTEMD_PAGER": ""}
    done = subprocess.run(
        ["systemd-analyze", *words],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout
