"""`upcard replay --with`: a bot plays the deals of a league's duel in the place of another."""

from contextlib import ExitStack
from typing import Annotated, NamedTuple

import typer

from referee.bots.manifest import read_manifest
from referee.cli.build_options import BuildOptions
from referee.cli.called import command
from referee.cli.duel import BOT, play_duels
from referee.cli.duel_options import AcceptWeak, DuelOptions, PlayOptions, Unsafe
from referee.cli.league_of_two import Contest
from referee.cli.named_bots import named_directory
from referee.cli.played_duels import PlayedDuel
from referee.errors import ConfigError
from referee.store.models import Bot, Plan


class WithOptions(NamedTuple):
    """The options of `replay` for playing a duel again."""

    other: Annotated[
        str | None,
        typer.Option(
            "--with",
            metavar="BOT",
            help="Play the deals of a league's duel again with this bot, against the other one as "
            f"it was, and show where it parts from what was played: {BOT}.",
        ),
    ] = None
    instead_of: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="With --with: which of the two it takes the place of; else the one of its name.",
        ),
    ] = None
    accept_weak: AcceptWeak = None
    unsafe_no_sandbox: Unsafe = False

    def refuse_alone(self) -> None:
        """Refuse what is of no use without another bot.

        Raises:
            ConfigError: it was given.
        """
        if self.other is None and self != WithOptions():
            raise ConfigError(
                "--instead-of, --accept-weak and --unsafe-no-sandbox are for --with; name a bot"
            )

    def play(self, duel: PlayedDuel, db: str, building: BuildOptions) -> None:
        """Play a duel again with the other bot.

        Raises:
            ConfigError: it is not of a league, or the bot cannot take anybody's place.
        """
        assert self.other
        if duel.league is None or duel.key is None:
            again = command("duel", self.other, "OTHER", "--deal", f"FILE/{duel.name}")
            raise ConfigError(f"a file does not keep the bots; name the other one: {again}")
        first, second = (duel.league.entry(number).bot for number in duel.key[:2])
        is_first = self._replaces_first(duel, db, (first, second))
        bots = (self.other, second.digest) if is_first else (first.digest, self.other)
        contest = Contest(bots, Plan(duel.league.plan.terms, 1, 1), again=duel)
        playing = PlayOptions(
            accept_weak=self.accept_weak, unsafe_no_sandbox=self.unsafe_no_sandbox, db=db
        )
        play_duels(contest, DuelOptions(), playing, building)

    def _replaces_first(self, duel: PlayedDuel, db: str, bots: tuple[Bot, Bot]) -> bool:
        """Return whether the bot takes A's place, and not B's."""
        assert self.other
        if self.instead_of is None:
            with ExitStack() as closing:
                name = read_manifest(named_directory(self.other, db, closing)).name
            named = [bot.name == name for bot in bots]
        else:
            named = [
                self.instead_of in {bot.name, called}
                for bot, called in zip(bots, duel.bots, strict=True)
            ]
        if sum(named) != 1:
            one, other = duel.bots
            raise ConfigError(
                f"say whose place it takes: --instead-of {one!r} or --instead-of {other!r}"
            )
        return named[0]
