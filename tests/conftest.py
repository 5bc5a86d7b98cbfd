"""What holds for every test."""

from hypothesis import settings

# A deadline is a timed assertion: it says more about the machine than about the code.
settings.register_profile("upcard", deadline=None)
settings.load_profile("upcard")
