"""`upcard try` and `upcard duel`: two bots play each other, and all that is to be known of it."""

from pathlib import Path
from typing import Annotated, Final

import typer

from referee.arena.limits import Terms
from referee.cli import arguments
from referee.cli.bundling import BuildOptions
from referee.cli.duel_export import export_csv, export_json
from referee.cli.duel_figures import all_faults
from referee.cli.duel_logs import Logs, ready, write_logs
from referee.cli.duel_options import DuelOptions
from referee.cli.duel_report import report
from referee.cli.option_groups import with_groups
from referee.cli.output import one_format
from referee.cli.playing import DuelRequest, Played, bots, play
from referee.cli.terms_options import TermsOptions

FAILED, FAULTY = 1, 3
_LOGS: Final = "upcard-logs"
_BOT = "the directory of its bot.toml, or the name of an example"


@with_groups
def try_bot(
    bot: Annotated[str, typer.Argument(metavar="BOT", help=f"Your bot: {_BOT}.")],
    against: Annotated[str, typer.Option(metavar="BOT", help=f"Whom it plays: {_BOT}.")] = "steady",
    *,
    terms: TermsOptions,
    options: DuelOptions,
    building: BuildOptions,
) -> None:
    """Let your bot play, in the real sandbox, and tell what it did well, slowly or wrong.

    Every duel is two matches on the same deals, one from each side of the table.
    """
    _duel(bot, against, terms.terms(), options, building)


@with_groups
def duel(
    first: Annotated[str, typer.Argument(metavar="BOT", help=f"A bot: {_BOT}.")],
    second: Annotated[str, typer.Argument(metavar="OTHER", help="The other, likewise.")],
    *,
    terms: TermsOptions,
    options: DuelOptions,
    building: BuildOptions,
) -> None:
    """Let two bots play each other in the real sandbox, and tell who is better by how much.

    Every duel is two matches on the same deals, one from each side of the table.
    """
    _duel(first, second, terms.terms(), options, building)


def _duel(
    first: str, second: str, terms: Terms, options: DuelOptions, building: BuildOptions
) -> None:
    one_format(options.json, options.csv)
    seed = arguments.seed(options.seed)
    kept: list[Logs] = []
    sandboxed = not options.unsafe_no_sandbox
    bundle = building.bundle(sandboxed=sandboxed)
    with bots((first, second), terms.game.name, bundle) as entrants:
        asked = DuelRequest(
            entrants,
            terms,
            seed,
            options.duels,
            seed_given=options.seed is not None,
            strict=terms.beat > 0,
            sandboxed=sandboxed,
            accepted=options.accept_weak or (),
        )
        names = "-vs-".join(entrant.name for entrant in entrants)
        directory = ready(options.logs or Path(_LOGS, names))

        def keep(played: Played) -> None:
            kept.append(write_logs(directory, played))

        played = play(asked, keep)
    if options.json:
        export_json(played, kept[0])
    elif options.csv:
        export_csv(played)
    else:
        report(played, kept[0])
    if all_faults(played):
        raise typer.Exit(FAULTY)
    if played.unplayed:
        raise typer.Exit(FAILED)
