import sys
from pathlib import Path

import pytest

from referee.errors import ConfigError
from referee.sandbox import runtimes
from referee.sandbox.runtimes import find_runtimes
from tests.sandbox.conftest import Play

PYTHON = find_runtimes()["python"]


def test_every_tree_is_there() -> None:
    missing = [mount.host for found in find_runtimes().values() for mount in found.mounts]
    assert [host for host in missing if not host.exists()] == []


def test_no_place_tells_where_it_comes_from() -> None:
    allowed = ("/opt/python/", "/opt/upcard/", "/usr/lib", "/lib", "/etc/")
    assert all(mount.inside.startswith(allowed) for mount in PYTHON.mounts)


def test_program_lies_in_a_tree() -> None:
    assert PYTHON.program[0] in [mount.inside for mount in PYTHON.mounts]


def test_only_the_sdk_and_its_needs_are_packages() -> None:
    places = {mount.inside.removeprefix("/opt/upcard/") for mount in PYTHON.mounts}
    packages = {place for place in places if not place.startswith(("/", "__pycache__"))}
    assert packages == {
        "grpc",
        "google/protobuf",
        "google/_upb",
        "typing_extensions.py",
        "upcard",
    }


def test_installed_packages_are_hidden() -> None:
    hidden = [f"{mount.inside}/{name}" for mount in PYTHON.mounts for name in mount.hidden]
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    assert [place for place in hidden if version in place]


def test_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runtimes, "find_spec", lambda _: None)
    find_runtimes.cache_clear()
    with pytest.raises(ConfigError, match="package upcard is missing"):
        find_runtimes()
    find_runtimes.cache_clear()


def test_modules_are_compiled_already(play: Play) -> None:
    code = """
import typing_extensions, upcard
for module in (typing_extensions, upcard):
    with open(module.__cached__): print('compiled')"""
    assert play("code", code)["output"] == "compiled\n" * 2


def test_compiled_program_runs(play: Play) -> None:
    assert play("native")["output"] == "hello\n"


def test_found_once_is_found_for_good() -> None:
    assert find_runtimes() is find_runtimes()


def test_loader_is_where_the_kernel_looks() -> None:
    native = find_runtimes()["native"]
    inside = {mount.inside for mount in native.mounts} | {place for _, place in native.links}
    loaders = [*Path("/lib64").glob("ld-linux*"), *Path("/lib").glob("ld-linux*")]
    assert loaders
    assert all(str(loader.parent) in inside for loader in loaders)
