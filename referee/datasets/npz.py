"""Columns of any length in a file of NumPy, which takes little memory to write.

The format wants the number of rows first. So the rows of each column go to a file of their own
beside the target, and from there into the archive once all are there.
"""

import shutil
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import numpy as np
import numpy.typing as npt
from numpy.lib import format as npy

from referee.files.own_directory import directory_beside
from referee.files.writing import whole_file

Array = npt.NDArray[Any]

_EARLIEST: Final = (1980, 1, 1, 0, 0, 0)
"""The date of every array, so that the same arrays make the same file."""


class Column(NamedTuple):
    """What a column holds."""

    dtype: npt.DTypeLike
    shape: tuple[int, ...] = ()
    """Of each row; empty for a number."""


class Rows:
    """Rows that go to files, one for each column."""

    def __init__(self, columns: Mapping[str, Column], files: Mapping[str, BinaryIO]) -> None:
        """Begin without rows."""
        self._columns = columns
        self._files = files
        self.count = 0
        """How many there are."""

    def add(self, rows: Mapping[str, Array]) -> None:
        """Append rows: an array of the same length for each column."""
        (count,) = {len(array) for array in rows.values()}
        for name, (dtype, shape) in self._columns.items():
            assert rows[name].shape[1:] == shape
            self._files[name].write(rows[name].astype(dtype, casting="safe").tobytes())
        self.count += count


@contextmanager
def npz_file(
    path: Path, columns: Mapping[str, Column], constants: Mapping[str, Array]
) -> Iterator[Rows]:
    """Open a file to which rows are added: it appears when all went well.

    Args:
        path: where it appears.
        columns: by their names, in the order in which they are written.
        constants: arrays that are there besides, whatever the rows.

    Raises:
        ConfigError: there is something that is not a file.
        FileError: it cannot be written.
    """
    with ExitStack() as stack:
        out = stack.enter_context(whole_file(path))
        scratch = stack.enter_context(directory_beside(path.resolve().parent, ".upcard-columns-"))
        files = {name: stack.enter_context((scratch / name).open("x+b")) for name in columns}
        rows = Rows(columns, files)
        yield rows
        with ZipFile(out.buffer, "w", ZIP_DEFLATED) as archive:
            for name, array in constants.items():
                with _member(archive, name) as member:
                    npy.write_array(member, array, allow_pickle=False)
            for name, column in columns.items():
                with _member(archive, name) as member:
                    _write_column(member, column, rows.count, files[name])


def _member(archive: ZipFile, name: str) -> Any:  # noqa: ANN401 (a file, as `open` says it)
    info = ZipInfo(f"{name}.npy", _EARLIEST)
    info.compress_type = ZIP_DEFLATED
    return archive.open(info, "w", force_zip64=True)


def _write_column(member: BinaryIO, column: Column, count: int, rows: BinaryIO) -> None:
    dtype = np.dtype(column.dtype)
    header = {
        "descr": npy.dtype_to_descr(dtype),
        "fortran_order": False,
        "shape": (count, *column.shape),
    }
    npy.write_array_header_1_0(member, header)
    rows.seek(0)
    shutil.copyfileobj(rows, member)
