"""A bot that costs as little as a bot can: it takes the first legal action."""

import upcard


class First(upcard.Bot):
    """Take the first legal action."""

    def choose(
        self,
        view: upcard.View,  # noqa: ARG002 (it does not look)
        legal: tuple[upcard.Action, ...],
    ) -> upcard.Action:
        """Take it."""
        return legal[0]


if __name__ == "__main__":
    upcard.run(First)
