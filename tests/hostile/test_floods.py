"""Bots that flood the referee below their messages: each is cut, and its opponent loses nothing."""

import pytest

from tests.hostile.test_players import Meet

_FRAMES = "sent more HTTP/2 frames than its answers need, most of them"
_HEADERS = "HTTP/2 frames with headers"

BLAMED = {
    "settings": f"{_FRAMES} SETTINGS",
    "changed_settings": f"{_FRAMES} SETTINGS",
    "settings_acks": f"{_FRAMES} SETTINGS",
    "pings": f"{_FRAMES} PING",
    "ping_acks": f"{_FRAMES} PING",
    "windows": f"{_FRAMES} WINDOW_UPDATE",
    "priorities": f"{_FRAMES} PRIORITY",
    "unknown": f"{_FRAMES} of the unknown kind 77",
    "empty_data": f"{_FRAMES} DATA",
    "resets": _HEADERS,
    "streams": _HEADERS,
    "continuation": _HEADERS,
    "large_headers": "bytes of HTTP/2 headers",
    "growing_headers": "bytes of HTTP/2 headers",
    "connections": "connections",
    "silent_connections": "connections",
    "padded_messages": "more bytes than its answers have",
}
"""What each is blamed for."""


@pytest.mark.parametrize("name", BLAMED)
def test_a_flood_is_cut_and_named_and_its_opponent_loses_nothing(name: str, meet: Meet) -> None:
    played = meet((f"floods:{name}", "sound"), duels=1)
    assert {fault.entrant for fault in played.faults} == {0}
    first, *_ = played.faults
    assert (first.kind, BLAMED[name] in first.explanation) == ("protocol_error", True)
