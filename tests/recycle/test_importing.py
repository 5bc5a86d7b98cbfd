"""What is loaded, and when."""

import subprocess
import sys

import pytest

import upcard


def loaded(statement: str) -> set[str]:
    """Return the modules that a new process has loaded after a statement."""
    code = f"{statement}; import sys; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(ran.stdout.split())


def test_recycle_loads_neither_grpc_nor_protobuf() -> None:
    assert not {"grpc", "google.protobuf", "random"} & loaded("import upcard.recycle")


def test_every_name_of_the_sdk_is_there_once_it_is_used() -> None:
    modules = loaded(f"from upcard import {', '.join(upcard.__all__)}")
    assert {"upcard.bot", "upcard.whist", "google.protobuf"} <= modules
    assert set(upcard.__all__) <= set(dir(upcard))


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'upcard' has no attribute 'nothing'"):
        upcard.nothing  # type: ignore[attr-defined]  # noqa: B018 (it is asked for)
