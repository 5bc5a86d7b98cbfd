"""Links of the documentation lead somewhere."""

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PLACES = (
    "*.md",
    "bench/*.md",
    "deploy/**/*.md",
    "docs/**/*.md",
    "sdk/*/*.md",
    "examples_bots/*/*.md",
)
LINK = re.compile(r"\[[^][]*\w[^][]*\]\((?!https?:)([^)#\s]+)")


def test_every_link_to_a_file_leads_to_one() -> None:
    assert [*_broken()] == []


def _broken() -> Iterator[str]:
    for page in (page for place in PLACES for page in ROOT.glob(place)):
        for link in LINK.findall(page.read_text()):
            if not (page.parent / link).exists():
                yield f"{page.relative_to(ROOT)}: {link}"
