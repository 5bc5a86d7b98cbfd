"""The files that are made, where they belong, and whether they are what they should be."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from .conversations import conversations
from .vectors import vectors

ROOT: Final = Path(__file__).resolve().parents[2]
VECTORS: Final = ROOT / "sdk" / "testdata"
TRANSCRIPTS: Final = ROOT / "tests" / "sdk" / "transcripts"


def made() -> dict[Path, str]:
    """Return the text of each file."""
    found = {VECTORS / name: facts for name, facts in vectors().items()}
    told = {TRANSCRIPTS / f"{name}.jsonl": talk.told for name, talk in conversations().items()}
    return {path: _lines(lines) for path, lines in (found | told).items()}


def different(texts: Mapping[Path, str]) -> list[Path]:
    """Name the files that are missing, too many or not what they should be."""
    there = present()
    return sorted(path for path in texts.keys() | there if texts.get(path) != there.get(path))


def present() -> dict[Path, str]:
    """Return what is there now."""
    return {
        path: path.read_text("utf-8")
        for path in (*VECTORS.glob("*.jsonl"), *TRANSCRIPTS.glob("*.jsonl"))
    }


def write(texts: Mapping[Path, str]) -> None:
    """Write every file, and remove what belongs to none."""
    for path in present().keys() - texts.keys():
        path.unlink()
    for path, text in texts.items():
        path.write_text(text, "utf-8")


def _lines(lines: Iterable[Mapping[str, object]]) -> str:
    """Write an object a line."""
    return "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
