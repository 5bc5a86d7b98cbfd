"""The options for a bot that its author looks into, with a debugger or by what it prints."""

from pathlib import Path
from shlex import split
from typing import Annotated, Final, NamedTuple

import typer

from referee.arena.limits import Terms
from referee.bots.manifest import Manifest
from referee.bots.seating import Debugged
from referee.cli import arguments
from referee.cli.duel_options import DuelOptions
from referee.cli.league_facts import UNSANDBOXED
from referee.engine.cards import Seat
from referee.engine.game import Game
from referee.engine.seating import entrant_at, room_names, room_title
from referee.errors import ConfigError
from referee.text import plain

Debug = Annotated[
    bool,
    typer.Option(
        "--debug",
        help="Run your bot outside the sandbox and without limits, where its files are, with this "
        "terminal as its input and output.",
    ),
]
RunBy = Annotated[
    str | None,
    typer.Option(
        "--run",
        metavar="COMMAND",
        help="With --debug: start your bot by this command instead of the one in its bot.toml.",
    ),
]


class DebugOptions(NamedTuple):
    """The options of `try` for looking into a bot."""

    debug: Debug = False
    seat: Annotated[
        str | None,
        typer.Option(
            metavar="SEAT",
            help="With --debug: the seat in which it runs so (N, E, S or W, or the number of a "
            "player); else its first one.",
        ),
    ] = None
    run: RunBy = None

    def terms(self, terms: Terms, options: DuelOptions) -> Terms:
        """Return on what is played: one match at a time, where somebody looks into a bot.

        Raises:
            ConfigError: that cannot be, as something else was asked for.
        """
        if not self.debug:
            return terms
        if options.json or options.csv:
            raise ConfigError("--debug gives the terminal to your bot; leave out --json and --csv")
        if terms.beat:
            raise ConfigError("--strict freezes bots while not to move; leave it out with --debug")
        return terms._replace(tables=1)

    def debugged(self, manifest: Manifest, directory: Path, game: Game) -> Debugged | None:
        """Return how the bot is looked into, if it is."""
        if not self.debug and self.seat is not None:
            raise ConfigError("--seat is for --debug; give both, or neither")
        run = debugged_run(self.run, manifest, debug=self.debug)
        if not self.debug:
            return None
        return Debugged(self._seat(game), directory, run)

    def _seat(self, game: Game) -> Seat:
        if self.seat is not None:
            return arguments.seat(self.seat, game)
        return next(seat for seat in range(len(game.seats)) if not entrant_at(game, 0, seat))


NOT_DEBUGGED: Final = DebugOptions()


def debugged_run(command: str | None, manifest: Manifest, *, debug: bool) -> tuple[str, ...]:
    """Return the command by which a bot is started."""
    if command is None:
        return manifest.run
    if not debug:
        raise ConfigError("--run is for --debug; give both, or neither")
    try:
        words = tuple(split(command))
    except ValueError as error:
        raise ConfigError(f"--run {command[:80]!r} is no command: {error}") from None
    if not words:
        raise ConfigError("--run is empty; name the program and its arguments")
    return words


def debugging_text(name: str, debugged: Debugged, game: Game) -> str:
    """Return what is said of every run in which a bot is looked into."""
    rooms = [
        room_title(room)
        for number, room in enumerate(room_names(game))
        if entrant_at(game, number, debugged.seat) == 0
    ]
    return (
        f"{without_sandbox(name, debugged.directory)}, as {game.seat_names[debugged.seat]} in the "
        f"{' and the '.join(rooms)}; all others play as usual"
    )


def without_sandbox(name: str, directory: Path) -> str:
    """Return that a bot runs outside the sandbox."""
    return (
        f"{UNSANDBOXED}: {plain(name)} runs without a sandbox and without limits in "
        f"{plain(str(directory))}"
    )
