"""What all sandboxes of a referee have in common, and the door through which each is started."""

import asyncio
import itertools
import os
import platform
import shutil
from collections.abc import AsyncIterator, Mapping
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import Final

from referee.errors import ConfigError
from referee.sandbox import cgroups, staging
from referee.sandbox.cgroups import Cgroups
from referee.sandbox.command import HostSetup, Launch, Permissions, command
from referee.sandbox.masks import inspect_procfs
from referee.sandbox.modes import CLEAN_ENVIRONMENT, MODE_OPTIONS, Mode, bubblewrap, choose
from referee.sandbox.reaper import reap_orphans
from referee.sandbox.sandbox import Sandbox
from referee.sandbox.seccomp import filter_program
from referee.sandbox.slots import INNER_BASE, Slot, Slots, root_base
from referee.sandbox.spawn import spawn
from referee.sandbox.unsafe import start_unsafe

_BEAT: Final = 0.02
_GROUP_BEATS: Final = 10
_TOOLS: Final = ("setpriv", "prlimit")


class Sandboxes:
    """Starts sandboxes."""

    def __init__(
        self, host: HostSetup | None, groups: Cgroups, slots: Slots, room: Path | None
    ) -> None:
        """Use `open` instead."""
        self.mode = host and host.mode
        """How bots are kept apart; none if they are not."""
        self.cgroups = groups
        self._host = host
        self._slots = slots
        self._room = room
        self._filters: dict[Permissions, bytes] = {}
        self._numbers = itertools.count()
        self._running: set[Sandbox] = set()

    @classmethod
    @asynccontextmanager
    async def open(
        cls, mode: Mode | None = None, *, unsafe: bool = False, strict: bool = False
    ) -> AsyncIterator["Sandboxes"]:
        """Find out what works on this machine; in the end, stop all that was started.

        Raises:
            ConfigError: bots cannot be kept apart here.
        """
        with ExitStack() as closing:
            chosen = None if unsafe else choose(mode)
            slots = Slots(root_base() if chosen == "root" else INNER_BASE)
            closing.callback(slots.close)
            groups = cgroups.find() if chosen else Cgroups("none", "there is no sandbox", {})
            closing.callback(groups.sweep)
            room = closing.enter_context(staging.memory_directory()) if strict else None
            host = chosen and _host_setup(chosen, room, closing)
            sandboxes = cls(host, groups, slots, room)
            watch = asyncio.create_task(sandboxes._watch())
            try:
                yield sandboxes
            finally:
                await sandboxes._stop_all()
                watch.cancel()

    def slot(self) -> Slot:
        """Take a uid for a seat."""
        return self._slots.take()

    def release(self, slot: Slot) -> None:
        """Give back the uid of a seat whose bot is gone."""
        self._slots.release(slot)

    async def start(self, launch: Launch, slot: Slot) -> Sandbox:
        """Start a bot.

        Raises:
            ConfigError: its directory or socket cannot be used.
            OSError: the machine refused.
        """
        launch = _with_whole_paths(launch)
        if self._room:
            launch = staging.stage(launch, self._room)
        sandbox = self._started(launch, slot) if self._host else start_unsafe(launch)
        self._running.add(sandbox)
        try:
            await sandbox.wait_until_up()
        except BaseException:
            await sandbox.stop()  # nobody else has it yet
            raise
        return sandbox

    def _started(self, launch: Launch, slot: Slot) -> Sandbox:
        assert self._host is not None
        _share(launch, self._host.mode, slot)
        what = command(launch, self._host, slot, self._filter(launch.permissions))
        with ExitStack() as closing:
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
        for beat in itertools.count():
            await asyncio.sleep(_BEAT)
            for sandbox in tuple(self._running):
                sandbox.check(group=beat % _GROUP_BEATS == 0)
            self._running = {each for each in self._running if not each.is_cleaned_up}

    async def _stop_all(self) -> None:
        await asyncio.gather(*(sandbox.stop() for sandbox in self._running))


def _host_setup(mode: Mode, room: Path | None, closing: ExitStack) -> HostSetup:
    mark = closing.enter_context(reap_orphans(CLEAN_ENVIRONMENT))
    return HostSetup(mode, mark, inspect_procfs(), _tools(mode, room))


def _with_whole_paths(launch: Launch) -> Launch:
    """Make them mean the same to bubblewrap, which starts in another directory."""
    socket = launch.socket and launch.socket.resolve()
    return launch._replace(bundle=launch.bundle.resolve(), socket=socket)


def _tools(mode: Mode, room: Path | None) -> Mapping[str, Path]:
    wanted = _TOOLS if MODE_OPTIONS[mode].drops_uid_inside else _TOOLS[1:]
    found = {name: shutil.which(name, path=CLEAN_ENVIRONMENT["PATH"]) for name in wanted}
    missing = [name for name, place in found.items() if place is None]
    if missing:
        raise ConfigError(f"there is no program {missing[0]}; install the package util-linux")
    tools = {name: Path(place).resolve() for name, place in found.items() if place}
    return staging.stage_tools(tools, room) if room else tools


def _share(launch: Launch, mode: Mode, slot: Slot) -> None:
    """Let the seat's uid, and no other, reach what is its own."""
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
