"""Each SDK's own tests pass, in its own language and by its own tools."""

import subprocess
from collections.abc import Mapping
from typing import Final

import pytest

from referee.bots.examples import EXAMPLES
from referee.bots.sdks import sdk_for
from tests.sdk.polyglot import absent

DREAMER: Final = str(EXAMPLES / "dreamer" / "Cargo.toml")
Commands = tuple[tuple[str, ...], ...]
OWN: Final[Mapping[str, Commands]] = {
    "javascript": (
        ("npm", "ci", "--prefer-offline", "--no-audit", "--no-fund"),
        ("npm", "test"),
        ("npm", "run", "types"),
    ),
    "go": (("go", "vet", "./..."), ("go", "test", "./...")),
    "rust": (
        ("cargo", "test", "--quiet"),
        # Its example has rules and a search of its own; most of what it needs is compiled by now.
        ("cargo", "test", "--quiet", "--manifest-path", DREAMER, "--target-dir", "target"),
    ),
    "java": (("mvn", "--batch-mode", "--quiet", "test"),),
    "cpp": (
        ("cmake", "-S", ".", "-B", "build"),
        ("cmake", "--build", "build", "--parallel", "2"),
        ("ctest", "--test-dir", "build", "--output-on-failure"),
    ),
}
"""Python's are among ours."""


@pytest.mark.parametrize("language", OWN)
def test_an_sdk_passes_its_own_tests(language: str) -> None:
    sdk = sdk_for(language)
    assert sdk
    if sdk.missing:
        absent(sdk.missing)
    for command in OWN[language]:
        done = subprocess.run(
            command, cwd=sdk.directory, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
