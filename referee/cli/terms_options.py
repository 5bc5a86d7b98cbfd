"""The options for the terms of play: the game, the time limits, what a fault costs."""

import re
from typing import Annotated, NamedTuple

import typer

from referee.arena.limits import (
    ASK_FORCED,
    BANK_DECISIONS,
    MOST_TABLES,
    SKIP_FORCED,
    Policy,
    Terms,
    TimeLimits,
)
from referee.cli import arguments
from referee.cli.duel_options import DecisionLimit, ReadyLimit
from referee.engine.game import Game
from referee.errors import ConfigError
from referee.game_files import find_game

_LIMITS = TimeLimits()
_BEAT = 0.05
_GAME = "euchre"


class TermsOptions(NamedTuple):
    """The options."""

    game: Annotated[
        str | None,
        typer.Option(metavar="GAME", show_default=_GAME, help=f"One of {arguments.GAMES_NAMED}."),
    ] = None
    rule: arguments.RuleTexts = None
    decision_limit: DecisionLimit = _LIMITS.decision
    ready_limit: ReadyLimit = _LIMITS.ready
    bank: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=86400,
            metavar="SECONDS",
            show_default=f"{BANK_DECISIONS} times the decision limit",
            help="For all decisions of a seat in a match; 0 for no limit.",
        ),
    ] = None
    increment: Annotated[
        float,
        typer.Option(
            min=0, max=86400, metavar="SECONDS", help="Added to the bank by each decision."
        ),
    ] = _LIMITS.increment
    policy: Annotated[
        str,
        typer.Option(
            metavar="POLICY",
            help="What a fault costs: 'forfeit', the match; or 'substitute:N', the match at the "
            "N-th fault, and before it the first legal action is played.",
        ),
    ] = "forfeit"
    tables: Annotated[
        int, typer.Option(min=1, max=MOST_TABLES, help="Matches in each room at the same time.")
    ] = MOST_TABLES
    ask_forced: Annotated[
        bool, typer.Option("--ask-forced", help="Ask bots also where one action is legal.")
    ] = False
    strict: Annotated[
        bool,
        typer.Option(
            "--strict",
            help="Close more side channels, at the cost of speed: one match at a "
            "time, bots frozen while not to move, turns released at intervals.",
        ),
    ] = False
    beat: Annotated[
        float | None,
        typer.Option(
            min=0.01,
            max=10,
            metavar="SECONDS",
            show_default=str(_BEAT),
            help="The interval of --strict.",
        ),
    ] = None

    def terms(self, game: Game | None = None) -> Terms:
        """Return the terms, of a game that is known by the deals if there is one.

        Raises:
            ConfigError: they cannot be so.
        """
        if game and (self.game or self.rule):
            raise ConfigError("--deal says what is played; leave out --game and --rule")
        return Terms(
            game or find_game(self.game or _GAME).game(arguments.rules(self.rule)),
            self._limits(),
            _policy(self.policy),
            self.tables,
            ASK_FORCED if self.ask_forced else SKIP_FORCED,
            _beat(self.beat, strict=self.strict),
        )

    def _limits(self) -> TimeLimits:
        limits = TimeLimits.with_bank(self.decision_limit, self.ready_limit)
        bank = limits.bank if self.bank is None else self.bank
        return limits._replace(bank=bank, increment=self.increment)


def _beat(seconds: float | None, *, strict: bool) -> float:
    if strict:
        return seconds or _BEAT
    if seconds is not None:
        raise ConfigError("--beat is for --strict; give both, or neither")
    return 0.0


def _policy(text: str) -> Policy:
    if text == "forfeit":
        return Policy()
    found = re.fullmatch(r"substitute:([1-9]\d{0,5})", text)
    if found is None:
        raise ConfigError(f"a policy is 'forfeit' or 'substitute:N', not {text[:80]!r}")
    return Policy(int(found[1]))
