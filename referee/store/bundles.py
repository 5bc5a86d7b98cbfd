"""The bundles of bots: directories beside the database, each there as a whole or not at all.

A bundle is copied to a directory of our own, written to disk, and then renamed to its digest.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from referee.errors import FileError
from referee.files.copying import copy_tree
from referee.files.own_directory import directory_beside
from referee.files.writing import replace_directory, sync

_NEW: Final = ".new-"


def place_of(files: Path, digest: str) -> Path:
    """Return where the bundle of a digest is kept."""
    return files / "bots" / digest


def there(files: Path, digest: str) -> bool:
    """Return whether a bundle is kept."""
    return place_of(files, digest).is_dir()


@contextmanager
def copied(files: Path, digest: str, bundle: Path) -> Iterator[Path]:
    """Copy a bundle next to where it is going to be; what is left of the copy is removed."""
    parent = place_of(files, digest).parent
    try:
        parent.mkdir(parents=True, exist_ok=True)
        for directory in (files, parent):
            directory.chmod(0o755)
        with directory_beside(parent, _NEW) as own:
            copy_tree(bundle, own / "bundle", synced=True)
            yield own / "bundle"
    except OSError as error:
        raise FileError(f"cannot keep {bundle} in {files}: {error.strerror or error}") from None


def put(copy: Path, files: Path, digest: str) -> None:
    """Rename a copy to its digest; what a kill left there without its row is replaced."""
    bundle = place_of(files, digest)
    replace_directory(copy, bundle, copy.with_name("earlier"))
    sync(bundle.parent)
