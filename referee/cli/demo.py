"""`upcard demo`: what there is to see, in under a minute."""

from referee.cli.output import print_heading, with_progress
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
        print_heading(f"{preset.name}: {preset.meaning}")
        for _ in with_progress(play(summary, _MATCHES), _MATCHES, "Playing"):
            pass
        show(summary)
    print_heading("One hand of euchre")
    euchre = PRESETS["euchre"]
    (record,) = play(Summary(euchre.game(), euchre.first_dealer, _SEED), 1)
    tell_hand(next(replay(record)), None)
