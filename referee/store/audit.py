"""What was done on a host, by whom; announcements; and what the organiser chose for it."""

from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, Select, delete, insert, or_, select, update

from referee.errors import ConfigError
from referee.store.database import Store, reading, writing
from referee.store.exact import exact
from referee.store.hosting_models import Announcement, AuditEntry, By
from referee.store.hosting_rows import ACCOUNT, ANNOUNCEMENT, AUDIT, SETTING

_AUDIT: Final = (AUDIT.c.at, ACCOUNT.c.login, AUDIT.c.action, AUDIT.c.subject, AUDIT.c.details)
_ANNOUNCEMENT: Final = [ANNOUNCEMENT.c[field] for field in Announcement._fields]
_AT_ONCE: Final = 500


def append_audit(
    connection: Connection,
    by: By,
    action: str,
    subject: str,
    details: Mapping[str, object] | None = None,
) -> None:
    """Append an entry, in the transaction that does what it tells of.

    Args:
        connection: the transaction.
        by: who does it, and when.
        action: what was done, in a word or two.
        subject: what it was done to.
        details: what else there is to say, as JSON; nothing secret.
    """
    row = {"at": by.at, "actor": by.account, "action": action, "subject": subject}
    connection.execute(insert(AUDIT), row | {"details": dict(details or {})})


def audit_log(store: Store, most: int, before: int | None = None) -> list[tuple[int, AuditEntry]]:
    """Return the latest entries, the last one first, each with its number.

    Args:
        store: the store.
        most: how many, at most.
        before: only those with a lower number.
    """
    asked = _entries().order_by(AUDIT.c.id.desc()).limit(most)
    if before is not None:
        asked = asked.where(AUDIT.c.id < before)
    with reading(store) as connection:
        return [
            (number, exact(AuditEntry, columns)) for number, *columns in connection.execute(asked)
        ]


def audit_of(store: Store, account: int) -> Iterator[AuditEntry]:
    """Yield the entries of all that an account did, the first one first.

    A few are read at a time.
    """
    asked = _entries().where(AUDIT.c.actor == account).order_by(AUDIT.c.id)
    with (
        reading(store) as connection,
        connection.execution_options(yield_per=_AT_ONCE).execute(asked) as found,
    ):
        for _, *columns in found:
            yield exact(AuditEntry, columns)


def _entries() -> Select[Any]:
    joined = AUDIT.join(ACCOUNT, AUDIT.c.actor == ACCOUNT.c.id, isouter=True)
    return select(AUDIT.c.id, *_AUDIT).select_from(joined)


def forget_in_audit(
    connection: Connection, subject: str, instead: str, actions: Collection[str]
) -> None:
    """Replace what the entries of some actions were done to, and drop what else they say."""
    these = update(AUDIT).where(AUDIT.c.subject == subject, AUDIT.c.action.in_(actions))
    connection.execute(these.values(subject=instead, details={}))


def announce(store: Store, text: str, until: datetime | None, by: By) -> int:
    """Publish an announcement, and return its id."""
    with writing(store) as connection:
        row = {"text": text, "at": by.at, "until": until}
        inserted = connection.execute(insert(ANNOUNCEMENT), row).inserted_primary_key
        assert inserted
        append_audit(connection, by, "announce", f"announcement {inserted[0]}")
        return int(inserted[0])


def withdraw_announcement(store: Store, number: int, by: By) -> None:
    """Stop showing an announcement.

    Raises:
        ConfigError: there is none of that number.
    """
    with writing(store) as connection:
        this = ANNOUNCEMENT.c.id == number
        if not connection.execute(update(ANNOUNCEMENT).where(this).values(until=by.at)).rowcount:
            raise ConfigError(f"there is no announcement {number}")
        append_audit(connection, by, "withdraw announcement", f"announcement {number}")


def announcements(store: Store, now: datetime) -> list[Announcement]:
    """Return what is to be shown now, the latest first."""
    shown = or_(ANNOUNCEMENT.c.until.is_(None), ANNOUNCEMENT.c.until > now)
    asked = select(*_ANNOUNCEMENT).where(shown).order_by(ANNOUNCEMENT.c.id.desc())
    with reading(store) as connection:
        return [exact(Announcement, row) for row in connection.execute(asked)]


def settings(store: Store) -> dict[str, Any]:
    """Return all that was chosen."""
    with reading(store) as connection:
        return dict(connection.execute(select(SETTING.c.name, SETTING.c.value)).all())


def set_setting(store: Store, name: str, value: object, by: By) -> None:
    """Choose something, in place of what was chosen before; None is the default."""
    with writing(store) as connection:
        connection.execute(delete(SETTING).where(SETTING.c.name == name))
        if value is not None:
            connection.execute(insert(SETTING), {"name": name, "value": value})
        append_audit(connection, by, "set", name, {"value": value})


def keep_secret(store: Store, name: str, drawn: str) -> str:
    """Return a secret of the host, which is the one drawn if there is none yet."""
    with writing(store) as connection:
        found = connection.scalar(select(SETTING.c.value).where(SETTING.c.name == name))
        if found is None:
            connection.execute(insert(SETTING), {"name": name, "value": drawn})
        return drawn if found is None else str(found)
