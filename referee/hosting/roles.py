"""What accounts and tokens may be used for; pure."""

from typing import Final, Literal, get_args

from referee.hosting.choices import chosen_word
from referee.store.hosting_models import ROLES, Account, Role

Scope = Literal["read", "submit", "organise"]
SCOPES: Final[tuple[Scope, ...]] = get_args(Scope)
"""What a token may be used for: to read what its owner sees, to hand in and to choose versions,
and whatever else her role allows."""


def may(account: Account, role: Role) -> bool:
    """Return whether an account may do what takes a role."""
    return account.is_active and ROLES.index(account.role) >= ROLES.index(role)


def may_change(account: Account, other: Account) -> bool:
    """Return whether an account may change another: an admin any, an organiser those of authors."""
    is_higher = ROLES.index(account.role) > ROLES.index(other.role)
    return may(account, "admin") or (may(account, "organiser") and is_higher)


def role_of(text: str) -> Role:
    """Return the role of a name.

    Raises:
        ConfigError: there is none.
    """
    return chosen_word(text, "role", ROLES)


def scope_of(text: str) -> Scope:
    """Return the scope of a name.

    Raises:
        ConfigError: there is none.
    """
    return chosen_word(text, "scope", SCOPES)
