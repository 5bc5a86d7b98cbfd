"""What is kept of somebody: to be downloaded by her, or to be forgotten."""

import json
import zipfile
from collections.abc import Iterator
from datetime import datetime
from tempfile import TemporaryFile
from typing import IO, Any

from referee.errors import ConfigError, FileError
from referee.store.accounts import accounts, forget_account, tokens
from referee.store.audit import append_audit, audit_of
from referee.store.challenges import challenges, forget_challenges
from referee.store.database import Store, writing
from referee.store.hosting_models import Account, By, Submission
from referee.store.ladders import entrants_in, ladders, set_entrant_states
from referee.store.sources import remove_sources, source_file
from referee.store.submissions import (
    events,
    file,
    file_names,
    forget_submissions,
    sources_in_use,
    submissions,
)


def own_data(store: Store, account: Account) -> IO[bytes]:
    """Return an archive with all that is kept of an account, and what it handed in.

    It is a file without a name, as it may be larger than the memory.

    Raises:
        FileError: it cannot be written.
    """
    try:
        store.files.mkdir(exist_ok=True)
        out = TemporaryFile(dir=store.files)  # noqa: SIM115 (who reads it closes it)
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("account.json", _json(_account(store, account)))
            with archive.open("log.jsonl", "w", force_zip64=True) as log:
                log.writelines(_lines(store, account))
            for each in submissions(store, account=account.id, most=100_000):
                _add(archive, store, each)
        out.seek(0)
    except OSError as error:
        raise FileError(f"cannot write what is kept of an account: {error.strerror}") from None
    return out


def _add(archive: zipfile.ZipFile, store: Store, found: Submission) -> None:
    directory = f"submissions/{found.id}"
    about = {**found._asdict(), "events": [e._asdict() for e in events(store, found.id)]}
    archive.writestr(f"{directory}/about.json", _json(about))
    for name in file_names(store, found.id):
        content = file(store, found.id, name)
        if content is not None:
            archive.writestr(f"{directory}/{name}", content)
    source = source_file(store.files, found.source)
    if source.exists():
        archive.write(source, f"{directory}/source", zipfile.ZIP_STORED)


def _account(store: Store, account: Account) -> dict[str, Any]:
    return {
        **account._replace(password="kept as a hash" if account.password else None)._asdict(),
        "tokens": [each._asdict() for each in tokens(store, account)],
        "challenges": [each._asdict() for each in challenges(store, account.id, 10_000)],
    }


def _lines(store: Store, account: Account) -> Iterator[bytes]:
    """Yield what an account did, a line of JSON each: a host may log much of it."""
    for entry in audit_of(store, account.id):
        yield f"{_json(entry._asdict(), indent=None)}\n".encode()


def _json(value: object, indent: int | None = 1) -> str:
    return json.dumps(value, indent=indent, default=_text)


def _text(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)


def delete_account(store: Store, account: Account, by: By) -> None:
    """Forget who somebody was: the results of her bots stay, under another name.

    Her bots play no more, and challenges of hers that wait are cancelled. The names and versions
    of her bots stay, as the statements of the leagues they played in have them; what she handed in,
    and all logs, go for good.

    Raises:
        ConfigError: she is the last admin.
    """
    admins = [each for each in accounts(store) if each.role == "admin" and each.is_active]
    if [each.id for each in admins] == [account.id]:
        raise ConfigError("this is the last admin; make somebody else one first")
    every = ladders(store)
    with writing(store) as connection:
        for ladder in every:
            own = [
                each.number
                for each in entrants_in(connection, ladder.id)
                if each.account == account.id and each.state == "active"
            ]
            set_entrant_states(connection, ladder.id, own, "resting")
        forget_challenges(connection, account.id, by.at)
        sources = {*forget_submissions(connection, account.id, by)}
        sources -= sources_in_use(connection, sources, account.id)
        forget_account(connection, account, by.at)
        append_audit(connection, by, "delete account", f"deleted-{account.id}")
    remove_sources(store.files, sources)
