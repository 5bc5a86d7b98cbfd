"""Who acts by a command on the machine of a host: nobody's account."""

from datetime import UTC, datetime

from referee.store.hosting_models import By


def by_command() -> By:
    """Return who does something by a command, and when: now."""
    return By(None, datetime.now(UTC))
