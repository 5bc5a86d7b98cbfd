"""Refuses to let bots play where the sandbox does not hold what it should."""

from collections.abc import Iterable, Sequence

from referee.errors import ConfigError
from referee.json_forms import guarantee_as_json
from referee.sandbox.doctor import Guarantee
from referee.store.models import Isolation


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
    return f"the sandbox does not hold what it should: {reasons}; or play all the same: {accept}"


def isolation_of(guarantees: Iterable[Guarantee], *, sandboxed: bool, strict: bool) -> Isolation:
    """Return what is kept of it with every result."""
    forms = (guarantee_as_json(guarantee._asdict()) for guarantee in guarantees)
    return Isolation(sandboxed, strict, tuple(forms))
