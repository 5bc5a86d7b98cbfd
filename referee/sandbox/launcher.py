"""Opens what all sandboxes of a referee have in common, starts each, and monitors their limits."""

import asyncio
import itertools
import os
import platform
import shutil
from collections.abc import AsyncIterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import Final, Literal

from referee.errors import ConfigError
from referee.sandbox import cgroups
from referee.sandbox.cgroups import Cgroups
from referee.sandbox.command import HostSetup, Launch, Permissions, command
from referee.sandbox.modes import CLEAN_ENVIRONMENT, MODE_OPTIONS, Mode, bubblewrap, choose
from referee.sandbox.private_files import NoRoomError, PrivateFiles, private_files
from referee.sandbox.reaper import reap_orphans
from referee.sandbox.runtimes import find_runtimes
from referee.sandbox.sandbox import Sandbox
from referee.sandbox.seccomp import filter_program
from referee.sandbox.slots import INNER_BASE, Slot, Slots, root_base
from referee.sandbox.spawn import spawn
from referee.sandbox.unsafe import start_debugged, start_unsafe
from referee.sandbox.usage import ResourceUsage, UsageReader

_POLL_SECONDS: Final = 0.02
_GROUP_POLLS: Final = 10
_TOOLS: Final = ("setpriv", "prlimit")
BOTS: Final = 4
"""How many bots a session runs at a time, as a rule: those of one room at a table of four."""

Files = Literal["private", "shared", "any"]
"""Whether each bot gets its own copies of its files; if any will do, it does where they fit."""


class Sandboxes:
    """Starts and monitors sandboxes."""

    def __init__(
        self, host: HostSetup | None, groups: Cgroups, slots: Slots, files: PrivateFiles | str
    ) -> None:
        """Internal; use `open`."""
        self.mode = host and host.mode
        """The mode of the sandboxes; None without one."""
        self.cgroups = groups
        self.shared_because = files if isinstance(files, str) else ""
        """Why bots share their files; empty if each has its own copies."""
        self._host = host
        self._slots = slots
        self._files = None if isinstance(files, str) else files
        self._filters: dict[Permissions, bytes] = {}
        self._numbers = itertools.count()
        self._running: set[Sandbox] = set()
        self._thread = ThreadPoolExecutor(1, "upcard-usage")

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        mode: Mode | None = None,
        *,
        unsafe: bool = False,
        files: Files | PrivateFiles = "private",
    ) -> AsyncIterator["Sandboxes"]:
        """Find out what works on this machine; at the end, stop every sandbox.

        Args:
            mode: the mode, if it must be a certain one.
            unsafe: whether bots run without a sandbox.
            files: what files bots get: of copies that exist already, or as described there.

        Raises:
            ConfigError: no mode of the sandbox works here.
            NoRoomError: there is no room for private files.
        """
        with ExitStack() as closing:
            chosen = None if unsafe else choose(mode)
            slots = Slots(root_base() if chosen == "root" else INNER_BASE)
            closing.callback(slots.close)
            groups = cgroups.find() if chosen else Cgroups("none", "there is no sandbox", {})
            closing.callback(groups.sweep)
            host = chosen and _host_setup(chosen, closing)
            own = _open_files(files, closing) if host else "there is no sandbox"
            sandboxes = cls(host, groups, slots, own)
            closing.enter_context(sandboxes._thread)
            watch = asyncio.create_task(sandboxes._watch())
            try:
                yield sandboxes
            finally:
                await sandboxes._stop_all()
                watch.cancel()

    def slot(self) -> Slot:
        """Acquire a slot for a seat."""
        return self._slots.acquire()

    def release(self, slot: Slot) -> None:
        """Release the slot of a seat whose bot has ended."""
        self._slots.release(slot)

    async def start(self, launch: Launch, slot: Slot) -> Sandbox:
        """Start a bot.

        Raises:
            ConfigError: its directory or socket cannot be used.
            OSError: the machine refused.
        """
        launch = _with_absolute_paths(launch)
        sandbox = await self._started(launch, slot) if self._host else start_unsafe(launch)
        return await self._up(sandbox)

    async def start_debugged(self, launch: Launch) -> Sandbox:
        """Start a bot outside of any sandbox and without limits, on our own terminal.

        Raises:
            ConfigError: there is no such program.
            OSError: the machine refused.
        """
        return await self._up(start_debugged(_with_absolute_paths(launch)))

    async def _up(self, sandbox: Sandbox) -> Sandbox:
        self._running.add(sandbox)
        try:
            await sandbox.wait_until_up()
        except BaseException:
            await sandbox.stop()  # the caller does not have it
            raise
        return sandbox

    async def _started(self, launch: Launch, slot: Slot) -> Sandbox:
        assert self._host is not None
        host = self._host
        _share(launch, host.mode, slot)
        with ExitStack() as closing:
            if self._files:
                launch = await self._files.copy(launch, host.tools, closing)
                host = host._replace(tools={})  # they are among the copies
            what = command(launch, host, slot, self._filter(launch.permissions))
            group = self.cgroups.create(f"{slot.number}-{next(self._numbers)}", launch.limits)
            if group:
                closing.callback(group.close)
            started = spawn(bubblewrap() or "bwrap", what, launch, group, closing=closing)
            return Sandbox(started, launch.limits, group, closing.pop_all())

    def _filter(self, permissions: Permissions) -> bytes:
        if permissions not in self._filters:
            self._filters[permissions] = filter_program(
                platform.machine(),
                without_cgroup=self.cgroups.kind == "none",
                allow_file_locks=permissions.file_locks,
                allow_network=permissions.network,
            )
        return self._filters[permissions]

    async def _watch(self) -> None:
        for poll in itertools.count():
            await asyncio.sleep(_POLL_SECONDS)
            readers = {each: reader for each in self._running if (reader := each.usage_reader())}
            # Some bots have many processes: their usage is not read on the event loop.
            usages = await self._read_usages(readers) if readers else {}
            for sandbox in tuple(self._running):
                sandbox.check(usages.get(sandbox), group=poll % _GROUP_POLLS == 0)
            self._running = {each for each in self._running if not each.is_cleaned_up}

    async def _read_usages(
        self, readers: Mapping[Sandbox, UsageReader]
    ) -> Mapping[Sandbox, ResourceUsage | OSError]:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, _read_all, readers)

    async def _stop_all(self) -> None:
        await asyncio.gather(*(sandbox.stop() for sandbox in self._running))


def _read_all(readers: Mapping[Sandbox, UsageReader]) -> dict[Sandbox, ResourceUsage | OSError]:
    return {sandbox: _read(reader) for sandbox, reader in readers.items()}


def _read(reader: UsageReader) -> ResourceUsage | OSError:
    try:
        return reader.read()
    except OSError as error:
        return error


def _host_setup(mode: Mode, closing: ExitStack) -> HostSetup:
    marker = closing.enter_context(reap_orphans(CLEAN_ENVIRONMENT))
    return HostSetup(mode, marker, _tools(mode))


def _open_files(files: Files | PrivateFiles, closing: ExitStack) -> PrivateFiles | str:
    """Return where copies are made, or why bots share their files."""
    if isinstance(files, PrivateFiles):
        return files
    if files == "shared":
        return "bots share the files of the machine, as was asked for"
    try:
        own = closing.enter_context(private_files())
        if files == "any":
            own.refuse_too_large(BOTS * own.size(find_runtimes()["python"]))
    except NoRoomError as error:
        if files == "private":
            raise
        return error.reason
    return own


def _with_absolute_paths(launch: Launch) -> Launch:
    """Return a launch whose paths do not depend on the working directory."""
    socket = launch.socket and launch.socket.resolve()
    return launch._replace(bundle=launch.bundle.resolve(), socket=socket)


def _tools(mode: Mode) -> Mapping[str, Path]:
    wanted = _TOOLS if MODE_OPTIONS[mode].drops_uid_inside else _TOOLS[1:]
    found = {name: shutil.which(name, path=CLEAN_ENVIRONMENT["PATH"]) for name in wanted}
    missing = [name for name, place in found.items() if place is None]
    if missing:
        raise ConfigError(f"there is no program {missing[0]}; install the package util-linux")
    return {name: Path(place).resolve() for name, place in found.items() if place}


def _share(launch: Launch, mode: Mode, slot: Slot) -> None:
    """Set permissions so that only the seat's uid can reach its socket."""
    if MODE_OPTIONS[mode].drops_uid_inside and not launch.bundle.stat().st_mode & 0o001:
        raise ConfigError(f"no other user can enter {launch.bundle}; run chmod -R go+rX on it")
    if launch.socket is None:
        return
    if mode == "root":
        os.chown(launch.socket, slot.uid, slot.uid)
        launch.socket.chmod(0o600)
    elif mode == "subuid":
        if launch.socket.parent.stat().st_mode & 0o077:
            raise ConfigError(f"others can enter {launch.socket.parent}; run chmod go= on it")
        launch.socket.chmod(0o666)
