"""The Python SDK for authors of bots that play card games under the Upcard referee.

A whole bot, which the referee runs as a process:

    import upcard

    class MyBot(upcard.Bot):
        def choose(self, view, legal):
            return legal[0]

    upcard.run(MyBot)

`View` has what a player sees and may ask about it, `EUCHRE` and `WHIST` what cards are worth
without one; everything else is text: the card ``"JD"``, the action ``"play:JD"``.

===============  =================================================================
`bot`            the class that an author derives from
`view`           what a seat sees; `euchre` and `whist` have what only one game has
`recycle_view`   what a player sees of any game described in RECYCLE
`game`           what cards are worth in a game, without a view
`cards`          the types of cards, seats and actions
`encoding`       views as bytes and actions as numbers, for bots that learn
`openspiel`      bots of OpenSpiel as bots of Upcard
`running`        runs a bot: `run`
`session`        the stream to the referee, from hello to goodbye
`answering`      decides the turns of a frame
`pieces`         sends the answers, also while a decision takes its time
`logs`           `log`
`errors`         every error of the SDK
`testing`        views of situations, for the tests of a bot; `situations` has the rules for it
`lazy`           attributes that are computed, and names that are loaded, when first asked for
`recycle`        card games from RECYCLE programs: rules, views and sampled worlds
===============  =================================================================

The names of this page are loaded when they are first used: `recycle` needs none of them, and
neither gRPC nor protobuf, which take long to load.
"""

from typing import TYPE_CHECKING, Final

from upcard.lazy import lazy_names

if TYPE_CHECKING:
    from upcard.bot import Bot
    from upcard.cards import Action, Card, Play, Rules, Seat, Sides, Suit, Trick
    from upcard.errors import (
        IllegalChoice,
        ImpossibleSituation,
        MissingMethod,
        NotKnown,
        UpcardError,
    )
    from upcard.euchre import EUCHRE, EuchreView
    from upcard.game import Game
    from upcard.logs import log
    from upcard.recycle_view import (
        RecycleFace,
        RecycleMove,
        RecyclePlace,
        RecycleRules,
        RecycleStep,
        RecycleView,
    )
    from upcard.running import run
    from upcard.view import View
    from upcard.whist import WHIST, WhistView

__version__ = "0.1.0"

__all__ = [
    "EUCHRE",
    "WHIST",
    "Action",
    "Bot",
    "Card",
    "EuchreView",
    "Game",
    "IllegalChoice",
    "ImpossibleSituation",
    "MissingMethod",
    "NotKnown",
    "Play",
    "RecycleFace",
    "RecycleMove",
    "RecyclePlace",
    "RecycleRules",
    "RecycleStep",
    "RecycleView",
    "Rules",
    "Seat",
    "Sides",
    "Suit",
    "Trick",
    "UpcardError",
    "View",
    "WhistView",
    "log",
    "run",
]

_MODULES: Final = {
    "EUCHRE": "euchre",
    "WHIST": "whist",
    "Bot": "bot",
    "EuchreView": "euchre",
    "Game": "game",
    "View": "view",
    "WhistView": "whist",
    "log": "logs",
    "run": "running",
    **dict.fromkeys(
        (
            *("RecycleFace", "RecycleMove", "RecyclePlace"),
            *("RecycleRules", "RecycleStep", "RecycleView"),
        ),
        "recycle_view",
    ),
    **dict.fromkeys(("Action", "Card", "Play", "Rules", "Seat", "Sides", "Suit", "Trick"), "cards"),
    **dict.fromkeys(
        ("IllegalChoice", "ImpossibleSituation", "MissingMethod", "NotKnown", "UpcardError"),
        "errors",
    ),
}
"""Where each name is defined."""

if not TYPE_CHECKING:  # or a type checker would take any name to be there
    __getattr__, __dir__ = lazy_names(__name__, _MODULES)
