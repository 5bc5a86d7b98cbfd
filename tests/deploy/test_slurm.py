"""The jobs of `deploy/slurm` do what Slurm leaves to them."""

import os
import signal
import subprocess
from pathlib import Path

from tests.soak.scene import ROOT
from tests.waiting import until

_PLAYS = """\
trap 'echo stopped >>said; exit 130' TERM
>playing
while :; do sleep 0.05; done
"""
_QUEUE = 'echo "scontrol $*" >>said\n'


def _write(command: Path, script: str) -> None:
    command.write_text(f"#!/bin/sh\n{script}")
    command.chmod(0o755)


def test_a_shard_that_is_out_of_time_stops_and_goes_into_the_queue_again(tmp_path: Path) -> None:
    _write(tmp_path / "upcard", _PLAYS)
    _write(tmp_path / "scontrol", _QUEUE)
    slurm = {"ARRAY_TASK_ID": "1", "ARRAY_TASK_COUNT": "2", "CPUS_PER_TASK": "1", "JOB_ID": "7"}
    own = {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    job = subprocess.Popen(
        ("sh", ROOT / "deploy" / "slurm" / "shards.sbatch", "spring"),
        cwd=tmp_path,
        env=os.environ | own | {f"SLURM_{name}": value for name, value in slurm.items()},
    )
    until((tmp_path / "playing").exists)
    job.send_signal(signal.SIGUSR1)
    job.wait()
    assert (tmp_path / "said").read_text() == "stopped\nscontrol requeue 7\n"
