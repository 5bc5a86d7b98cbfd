"""Submissions in words, as a host tells of them."""

from collections.abc import Mapping
from typing import Any, Final

from referee.cli.called import command
from referee.examination.report_card import FAIL, WARN
from referee.text import plain

_LONGEST: Final = 400


def state_text(found: Mapping[str, Any]) -> str:
    """Return the state of a submission, with its place in the queue and the reason if any."""
    place = found.get("place")
    where = f", {place}. in the queue" if place else ""
    state = {"failed": "not examined"}.get(str(found["state"]), str(found["state"]))
    reason = f": {found['reason']}" if found.get("reason") else ""
    return plain(f"{state}{where}{reason}")[:_LONGEST]


def print_submission(found: Mapping[str, Any]) -> None:
    """Print what became of a submission, and of its report card what is not as it should be."""
    number = found["id"]
    title = plain(f"{found['name']} {found['version']}")
    print(f"submission {number}, {title}: {state_text(found)}")
    lines = (found.get("report") or {}).get("lines", [])
    for line in lines:
        if line["verdict"] in {FAIL, WARN}:
            says = plain(str(line["says"]))[:_LONGEST]
            print(f"{str(line['verdict']).upper():<5} {plain(str(line['name'])):<32} {says}")
            if line.get("fault"):
                save = command("logs", number, "--fault", line["fault"], "--out", "fault.json")
                print(f"      {save}")
    if lines:
        passed = sum(line["verdict"] not in {FAIL, WARN} for line in lines)
        print(f"{passed} of {len(lines)} checks passed")
    if found.get("page"):
        print(plain(str(found["page"])))
