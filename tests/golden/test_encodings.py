"""Encodings as they were once published: what was trained on them must stay of use for ever."""

import json
from hashlib import sha256
from pathlib import Path

import pytest

from referee.engine.record import MatchRecord, Scoresheet
from referee.record_file import read_records
from referee.rpc.seat_views import SeatViews
from upcard import View
from upcard.encoding import ENCODINGS, Encoding

GOLDEN = Path(__file__).parent


def digest(encoding: Encoding, record: MatchRecord) -> str:
    """Return a hash of what every seat observes before each action of a match."""
    views, found = SeatViews(record.game), sha256()
    sheet = Scoresheet(record.game, record.first_dealer, record.dealt)
    for _, action in (played for hand in record.hands for played in hand.actions):
        for seat in range(4):
            view = views.view(sheet.match, sheet.state, seat)
            assert isinstance(view, View)
            found.update(encoding.observe(view) + encoding.mask(view.legal))
        sheet.play(action)
    return found.hexdigest()


@pytest.mark.parametrize("game", ENCODINGS)
def test_an_encoding_never_changes(game: str) -> None:
    encoding = ENCODINGS[game]
    record = next(read_records(GOLDEN / f"{game}.jsonl"))
    written = {
        "actions": list(encoding.actions),
        "fields": [[field.name, *field.shape] for field in encoding.fields],
        "most": sha256(encoding.most).hexdigest(),
        "observed": digest(encoding, record),
    }
    assert written == json.loads((GOLDEN / f"{encoding.name}.json").read_text())
