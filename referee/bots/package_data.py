"""Finds what comes with the package and is not Python: SDKs, examples, documentation."""

from functools import cache
from importlib import resources
from pathlib import Path


@cache
def data_directory() -> Path:
    """Return the directory of `docs`, `examples_bots`, `examples_games`, `proto` and `sdk`.

    A wheel has them in the package; an editable install reads them where they are in the clone.
    """
    package = Path(str(resources.files("referee")))
    packaged = package / "data"
    return packaged if packaged.is_dir() else package.parent


def page(name: str) -> Path:
    """Return the path of a page of the documentation."""
    return data_directory() / "docs" / name
