"""Opens sandboxes for bots, and refuses where these lack a guarantee."""

from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext
from tempfile import gettempdir

from referee.errors import ConfigError, FileError
from referee.json_forms import guarantee_as_json
from referee.sandbox.doctor import Guarantee, examine
from referee.sandbox.launcher import Files, Sandboxes
from referee.sandbox.private_files import NAME
from referee.store.models import Isolation


@asynccontextmanager
async def guaranteed_sandboxes(
    accepted: Sequence[str] = (),
    *,
    sandboxed: bool = True,
    shown: AbstractContextManager[object] | None = None,
) -> AsyncIterator[tuple[Sandboxes, list[Guarantee]]]:
    """Open sandboxes, and attack them first; return them with what they guarantee.

    Args:
        accepted: the guarantees that may be missing. If bots need no private files, they have none.
        sandboxed: whether there are sandboxes at all; if not, nothing is guaranteed.
        shown: is entered while the sandbox is attacked, which takes a second.

    Raises:
        ConfigError: a guarantee is missing.
        FileError: there is no room to try them.
    """
    files: Files = "shared" if NAME in accepted else "any"
    async with Sandboxes.open(unsafe=not sandboxed, files=files) as sandboxes:
        guarantees: list[Guarantee] = []
        if sandboxed:
            with shown or nullcontext():
                guarantees = await _examined(sandboxes)
            refuse_missing(guarantees, accepted)
        yield sandboxes, guarantees


async def _examined(sandboxes: Sandboxes) -> list[Guarantee]:
    try:
        return await examine(sandboxes)
    except OSError as error:
        raise FileError(
            f"the sandbox cannot be tried in {gettempdir()}: {error.strerror}; fix that, or name "
            "another directory in TMPDIR"
        ) from None


def refuse_missing(guarantees: Iterable[Guarantee], accepted: Sequence[str]) -> None:
    """Refuse to go on without a guarantee, unless it was said that it may be missing."""
    named = {guarantee.name: guarantee for guarantee in guarantees}
    unknown = [name for name in accepted if name not in named]
    if unknown:
        raise ConfigError(f"there is no guarantee {unknown[0]!r}; choose from {', '.join(named)}")
    missing = [
        guarantee
        for guarantee in named.values()
        if guarantee.level == "missing" and guarantee.name not in accepted
    ]
    if missing:
        raise ConfigError(_refusal(missing))


def _refusal(missing: Sequence[Guarantee]) -> str:
    reasons = "; ".join(f"{each.name}: {each.reason} ({each.remedy})" for each in missing)
    accept = " ".join(f"--accept-weak {each.name}" for each in missing)
    return f"the sandbox lacks guarantees: {reasons}; or play all the same: {accept}"


def isolation_of(guarantees: Iterable[Guarantee], *, sandboxed: bool, strict: bool) -> Isolation:
    """Return what is stored of it with every result."""
    forms = (guarantee_as_json(guarantee._asdict()) for guarantee in guarantees)
    return Isolation(sandboxed, strict, tuple(forms))
