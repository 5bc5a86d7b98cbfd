"""Each SDK's own tests pass, in its own language and by its own tools."""

import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from referee.bots.examples import EXAMPLES
from referee.bots.sdks import sdk_for
from tests.sdk.polyglot import absent

Commands = tuple[tuple[str, ...], ...]
OWN: Final[Mapping[str, Commands]] = {
    "javascript": (("npm", "ci"), ("npm", "test"), ("npm", "run", "types")),
    "go": (("go", "vet", "./..."), ("go", "test", "./...")),
    "rust": (("cargo", "test", "--quiet"),),
    "java": (("mvn", "--batch-mode", "--quiet", "test"),),
    "cpp": (
        ("cmake", "-S", ".", "-B", "build", "-DCMAKE_BUILD_TYPE=Release"),
        ("cmake", "--build", "build", "--parallel", "2"),
        ("ctest", "--test-dir", "build", "--output-on-failure"),
    ),
}
"""Python's are among ours."""


@pytest.mark.timeout(900)
@pytest.mark.parametrize("language", OWN)
def test_an_sdk_passes_its_own_tests(language: str) -> None:
    sdk = sdk_for(language)
    assert sdk
    passes(sdk.directory, OWN[language], sdk.lacking)


@pytest.mark.timeout(900)
def test_the_strong_example_passes_its_own_tests() -> None:
    sdk = sdk_for("rust")
    assert sdk
    passes(EXAMPLES / "dreamer", (("cargo", "test", "--quiet", "--release"),), sdk.lacking)


def passes(directory: Path, commands: Commands, lacking: str) -> None:
    """Run commands one after the other, up to the first that fails."""
    if lacking:
        absent(lacking)
    for command in commands:
        done = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
