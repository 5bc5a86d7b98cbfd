"""Reads the end of SQLite's write-ahead log: was its writer killed in the middle of a commit?"""

import struct
from pathlib import Path
from typing import Final

_HEADER: Final = struct.Struct(">8x I 4x 8s 8x")
_FRAME: Final = struct.Struct(">I I 8s 8x")


def is_torn(log: Path) -> bool:
    """Say whether a log ends with pages of a transaction that was not written to its end.

    Pages from before the log was begun anew bear another salt than its header.
    """
    data = log.read_bytes() if log.exists() else b""
    if len(data) < _HEADER.size:
        return False
    page, salt = _HEADER.unpack_from(data)
    torn, at = False, _HEADER.size
    while at + _FRAME.size <= len(data):
        _, size_after_commit, frame_salt = _FRAME.unpack_from(data, at)
        if frame_salt != salt:
            break
        # The last page of a transaction says so, if all of it is there.
        torn = not size_after_commit or at + _FRAME.size + page > len(data)
        at += _FRAME.size + page
    return torn
