"""Nobody without the certificates of a cluster connects to its scheduler."""

import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal

from referee.cluster.addresses import Address, Endpoint, endpoint, unreachable
from referee.cluster.scheduler import schedule

MAKE = Path(__file__).parents[2] / "deploy" / "make-certificates"


@pytest.fixture(scope="module")
def portal() -> Iterator[BlockingPortal]:
    with start_blocking_portal() as made:
        yield made


@pytest.fixture(scope="module")
def scheduler(
    portal: BlockingPortal, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Endpoint]:
    directory = tmp_path_factory.mktemp("cluster") / "tls"
    subprocess.run([MAKE, directory], check=True, stdout=subprocess.DEVNULL)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        where = endpoint(f"tls://127.0.0.1:{free.getsockname()[1]}", directory)
    listens = Event()
    running = portal.start_task_soon(schedule, where, listens.set)
    assert listens.wait(600)
    yield where
    running.cancel()


def test_who_has_the_certificates_connects(portal: BlockingPortal, scheduler: Endpoint) -> None:
    assert portal.call(unreachable, scheduler) is None


def test_who_has_those_of_another_cluster_is_refused(
    portal: BlockingPortal, scheduler: Endpoint, tmp_path: Path
) -> None:
    subprocess.run([MAKE, tmp_path / "tls"], check=True, stdout=subprocess.DEVNULL)
    foreign = endpoint(str(scheduler.address), tmp_path / "tls")
    why = portal.call(unreachable, foreign)
    assert why
    assert "CERTIFICATE_VERIFY_FAILED" in why


def test_who_has_none_is_refused(portal: BlockingPortal, scheduler: Endpoint) -> None:
    plain = Endpoint(Address("tcp", "127.0.0.1", scheduler.address.port), None)
    assert portal.call(unreachable, plain)
