"""Containers get what they need and are allowed no more."""

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
NEEDED = {"clone", "mount", "pivot_root", "sethostname", "setns", "umount2", "unshare"}
"""System calls without which bubblewrap makes no sandbox."""
PLAYING = {"coordinator", "shards", "worker"}


def _pods() -> Iterator[tuple[str, Any]]:
    for file in sorted(DEPLOY.glob("kubernetes/**/*.yaml")):
        for manifest in yaml.safe_load_all(file.read_text()):
            if pod := manifest.get("spec", {}).get("template", {}).get("spec"):
                yield manifest["metadata"]["name"], pod


PODS = dict(_pods())


def test_the_image_is_given_all_that_the_wheel_is_made_of() -> None:
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]
    packed = {name.partition("/")[0] for name in wheel["targets"]["wheel"]["only-include"]}
    given = {line[1:] for line in (ROOT / ".dockerignore").read_text().split() if line[0] == "!"}
    assert packed - given == set()


def test_the_profile_lets_bubblewrap_work() -> None:
    profile = json.loads((DEPLOY / "container" / "seccomp.json").read_text())
    (refused,) = profile["syscalls"]
    assert (profile["defaultAction"], refused["action"]) == ("SCMP_ACT_ALLOW", "SCMP_ACT_ERRNO")
    assert NEEDED.intersection(refused["names"]) == set()


@pytest.mark.parametrize("name", PODS)
def test_no_pod_has_a_token_or_a_capability(name: str) -> None:
    assert PODS[name]["automountServiceAccountToken"] is False
    for container in PODS[name]["containers"]:
        context = container["securityContext"]
        assert context["allowPrivilegeEscalation"] is False
        assert context["capabilities"] == {"drop": ["ALL"]}
        assert context["readOnlyRootFilesystem"] is True
        assert "memory" in container["resources"]["limits"]


@pytest.mark.parametrize("name", PODS)
def test_only_where_bots_play_a_pod_may_nest(name: str) -> None:
    pod = PODS[name]
    (container,) = pod["containers"]
    nests = {
        pod.get("hostUsers") is False,
        pod.get("securityContext", {}).get("appArmorProfile") == {"type": "Unconfined"},
        container["securityContext"].get("procMount") == "Unmasked",
        any(each["mountPath"] == "/run/upcard" for each in container["volumeMounts"]),
    }
    assert nests == {name in PLAYING}


def test_what_plays_in_compose_has_the_profile_of_the_image() -> None:
    composed = yaml.safe_load((DEPLOY / "compose" / "compose.yaml").read_text())["services"]
    profile = "seccomp=../container/seccomp.json"
    playing = {name for name in composed if profile in composed[name].get("security_opt", ())}
    assert playing == {"worker", "coordinator", "upcard"}
