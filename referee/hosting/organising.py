"""What organisers write: reasons that an author is told, and announcements that everybody reads."""

from typing import Final

from referee.errors import ConfigError

_LONGEST_REASON: Final = 500
_LONGEST_ANNOUNCEMENT: Final = 2000


def reason_of(text: str) -> str:
    """Read why a bot is stopped.

    Raises:
        ConfigError: it is empty or too long.
    """
    found = text.strip()
    if not 0 < len(found) <= _LONGEST_REASON:
        raise ConfigError(
            f"say why, in at most {_LONGEST_REASON} characters: the author of the bot is told"
        )
    return found


def announcement_of(text: str) -> str:
    """Read an announcement.

    Raises:
        ConfigError: it is empty or too long.
    """
    found = text.strip()
    if not 0 < len(found) <= _LONGEST_ANNOUNCEMENT:
        raise ConfigError(f"an announcement has 1 to {_LONGEST_ANNOUNCEMENT} characters")
    return found
