"""`upcard demo`: what there is to see, in under a minute."""

from referee.cli.output import console, with_progress
from referee.cli.simulate import show
from referee.cli.telling import tell_hand
from referee.engine.record import replay
from referee.engine.registry import PRESETS
from referee.simulation import Summary
from referee.simulation import simulate as play

_MATCHES = 200
_SEED = bytes(32)


def demo() -> None:
    """Play every game at random, show what it adds up to, and tell one hand of euchre."""
    for preset in PRESETS.values():
        summary = Summary(preset.game(), preset.first_dealer, _SEED)
        console.rule(f"{preset.name}: {preset.meaning}", align="left")
        for _ in with_progress(play(summary, _MATCHES), _MATCHES, "Playing"):
            pass
        show(summary)
    console.rule("One hand of euchre", align="left")
    euchre = PRESETS["euchre"]
    (record,) = play(Summary(euchre.game(), euchre.first_dealer, _SEED), 1)
    tell_hand(next(replay(record)), None)
