"""The error that says there is no such page."""

from referee.errors import ConfigError


class Missing(ConfigError):
    """Somebody asked for a page that there is not, or not yet."""
