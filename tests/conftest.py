"""What holds for every test."""

import signal

from hypothesis import settings

# A deadline is a timed assertion: it says more about the machine than about the code.
settings.register_profile("upcard", deadline=None)
settings.load_profile("upcard")

# A signal that is ignored, as by `nohup`, is ignored by all that is started: it would not stop.
signal.signal(signal.SIGHUP, signal.SIG_DFL)
