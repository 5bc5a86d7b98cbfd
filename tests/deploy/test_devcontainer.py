"""The container of authors has what the SDKs need."""

import json
import re
from pathlib import Path

from referee.bots.sdks import sdks

DIRECTORY = Path(__file__).parents[2] / "deploy" / "devcontainer"
CONTAINERFILE = (DIRECTORY / "Containerfile").read_text()
_COMMENT = re.compile(r"^\s*//.*$", re.MULTILINE)
_APT = re.compile(r"apt install ([^),;]+?)(?: where|[),;])")


def test_every_package_that_an_sdk_asks_for_is_installed() -> None:
    hints = [program.get for sdk in sdks() for program in sdk.programs]
    asked = {name for hint in hints for names in _APT.findall(hint) for name in names.split()}
    assert asked - set(CONTAINERFILE.split()) == set()


def test_it_is_built_with_the_arguments_that_it_has() -> None:
    about = json.loads(_COMMENT.sub("", (DIRECTORY / "devcontainer.json").read_text()))
    arguments = re.findall(r"^ARG (\w+)", CONTAINERFILE, re.MULTILINE)
    assert (DIRECTORY / about["build"]["dockerfile"]).is_file()
    assert set(about["build"]["args"]) == set(arguments)
