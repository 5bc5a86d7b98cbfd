"""Every command of Upcard in `deploy/`, and in the pages about it, is one that there is."""

import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import typer
import yaml
from typer.core import TyperGroup
from typer.exceptions import TyperException

from referee.cli.app import build_app

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
MANIFESTS = sorted(DEPLOY.glob("**/*.yaml"))
SCRIPTS = [*DEPLOY.glob("slurm/*.sbatch"), *DEPLOY.glob("systemd/*.service")]
PAGES = [
    DEPLOY / "README.md",
    ROOT / "docs" / "hosting.md",
    *sorted((ROOT / "docs" / "operations").glob("*.md")),
]
COMMAND = re.compile(
    r"(?:^|\s|/)upcard ((?:accounts|assignments|bots|deal|demo|desk|doctor|duels?|fault|grades|host"
    r"|ladder|league|login|queue|replay|scheduler|serve|store|submit|verify|worker)\b[^|;&<>#]*)"
)
SUBSTITUTED = re.compile(r'\$\{[^}]*\}|\$\([^)]*\)\)?|\$\w+|%i|"\$\w+')


class Line(NamedTuple):
    """A command line, as it stands in a file."""

    file: str
    words: tuple[str, ...]


def _lines_of_text(text: str) -> Iterator[str]:
    """Yield the commands in a script, a unit, or the code of a page."""
    for line in text.replace("\\\n", " ").splitlines():
        if not line.lstrip().startswith("#"):
            yield from COMMAND.findall(line)


def _code(page: Path) -> str:
    return "\n".join(line for line in page.read_text().splitlines() if line.startswith("    "))


def _words(command: str) -> tuple[str, ...]:
    # What is put in when it runs is any word here.
    return tuple(shlex.split(SUBSTITUTED.sub("1", command).replace("'", "").replace('"', "")))


def _of_manifest(node: Any) -> Iterator[tuple[str, ...]]:  # noqa: ANN401 (any YAML)
    if isinstance(node, Mapping):
        image = str(node.get("image", ""))
        own = re.fullmatch(r"(.*/)?upcard(:.*)?", image)
        arguments = node.get("args") or node.get("command")
        if own and isinstance(arguments, list):
            text = " ".join(arguments)
            shell = list(_lines_of_text(text))
            yield from map(_words, shell or ([] if "sh" in node.get("command", ()) else [text]))
        for value in node.values():
            yield from _of_manifest(value)
    elif isinstance(node, list):
        for value in node:
            yield from _of_manifest(value)


def _all() -> Iterator[Line]:
    for file in SCRIPTS:
        yield from (_line(file, _words(each)) for each in _lines_of_text(file.read_text()))
    for file in PAGES:
        yield from (_line(file, _words(each)) for each in _lines_of_text(_code(file)))
    for file in MANIFESTS:
        for document in yaml.safe_load_all(file.read_text()):
            yield from (_line(file, words) for words in _of_manifest(document))


def _line(file: Path, words: tuple[str, ...]) -> Line:
    return Line(str(file.relative_to(ROOT)), words)


LINES = [*dict.fromkeys(_all())]


@pytest.mark.parametrize("line", LINES, ids=lambda line: f"{line.file}: {' '.join(line.words)}")
def test_a_command_line_is_accepted(line: Line) -> None:
    assert _refusal(line.words) is None


def test_an_option_that_there_is_not_is_noticed() -> None:
    assert "--nonsense" in (_refusal(("league", "run", "spring", "--nonsense")) or "")


@pytest.mark.parametrize(
    "role", ["serve", "scheduler", "worker", "league run", "league play", "league import"]
)
def test_each_role_is_started_somewhere(role: str) -> None:
    assert any(" ".join(line.words).startswith(role) for line in LINES)


def _refusal(words: tuple[str, ...]) -> str | None:
    """Return why a command line is refused, without running it."""
    command: Any = typer.main.get_command(build_app(words))
    rest = list(words)
    try:
        while isinstance(command, TyperGroup):
            name = rest.pop(0)
            command = command.get_command(typer.Context(command), name)
            if command is None:
                return f"there is no command {name}"
        command.make_context("upcard", rest)
    except TyperException as error:
        return error.format_message()
    return None
