"""The bundles that a machine has, by their digests, in the cache of its user."""

import asyncio
from collections.abc import Sequence
from contextlib import AbstractContextManager, AsyncExitStack, nullcontext
from pathlib import Path
from typing import Final

from referee.bots.cache import cache_directory, locked, prune
from referee.bots.digest import bundle_digest
from referee.bots.manifest import read_manifest
from referee.bots.seating import SeatedBot
from referee.cluster.archives import LARGEST, unpack
from referee.errors import FileError
from referee.files.writing import replace_directory
from referee.sandbox.runtimes import find_runtimes

_KEPT: Final = 256
"""How many bundles stay in the cache that no machine uses now."""
_ARRIVING: Final = "arriving"


class Bundles:
    """The bundles of one machine, of which those that were used stay where they are."""

    def __init__(self, own: Path, in_use: AsyncExitStack) -> None:
        """Take what holds the locks of bundles in use, and a directory in the cache of our own."""
        self._cache = cache_directory() / "bundles"
        self._cache.mkdir(exist_ok=True)
        self._own = own
        self._in_use = in_use
        self._bots: dict[str, SeatedBot] = {}

    async def lacking(self, digests: Sequence[str]) -> list[str]:
        """Return which bundles are not there, or are damaged; the others are locked."""
        return [digest for digest in dict.fromkeys(digests) if not await self._has(digest)]

    async def _has(self, digest: str) -> bool:
        if digest in self._bots:
            return True
        bundle = self._cache / digest
        if not self._is_whole(digest):
            return False
        await self._in_use.enter_async_context(locked(bundle, _unseen, shared=True))
        if not bundle.is_dir():  # it was removed before it was locked
            return False
        self._seat(digest, bundle)
        return True

    def _is_whole(self, digest: str) -> bool:
        bundle = self._cache / digest
        return bundle.is_dir() and bundle_digest(bundle) == digest

    def _seat(self, digest: str, bundle: Path) -> None:
        runtimes = find_runtimes()
        manifest = read_manifest(bundle, runtimes)
        self._bots[digest] = SeatedBot(manifest, bundle, runtimes[manifest.runtime])

    def bot(self, digest: str) -> SeatedBot:
        """Return a bot that is there, ready to play."""
        return self._bots[digest]

    def take(self, run: str, digest: str, begin: int, part: bytes) -> None:
        """Take a part of a bundle that arrives; each begins where the one before it ended.

        Raises:
            FileError: it does not follow on the one before it, or is too much.
        """
        arriving = self._arriving(run, digest)
        try:
            with arriving.open("ab" if begin else "wb") as file:
                if file.tell() != begin or begin + len(part) > LARGEST:
                    raise FileError("a bot arrived in parts that do not follow on each other")
                file.write(part)
        except OSError as error:
            raise _no_room(error) from None

    async def finish(self, run: str, digest: str) -> None:
        """Put a bundle that has arrived whole where it belongs.

        Raises:
            ConfigError: the bot cannot play here.
            FileError: it is not the one of this digest.
        """
        # Several workers of one host share the cache of their user.
        async with locked(self._cache / f"{digest}-{_ARRIVING}", _unseen):
            if not self._is_whole(digest):
                await asyncio.to_thread(self._put, run, digest)
        if not await self._has(digest):
            raise FileError(f"bot {digest[:12]} was removed as soon as it had arrived")

    def _put(self, run: str, digest: str) -> None:
        arriving = self._arriving(run, digest)
        unpacked = arriving.with_suffix(".d")
        try:
            unpack(arriving, unpacked)
        finally:
            arriving.unlink()
        if bundle_digest(unpacked) != digest:
            raise FileError(f"what arrived as bot {digest[:12]} is another one")
        try:
            replace_directory(unpacked, self._cache / digest, unpacked.with_suffix(".earlier"))
        except OSError as error:
            raise _no_room(error) from None
        kept = [path for path in self._cache.iterdir() if path.suffix != ".lock"]
        prune((path for path in kept if path.name not in self._bots), _KEPT)

    def _arriving(self, run: str, digest: str) -> Path:
        return self._own / f"{_ARRIVING}-{run}-{digest}"


def _unseen(_: str) -> AbstractContextManager[None]:
    return nullcontext()


def _no_room(error: OSError) -> FileError:
    return FileError(f"cannot keep a bot that arrived: {error.strerror or error}")
