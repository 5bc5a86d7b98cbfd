"""`upcard try`: plays a bot against an example, and reports what it did well, slowly or wrong."""

from typing import Annotated

import typer

from referee.cli.build_options import BuildOptions
from referee.cli.debug_options import DebugOptions
from referee.cli.duel import BOT, chosen_contest, play_duels
from referee.cli.duel_options import DuelOptions, PlayOptions
from referee.cli.option_groups import with_groups
from referee.cli.terms_options import TermsOptions


@with_groups
def try_(
    bot: Annotated[str, typer.Argument(metavar="BOT", help=f"Your bot: {BOT}.")],
    against: Annotated[str, typer.Option(metavar="BOT", help=f"Its opponent: {BOT}.")] = "steady",
    *,
    terms: TermsOptions,
    options: DuelOptions,
    playing: PlayOptions,
    debugging: DebugOptions,
    building: BuildOptions,
) -> None:
    """Play your bot against another and report who is better, slow decisions, and faults.

    A duel is two matches on the same deals, one from each side of the table.
    In games of three or more sides it is as many matches as it takes.
    """
    contest = chosen_contest((bot, against), terms, options, playing, debugging)
    play_duels(contest, options, playing, building, debugging)
