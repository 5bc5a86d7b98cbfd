"""Examines the sandbox once for all commands and leagues of a test run.

Before bots play, the sandbox is attacked, which takes 1.3 s of processor time. What comes of it is
tested in `tests/sandbox/test_doctor.py` and `tests/examination/test_guarantees.py`. `doctor`,
the demonstration of CI and `./upcard soak` examine it each time.
"""

import json
import os
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Final

from referee.examination import guarantees
from referee.files.writing import whole_file
from referee.sandbox.doctor import Guarantee, examine
from referee.sandbox.launcher import Sandboxes

EXAMINED: Final = "UPCARD_TESTS_EXAMINED"
"""The variable that names the directory of what was found."""


def share_examinations() -> None:
    """Examine the machine once for all processes that share a directory, if one is named."""
    if EXAMINED in os.environ:
        vars(guarantees)["examine"] = partial(_examine_once, Path(os.environ[EXAMINED]))


async def _examine_once(directory: Path, sandboxes: Sandboxes) -> list[Guarantee]:
    cores = len(os.sched_getaffinity(0))
    what = (os.geteuid(), sandboxes.mode, sandboxes.shared_because, sandboxes.cgroups.kind, cores)
    file = directory / sha256(repr(what).encode()).hexdigest()
    if file.exists():
        return [Guarantee(**each) for each in json.loads(file.read_text())]
    found = await examine(sandboxes)
    if not file.exists():
        with whole_file(file) as new:
            json.dump([each._asdict() for each in found], new)
    return found
