"""What the organiser chooses for a host; each has a default, and is kept in the store."""

from collections.abc import Container, Mapping
from datetime import timedelta
from typing import Any, Final, NamedTuple

from referee.bots.archives import ArchiveLimits
from referee.errors import ConfigError
from referee.hosting.quotas import Quota
from referee.store import audit
from referee.store.database import Store
from referee.store.hosting_models import By
from referee.text import close_names

_MIB: Final = 1 << 20


class HostSettings(NamedTuple):
    """The settings of a host."""

    open_registration: bool = False
    """Whether anybody may make an account."""
    in_flight: int = 1
    """Submissions of an author that wait to be examined, at most."""
    daily: int = 10
    """Submissions of an author in a day, at most."""
    active: int = 3
    """Bots of an author on a ladder, at most."""
    packed_mib: int = 20
    """The size of a submission, at most."""
    unpacked_mib: int = 100
    """The size of what is in it, at most."""
    files: int = 2000
    """Files in it, at most."""
    build_seconds: int = 600
    """For building a bot."""
    check_seconds: int = 600
    """For examining it."""
    build_network: bool = False
    """Whether builds reach the network."""
    session_hours: int = 24 * 14
    """How long a browser that is not used stays signed in."""
    invitation_days: int = 14
    """How long an invitation can be used."""

    @property
    def limits(self) -> ArchiveLimits:
        """How large a submission may be."""
        return ArchiveLimits(self.packed_mib * _MIB, self.unpacked_mib * _MIB, self.files)

    @property
    def quota(self) -> Quota:
        """How much an author may hand in."""
        return Quota(self.in_flight, self.daily, self.active)

    @property
    def session(self) -> timedelta:
        """How long a browser that is not used stays signed in."""
        return timedelta(hours=self.session_hours)

    @property
    def invitation(self) -> timedelta:
        """How long an invitation can be used."""
        return timedelta(days=self.invitation_days)


DEFAULTS: Final = HostSettings()
_MOST: Final = 10**6
_ALLOWED: Final[Mapping[type, Container[Any]]] = {
    bool: (False, True),
    int: range(1, _MOST + 1),
}


def host_settings(store: Store) -> HostSettings:
    """Return the settings of a host."""
    return _read(audit.settings(store))


def _read(kept: Mapping[str, Any]) -> HostSettings:
    found = {name: kept[name] for name in HostSettings._fields if name in kept}
    return HostSettings(**{name: value for name, value in found.items() if _is_valid(name, value)})


def _is_valid(name: str, value: object) -> bool:
    return type(value) is type(getattr(DEFAULTS, name)) and value in _ALLOWED[type(value)]


def change_setting(store: Store, name: str, text: str, by: By) -> HostSettings:
    """Change a setting as a person writes it, and return all of them; an empty text is the default.

    Raises:
        ConfigError: there is no such setting, or that is no value of it.
    """
    if name not in HostSettings._fields:
        close = " or ".join(close_names(name, HostSettings._fields) or HostSettings._fields)
        raise ConfigError(f"there is no setting {name[:40]!r}; choose {close}")
    value = _value(name, text) if text else None
    audit.set_setting(store, name, value, by)
    return host_settings(store)


_TRUTHS: Final[Mapping[str, bool]] = {"on": True, "off": False}


def _value(name: str, text: str) -> bool | int:
    if isinstance(getattr(DEFAULTS, name), bool):
        if text not in _TRUTHS:
            raise ConfigError(f"{name} is on or off, not {text[:40]!r}")
        return _TRUTHS[text]
    if not (text.isascii() and text.isdigit() and len(text) < 8 and _is_valid(name, int(text))):
        raise ConfigError(f"{name} is a whole number from 1 to {_MOST}, not {text[:40]!r}")
    return int(text)
