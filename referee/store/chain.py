"""The hash chain of a league's log, and what it says of a duel; pure, so `verify` computes it too.

The head after entry n is the SHA-256 of a label, the head before it and the entry as canonical
JSON. So who wrote down a head can see later whether any entry up to it was changed, left out or
put in between.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Final

from referee.engine.record import MatchRecord, without_deal
from referee.json_forms import LONGEST_TEXT, FaultForm, fault_as_json
from referee.scheduling.keys import DuelKey

START: Final = "00" * 32
"""The head before the first entry; heads are in hexadecimal."""
_LABEL: Final = b"upcard-log-v1"


def canonical_json(value: object) -> bytes:
    """Return the one form of a value: names sorted, no spaces, in UTF-8 without escapes."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode()


def chained(head: str, entry: Mapping[str, object]) -> str:
    """Return the head after an entry.

    Args:
        head: the one before it.
        entry: its number, from 1, `at`, `kind` and what else it says; not its head.
    """
    return sha256(_LABEL + bytes.fromhex(head) + canonical_json(entry)).hexdigest()


def isolation_digest(
    sandboxed: bool, strict: bool, guarantees: Iterable[tuple[str, str, str]]
) -> str:
    """Return the digest of what isolated bots, in hexadecimal, by what an export says of it.

    Args:
        sandboxed: whether they were in sandboxes.
        strict: whether strictly.
        guarantees: the name, the level and the reason of each.
    """
    form = {
        "sandboxed": sandboxed,
        "strict": strict,
        "guarantees": [
            {"name": name, "level": level, "reason": reason[:LONGEST_TEXT]}
            for name, level, reason in guarantees
        ],
    }
    return sha256(canonical_json(form)).hexdigest()


def duel_digest(key: DuelKey, rooms: Sequence[MatchRecord], faults: Iterable[FaultForm]) -> str:
    """Return the digest of a duel's play and faults, in hexadecimal.

    The decks are not in it: they follow from the seed, which its epoch commits to. Nor are times.
    """
    game = rooms[0].game
    form = {
        **key._asdict(),
        "rooms": [without_deal(record) for record in rooms],
        "faults": [fault_as_json(fault, game) for fault in faults],
    }
    return sha256(canonical_json(form)).hexdigest()
