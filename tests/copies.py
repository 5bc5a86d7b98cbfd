"""Shares copies of files between all sandboxes of this process, as a worker's visits do."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

import pytest

from referee.sandbox import launcher
from referee.sandbox.private_files import PrivateFiles


@contextmanager
def shared_copies() -> Iterator[None]:
    """Make copies when they are first needed, and use them until this process ends."""

    def copies() -> AbstractContextManager[PrivateFiles]:
        from referee.league.visit import _private_files  # noqa: PLC0415 (takes a while)

        return nullcontext(_private_files())

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(launcher, "private_files", copies)
        yield
