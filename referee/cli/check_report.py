"""What `upcard check` shows: a line for each check, and of each cause of failure what to do."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from referee.cli.called import command
from referee.cli.league_facts import UNSANDBOXED
from referee.cli.output import print_json
from referee.cli.turn_text import last_lines, turn_in_question, turn_text
from referee.engine.cards import SEAT_NAMES
from referee.examination.fault_bundle import FaultBundle, write_bundle
from referee.examination.report_card import FAIL, Check
from referee.reports.faults import ADVICE
from referee.rpc.decoding import as_json
from referee.text import plain

_LAST_MESSAGES: Final = 4
_LAST_BYTES: Final = 16 * 1024
_LONGEST: Final = 300
_SEAT: Final = re.compile(rf"(?:{'|'.join(SEAT_NAMES)}): ")


class CheckReport:
    """The checks of one bot, shown line by line, or as JSON at the end."""

    def __init__(self, bot: str, directory: Path, *, quiet: bool) -> None:
        """Take the bot as it was named, where fault bundles go, and whether there is only JSON."""
        self._bot = bot
        self._directory = directory
        self._quiet = quiet
        self._name = ""
        self._sandboxed = True
        self._checks: list[tuple[Check, Path | None]] = []
        self._causes: dict[tuple[str, str], list[Check]] = {}

    @property
    def failed(self) -> bool:
        """Return whether any check failed."""
        return bool(self._causes)

    def begin(self, name: str, *, sandboxed: bool) -> None:
        """Show which bot it is."""
        self._name, self._sandboxed = name, sandboxed
        if not self._quiet:
            print(f"{'' if sandboxed else f'{UNSANDBOXED}: '}{plain(name)}")

    def add(self, check: Check, bundle: FaultBundle | None = None) -> None:
        """Show a check; of those that fail for one cause, the first."""
        alike = self._alike(check, bundle) if check.verdict == FAIL else []
        file = self._written(bundle) if bundle and alike == [check] else None
        self._checks.append((check, file))
        if self._quiet or len(alike) > 1:
            return
        says = plain(check.says)[:_LONGEST]
        print(f"{check.verdict.upper():<5} {check.name:<32} {says}", flush=True)
        if bundle and file:
            for line in self._details(bundle, file):
                print(f"      {line[:_LONGEST]}", flush=True)

    def _alike(self, check: Check, bundle: FaultBundle | None) -> list[Check]:
        """Return the checks so far that failed for the cause of this one, and itself."""
        for checks in self._causes.values():
            # The same bot failed once, and two checks are about that.
            if check.evidence and any(each.evidence is check.evidence for each in checks):
                checks.append(check)
                return checks
        alike = self._causes.setdefault(_cause(check, bundle), [])
        alike.append(check)
        return alike

    def _written(self, bundle: FaultBundle) -> Path:
        if not any(file for _, file in self._checks):
            for older in self._directory.glob("fault-*.json"):
                older.unlink(missing_ok=True)
        return write_bundle(self._directory, bundle)

    def _details(self, bundle: FaultBundle, file: Path) -> Iterator[str]:
        asked, answer = turn_in_question(bundle)
        if asked:
            yield f"asked     {turn_text(asked)}"
            yield f"answered  {answer}"
        for line in last_lines(bundle.output.encode())[-1:]:
            yield f"wrote     {line}"
        yield f"to do     {ADVICE[bundle.kind]}"
        yield f"show      {plain(command('fault', 'show', file))}"
        yield f"rerun     {plain(command('fault', 'rerun', file, '--bot', self._bot))}"

    def finish(self) -> None:
        """Show what all of it adds up to."""
        if self._quiet:
            print_json(
                {
                    "bot": self._name,
                    "sandboxed": self._sandboxed,
                    "passed": not self.failed,
                    "lines": [_as_json(*each) for each in self._checks],
                }
            )
            return
        for first, *others in self._causes.values():
            if others:
                names = ", ".join(each.name for each in others)
                print(f"{first.name}: the same cause failed {names}")
        counts = Counter(check.verdict for check, _ in self._checks)
        print(", ".join(f"{count} {verdict}" for verdict, count in counts.items()))


def _cause(check: Check, bundle: FaultBundle | None) -> tuple[str, str]:
    """Return what failures of one cause have in common: all but numbers and the seat."""
    said = _SEAT.sub("", check.says)
    wrote = last_lines(bundle.output.encode())[-1:] if bundle else []
    return re.sub(r"\d+", "0", said), re.sub(r"\d+", "0", "".join(wrote))


def _as_json(check: Check, file: Path | None) -> dict[str, object]:
    written: dict[str, object] = {
        "name": check.name,
        "verdict": check.verdict,
        "says": check.says,
    }
    if check.evidence:
        written["messages"] = [
            {"seconds": said.seconds, "way": said.way, "message": as_json(said.way, said.data)}
            for said in check.evidence.messages[-_LAST_MESSAGES:]
        ]
        written["output"] = check.evidence.output[-_LAST_BYTES:].decode(errors="backslashreplace")
        written["ending"] = check.evidence.ending
    if file:
        written["bundle"] = str(file)
    return written
