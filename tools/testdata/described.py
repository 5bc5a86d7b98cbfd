"""Made-up moments of games described in RECYCLE: facts, and the messages that tell them.

They are written down here, not played, so that every field has its extremes: hidden places and
empty ones, several backs, owners of every kind, numbers below 0, moves without steps.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from upcard.v1 import recycle_pb2 as pb
from upcard.v1.referee_pb2 import Turn, Welcome

Facts = dict[str, Any]

_DUEL: Final[Facts] = {
    "name": "tiny poker",
    "program": "(game\n  (setup (create players 2))\n  ;; élan\n  (scoring max 0))\n",
    "numbering": 0,
    "hands": 1,
    "players": 2,
    "sides": [1, 2],
    "seat": 2,
    "lowest_wins": False,
    "faces": [
        {"name": rank, "attributes": [["RANK", rank]], "back": "DEFAULT", "cards": 2}
        for rank in ("JACK", "QUEEN", "KING")
    ],
}
_TEAMS: Final[Facts] = {
    "name": "eight at a table",
    "program": "(game (setup (create players 8) (create teams (1, 3, 5, 7) (2, 4, 6, 8))))",
    "numbering": 1,
    "hands": 12,
    "players": 8,
    "sides": [1, 2, 1, 2, 1, 2, 1, 2],
    "seat": 8,
    "lowest_wins": True,
    "faces": [
        {
            "name": f"N{''.join('ABCDEFGHIJ'[int(digit)] for digit in str(number))}-{suit}",
            "attributes": [["SUIT", suit], ["NUMBER", str(number)]],
            "back": back,
            "cards": 1,
        }
        for suit, back in (("RED", "DARK"), ("BLUE", "LIGHT"))
        for number in range(100)
    ],
}


def described() -> Iterator[Facts]:
    """Return moments with the bytes of their messages."""
    for rules, view in _moments():
        wire = {"welcome": welcome(rules).hex(), "turn": turn(rules, view).hex()}
        yield {"game": "recycle", **wire, "rules": rules, "view": view}


def of_a_match() -> tuple[Facts, Facts, Facts]:
    """Return the rules of one game, and a moment of it with many cards and one with many moves."""
    *_, (rules, one), (_, other) = _moments()
    return rules, one, other


def _moments() -> Iterator[tuple[Facts, Facts]]:
    hidden: Facts = {"faces": None}
    yield (
        _DUEL,
        _view(
            player=2,
            scores=[0, 0],
            places=[
                _place(0, "iloc", "STOCK", size=4, **hidden),
                _place(1, "iloc", "HAND", size=1, **hidden),
                _place(2, "iloc", "HAND", size=1, faces=["KING"]),
                _place(0, "vloc", "BOARD"),
            ],
            numbers=[[0, "BET", 2], [1, "CHIPS", -1], [2, "CHIPS", -2147483648]],
            texts=[[0, "LED", "KING"]],
            points=[{"owner": 0, "name": "WORTH", "awards": [_award(3, ["RANK", "KING"])]}],
            flow=[3, 0, -1],
            moves=[
                _move("check", _step("pass")),
                _move(
                    "bet 2", _step("inc", owner=2, name="CHIPS", value=-2), _step("next", owner=1)
                ),
                _move("bet 2 #2", _step("inc", owner=2, name="CHIPS", value=-2)),
            ],
        ),
    )
    yield (
        _DUEL,
        _view(
            table=4294967295,
            turn=300,
            time_left_ms=1500,
            player=1,
            scores=[0, 0],
            places=[_place(0, "mem", "LAST", size=2, faces=["JACK", "JACK"])],
            moves=[
                _move(
                    "say élan",
                    _step("set", owner=0, name="WORD", value="élan"),
                    _step("set", owner=0, name="WORD", value=""),
                    _step("set", owner=0, name="BET", value=0),
                    _step("set", owner=2, name="WORTH", value=[_award(-2, ["RANK", "JACK"])]),
                    _step("update", owner=-1, name="WORTH", value=[]),
                    _step("swap", face="JACK", other_face="KING", source=_where(0, "vloc", "A")),
                )
            ],
        ),
    )
    red, blue = (
        [face["name"] for face in _TEAMS["faces"] if face["back"] == back]
        for back in ("DARK", "LIGHT")
    )
    yield (
        _TEAMS,
        _view(
            hand_number=11,
            player=3,
            scores=[-200, 2147483647],
            places=[
                _place(0, "iloc", "STOCK", size=150, **hidden, backs=[["DARK", 70], ["LIGHT", 80]]),
                _place(0, "vloc", "PILE", index=2, size=40, faces=[*red[:20], *blue[80:]]),
                _place(3, "hloc", "BLIND", size=1, **hidden, backs=[["LIGHT", 1]]),
                _place(4, "oloc", "FOREHEAD", size=1, faces=[blue[-1]]),
                _place(-2, "vloc", "WON", index=130),
            ],
            numbers=[[-1, "TRICKS", 7], [-2, "TRICKS", 300]],
            texts=[[8, "SAYS", "x" * 256], [-1, "CALL", ""]],
            points=[
                {"owner": -1, "name": "EMPTY", "awards": []},
                {
                    "owner": 0,
                    "name": "ORDER",
                    "awards": [_award(-70000, ["SUIT", "RED"], ["NUMBER", "1"]), _award(0)],
                },
            ],
            flow=list(range(-3, 200, 20)),
            moves=[
                _move(
                    "play NA-RED",
                    _step(
                        "move",
                        face=red[0],
                        source=_where(3, "iloc", "HAND"),
                        target=_where(0, "vloc", "PILE", 2),
                    ),
                    _step(
                        "move", source=_where(0, "iloc", "STOCK"), target=_where(3, "hloc", "BLIND")
                    ),
                    _step("shuffle", source=_where(0, "iloc", "STOCK")),
                ),
                _move(
                    "play CJ-BLUE",
                    _step("remember", face=blue[99], target=_where(0, "mem", "LAST")),
                ),
            ],
        ),
    )
    yield (
        _TEAMS,
        _view(
            player=8,
            scores=[0, 0],
            moves=[_move(f"name {number}") for number in range(700)],
        ),
    )


def _view(moves: list[Facts], **told: Any) -> Facts:  # noqa: ANN401 (of any kind)
    nothing: Facts = {
        "table": 7,
        "turn": 1,
        "time_left_ms": None,
        "hand_number": 0,
        "player": 0,
        "scores": [],
        "places": [],
        "numbers": [],
        "texts": [],
        "points": [],
        "flow": [],
    }
    return nothing | told | {"legal": [move["text"] for move in moves], "moves": moves}


def _where(owner: int, kind: str, name: str, index: int = 0) -> Facts:
    return {"owner": owner, "kind": kind, "name": name, "index": index}


def _place(owner: int, kind: str, name: str, index: int = 0, **told: object) -> Facts:
    return _where(owner, kind, name, index) | {"size": 0, "faces": [], "backs": []} | told


def _award(points: int, *attributes: list[str]) -> Facts:
    return {"attributes": list(attributes), "points": points}


def _move(text: str, *steps: Facts) -> Facts:
    return {"text": text, "steps": list(steps)}


def _step(verb: str, **told: object) -> Facts:
    fields = ("face", "source", "target", "owner", "name", "value", "other_face")
    nothing = dict.fromkeys(fields)
    return {"verb": verb, **(nothing | told)}


# The messages


def welcome(rules: Facts) -> bytes:
    """Write what the bot was received with."""
    faces = [
        pb.RecycleFace(**(face | {"attributes": _attributes(face["attributes"])}))
        for face in rules["faces"]
    ]
    told = pb.RecycleRules(**(rules | {"faces": faces}))
    return Welcome(protocol_revision=1, recycle=told).SerializeToString(deterministic=True)


def turn(rules: Facts, view: Facts) -> bytes:
    """Write what it is asked."""
    numbers = {face["name"]: number for number, face in enumerate(rules["faces"], 1)}
    message = pb.RecycleView(
        player=view["player"],
        hand_number=view["hand_number"],
        scores=view["scores"],
        places=[_place_message(place, numbers) for place in view["places"]],
        numbers=[pb.RecycleNumber(owner=o, name=n, value=v) for o, n, v in view["numbers"]],
        texts=[pb.RecycleText(owner=o, name=n, value=v) for o, n, v in view["texts"]],
        points=[
            pb.RecyclePoints(**(each | {"awards": [_award_message(one) for one in each["awards"]]}))
            for each in view["points"]
        ],
        flow=view["flow"],
        legal=[
            pb.RecycleMove(
                text=move["text"], steps=[_step_message(step, numbers) for step in move["steps"]]
            )
            for move in view["moves"]
        ],
    )
    return Turn(
        turn_id=view["turn"],
        table_id=view["table"],
        time_left_ms=view["time_left_ms"] or 0,
        recycle=message,
    ).SerializeToString(deterministic=True)


def _attributes(pairs: Iterable[Iterable[str]]) -> list[pb.RecycleAttribute]:
    return [pb.RecycleAttribute(key=key, value=value) for key, value in pairs]


def _award_message(award: Facts) -> pb.RecycleAward:
    return pb.RecycleAward(attributes=_attributes(award["attributes"]), points=award["points"])


def _place_message(place: Facts, numbers: Mapping[str, int]) -> pb.RecyclePlace:
    faces = place["faces"]
    return pb.RecyclePlace(
        owner=place["owner"],
        kind=place["kind"],
        name=place["name"],
        index=place["index"],
        size=place["size"],
        hidden=faces is None,
        faces=[numbers[face] for face in faces or ()],
        backs=[pb.RecycleBack(name=name, cards=cards) for name, cards in place["backs"]],
    )


def _step_message(step: Facts, numbers: Mapping[str, int]) -> pb.RecycleStep:
    return pb.RecycleStep(
        verb=step["verb"],
        face=numbers.get(step["face"], 0),
        source=step["source"] and pb.RecyclePlace(**step["source"]),
        target=step["target"] and pb.RecyclePlace(**step["target"]),
        owner=step["owner"],
        name=step["name"] or "",
        other_face=numbers.get(step["other_face"], 0),
        **_value(step["value"]),
    )


def _value(value: object) -> Facts:
    if value is None:
        return {}
    if isinstance(value, list):
        return {"points": pb.RecyclePoints(awards=map(_award_message, value))}
    return {"text" if isinstance(value, str) else "number": value}
