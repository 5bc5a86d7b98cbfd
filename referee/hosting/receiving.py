"""Receives submissions: what an archive holds is looked at, kept, and queued to be examined."""

from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from referee.bots.archives import only_directory, unpack
from referee.bots.digest import bundle_digest
from referee.bots.manifest import Manifest, read_manifest
from referee.errors import ConfigError
from referee.files.writing import sync
from referee.hosting.quotas import refuse_beyond
from referee.hosting.settings import HostSettings
from referee.store.database import Store
from referee.store.hosting_models import Account, Ladder, NewSubmission, Submission, Usage
from referee.store.ladders import ladder_entrants, ladders
from referee.store.sources import put_source
from referee.store.submissions import add_submission


class Received(NamedTuple):
    """What an archive holds."""

    source: str
    """The digest of its content."""
    manifest: Manifest


def receive(  # noqa: PLR0913 (whose it is, and by what it is judged)
    store: Store,
    archive: Path,
    ladder: Ladder,
    account: Account,
    *,
    settings: HostSettings,
    now: datetime,
) -> tuple[Submission, bool]:
    """Receive a submission.

    Args:
        store: the store.
        archive: the file that was received, in a directory of `receiving`, which it may leave.
        ladder: what it is handed in to.
        account: who hands it in.
        settings: those of the host.
        now: when that is.

    Returns:
        the submission, and whether it was not there yet.

    Raises:
        ConfigError: it is no bot for the ladder, the ladder takes none, or a quota is used up.
    """
    if ladder.state != "open":
        raise ConfigError(f"{ladder.name} is {ladder.state} and takes no submissions")
    found = look(archive, settings)
    game, manifest = ladder.plan.terms.game.name, found.manifest
    if game not in manifest.games:
        plays = " and ".join(manifest.games)
        raise ConfigError(f"{ladder.name} plays {game}, and {manifest.name} plays {plays}")
    _refuse_name_of_house_bot(store, ladder, manifest.name)
    size = archive.stat().st_size
    # What takes long is done before the transaction, in which nobody else writes.
    sync(archive)
    new = NewSubmission(
        account.id,
        ladder.id,
        found.source,
        manifest.name,
        manifest.version,
        manifest.language,
        size,
    )

    def keep(usage: Usage) -> None:
        refuse_beyond(settings.quota, usage, manifest.name, now)
        put_source(store.files, found.source, archive)

    return add_submission(store, new, keep, now)


def _refuse_name_of_house_bot(store: Store, ladder: Ladder, name: str) -> None:
    """Refuse to take a bot for one of those that all others are measured by."""
    house = (each for each in ladder_entrants(store, ladder) if each.account is None)
    if name.lower() in {each.bot.name.lower() for each in house}:
        raise ConfigError(f"a house bot of {ladder.name} is called {name}; choose another name")


def look(archive: Path, settings: HostSettings) -> Received:
    """Return what an archive holds; it is unpacked beside it.

    Raises:
        ConfigError: it is none, or what it holds can be no bot.
    """
    unpacked = archive.with_suffix(".d")
    unpack(archive, unpacked, settings.limits)
    directory = only_directory(unpacked)
    try:
        return Received(bundle_digest(directory), read_manifest(directory))
    except ConfigError as error:
        raise ConfigError(
            str(error).replace(f"{directory}/", "").replace(str(directory), "it")
        ) from None


def chosen_ladder(store: Store, name: str | None) -> Ladder:
    """Return a ladder by its name, or the only one that takes submissions.

    Raises:
        ConfigError: there is none, or several.
    """
    found = ladders(store)
    if name is not None:
        named = [each for each in found if each.name == name]
        if not named:
            names = " or ".join(each.name for each in found)
            advice = f"choose {names}" if names else "this host has none yet"
            raise ConfigError(f"there is no ladder {name[:60]!r}; {advice}")
        return named[0]
    taking = [each for each in found if each.state == "open"]
    if len(taking) != 1:
        names = ", ".join(each.name for each in taking)
        raise ConfigError(f"say which ladder: {names}" if taking else "no ladder takes submissions")
    return taking[0]
