"""The simplest bot there is: it does anything the rules allow."""

import upcard


class Random(upcard.Bot):
    """Choose among the legal actions, each as likely as the next."""

    def choose(
        self,
        view: upcard.View,  # noqa: ARG002 (it does not look, whatever the game)
        legal: tuple[upcard.Action, ...],
    ) -> upcard.Action:
        """Draw from the table's own numbers, so that the same deal goes the same way again."""
        return self.random.choice(legal)


if __name__ == "__main__":
    upcard.run(Random)
