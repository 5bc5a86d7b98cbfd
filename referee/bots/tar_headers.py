"""Looks at the headers of a tar file before Python's module does, which trusts them.

What headers say takes many times as much in the memory. Of records that are not as long as they
say, or of long runs of digits, older versions of the module copy, or compare, each part with all
that follows it: a header of a megabyte takes hours, or all of the memory.
"""

import re
from typing import Final

_MOST: Final = 16 * 1024
"""Bytes of headers before a member, at most: a path and the target of a link have 4096 each."""
_KIND: Final = slice(156, 157)
"""Where a header says what it is of."""
_RECORDS: Final = frozenset({b"x", b"g", b"X"})
"""Kinds after which records follow, each with its length, a key and a value."""
_NAMES: Final = frozenset({b"L", b"K"})
"""Kinds after which a name follows."""
_RECORD: Final = re.compile(rb"(\d{1,5}) [^=\n]{1,255}=")
_DIGITS: Final = re.compile(rb"\d{100}")


class TarHeaders:
    """The headers before one member of a tar file, in the parts in which they are read."""

    def __init__(self) -> None:
        """Begin before the first of them."""
        self._left = _MOST
        self._kind = b""
        """That of the header whose content comes next, if it has any."""

    def read(self, part: bytes) -> None:
        """Look at the next part: a header, or all of its content.

        Raises:
            ValueError: no honest archive has it.
        """
        self._left -= len(part)
        if self._left < 0:
            raise ValueError("it has a header that is too large")
        if self._kind in _RECORDS:
            _refuse_damaged(part)
        has_content = not self._kind and part[_KIND] in _RECORDS | _NAMES
        self._kind = part[_KIND] if has_content else b""


def _refuse_damaged(records: bytes) -> None:
    place, end = 0, len(records.rstrip(b"\0"))
    while place < end:
        record = _RECORD.match(records, place)
        place += int(record[1]) if record else 0
        if not record or place < record.end() + 1 or records[place - 1 : place] != b"\n":
            raise ValueError("it has a header whose records are not as long as they say")
    if _DIGITS.search(records):
        raise ValueError("it has a header with a number that is too long")
