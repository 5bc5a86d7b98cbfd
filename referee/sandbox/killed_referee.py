"""A referee that starts one bot and waits to be killed, so that `doctor` sees the bot die too."""

import asyncio
import sys
from pathlib import Path
from typing import cast

from referee.sandbox import statistics
from referee.sandbox.command import Launch
from referee.sandbox.launcher import Sandboxes
from referee.sandbox.limits import SandboxLimits
from referee.sandbox.modes import Mode
from referee.sandbox.runtimes import find_runtimes

_BOT = "import time\nprint('up', flush=True)\nwhile True: time.sleep(60)"


async def _run(mode: Mode) -> None:
    async with Sandboxes.open(mode, files="shared") as sandboxes:
        runtime = find_runtimes()["python"]
        bundle = Path(__file__).parent
        launch = Launch(
            ("python", "-c", _BOT), runtime, bundle, None, {}, SandboxLimits(), core=None
        )
        sandbox = await sandboxes.start(launch, sandboxes.slot())
        while b"up" not in sandbox.output():  # noqa: ASYNC110 (what it wrote wakes nobody)
            await asyncio.sleep(0.005)
        assert sandbox.pid
        sys.stdout.write(" ".join(map(str, statistics.descendants(sandbox.pid))) + "\n")
        sys.stdout.flush()
        await asyncio.sleep(60)


if __name__ == "__main__":
    asyncio.run(_run(cast("Mode", sys.argv[1])))
