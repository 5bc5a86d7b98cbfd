"""`upcard compare`: plays two versions of a bot until it is known whether the new one is better."""

from collections import Counter
from collections.abc import Callable
from time import monotonic
from typing import Annotated, Final, NamedTuple

import typer

from referee.arena.limits import MOST_VOIDS
from referee.cli import arguments
from referee.cli.build_options import BuildOptions
from referee.cli.duel import BOT, FAILED, FAULTY, as_json, is_faulty
from referee.cli.duel_logs import write_logs
from referee.cli.duel_options import PlayOptions
from referee.cli.duel_report import print_report
from referee.cli.league_of_two import Contest, LeagueOfTwo, league_of_two
from referee.cli.league_play import counted_stops
from referee.cli.live_display import LiveDisplay
from referee.cli.option_groups import with_groups
from referee.cli.output import print_json
from referee.cli.terms_options import TermsOptions
from referee.league.head_to_head import NAME
from referee.league.running import run_league
from referee.ratings.comparison import Comparison, Question, score
from referee.reports.comparison import ComparisonReport, comparison_report
from referee.reports.head_to_head import head_to_head
from referee.store.models import Plan, StoredDuel, StoredVoid
from referee.text import counted, plain

_ASKED: Final = Question()
_MOST_IN_VISIT: Final = 16
"""Duels in a session: what is played of one after the answer is for nothing."""
_PLAY_ON: Final = (
    "To play the same duels and more, give the --seed above and a larger --most; a larger "
    "--difference takes fewer"
)
_AT_ONCE: Final = 2
"""Stops that do not wait for the duels in flight."""


class CompareOptions(NamedTuple):
    """What is to be known, and how it is told."""

    difference: Annotated[
        float,
        typer.Option(
            min=0.01,
            max=0.9,
            metavar="D",
            help="The least difference that matters: the share of duels in which one does better, "
            "less the share in which the other does.",
        ),
    ] = _ASKED.difference
    error: Annotated[
        float,
        typer.Option(min=0.0001, max=0.5, metavar="P", help="The chance of a wrong answer."),
    ] = _ASKED.error
    most: Annotated[
        int,
        typer.Option(min=1, max=1_000_000, metavar="N", help="Play no more duels than this."),
    ] = 1000
    json: arguments.AsJson = False


@with_groups
def compare(
    old: Annotated[str, typer.Argument(metavar="OLD", help=f"A bot: {BOT}.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="The one to judge, likewise.")],
    *,
    options: CompareOptions,
    terms: TermsOptions,
    playing: PlayOptions,
    building: BuildOptions,
) -> None:
    """Play duels until it is known whether NEW is better than OLD.

    It looks after every duel and stops as soon as it knows: better, worse, or no difference
    that matters. A duel goes to who wins it, a drawn one to who wins more points in it.

    Exits with 0 if NEW is better, 1 if it is not or nobody knows, 3 if a bot was at fault.
    """
    comparison = Comparison(Question(options.difference, options.error))
    plan = Plan(terms.terms(), options.most, _MOST_IN_VISIT)
    contest = Contest((old, new), plan, roles=("old", "new"))
    with league_of_two(contest, playing, building) as two:
        _play(two, comparison)
        table = two.table()
        bundles = write_logs(two.logs, two.store, table)
        report = head_to_head(two.store, table)
        found = comparison_report(comparison, *two.names)
        if options.json:
            print_json({"comparison": found, **as_json(report, two.logs, bundles)})
        else:
            print_report(table, report, two.logs, bundles)
            print(answer_text(found))
            if not (found["answer"] or table.suspensions):
                print(_PLAY_ON)
    if is_faulty(table):
        raise typer.Exit(FAULTY)
    if comparison.answer != "better":
        raise typer.Exit(FAILED)


def _play(two: LeagueOfTwo, comparison: Comparison) -> None:
    """Play until there is an answer, or as many duels as are allowed."""
    with (
        two.logs_if_stopped(),
        counted_stops() as stops,
        ComparisonDisplay(comparison) as display,
    ):
        try:
            run_league(
                two.store,
                NAME,
                two.options,
                display,
                lambda: _AT_ONCE if comparison.answer or stops() else 0,
            )
        except KeyboardInterrupt:
            if not comparison.answer:
                raise


class ComparisonDisplay(LiveDisplay):
    """Shows a comparison, and takes note of its duels as they come in."""

    def __init__(self, comparison: Comparison, clock: Callable[[], float] = monotonic) -> None:
        """Show a comparison of entrant 1, the old bot and A of every duel, with entrant 2."""
        super().__init__(None, clock, commits=False)
        self._comparison = comparison
        self._voids_of: Counter[int] = Counter()

    def note(self) -> str:
        """Return where the difference is known to lie."""
        low, high = self._comparison.interval
        return f"the new one is ahead by {_in_100(low)} to {_in_100(high)} in 100 duels"

    def played(self, duel: StoredDuel) -> None:
        """Take note of how a duel went for the new bot."""
        self._comparison.add(duel.key.number, -score(duel.result))
        super().played(duel)

    def voided(self, void: StoredVoid) -> None:
        """Take note of a duel that is not tried again."""
        number = void.key.number
        self._voids_of[number] += 1
        if self._voids_of[number] == MOST_VOIDS:
            self._comparison.add(number, None)
        super().voided(void)

    def estimated(self, seconds_left: float | None) -> None:
        """Show no estimate, for it is not known how many duels it takes."""
        del seconds_left
        super().estimated(None)


def answer_text(found: ComparisonReport) -> str:
    """Return what is known of the two, in words."""
    old, new = plain(found["old"]), plain(found["new"])
    matters = f"{found['matters'] * 100:g} of 100 duels"
    said = {
        "better": f"{new} is better than {old}",
        "worse": f"{new} is worse than {old}",
        "no difference": f"{new} and {old} differ by no more than {matters}",
        None: f"It is not known whether {new} is better than {old}",
    }[found["answer"]]
    return (
        f"{said}\n"
        f"In {counted(found['duels'], 'duel')} {new} did better in {found['better']} and worse in "
        f"{found['worse']}; {found['level']} were level\n"
        f"In 100 duels {new} is ahead by {_in_100(found['low'])} to {_in_100(found['high'])}; the "
        f"chance of a wrong answer is at most {found['error'] * 100:g} %"
    )


def _in_100(share: float) -> str:
    return f"{share * 100:+.1f}"
