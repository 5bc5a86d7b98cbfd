"""The Python SDK for authors of bots that play Euchre and Whist under the Upcard referee.

A whole bot, which the referee runs as a process:

    import upcard

    class MyBot(upcard.Bot):
        def choose(self, view, legal):
            return legal[0]

    upcard.run(MyBot)

`View` has what a player sees and may ask about it; everything else is text: the card ``"JD"``, the
action ``"play:JD"``.
"""

from upcard.bot import Bot
from upcard.cards import Action, Card, Play, Rules, Seat, Sides, Suit, Trick
from upcard.errors import IllegalChoice, MissingMethod, UpcardError
from upcard.euchre import EuchreView
from upcard.running import run
from upcard.telling import log
from upcard.view import View
from upcard.whist import WhistView

__version__ = "0.1.0"

__all__ = [
    "Action",
    "Bot",
    "Card",
    "EuchreView",
    "IllegalChoice",
    "MissingMethod",
    "Play",
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
