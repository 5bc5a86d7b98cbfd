"""Writes what players of games described in RECYCLE are told.

Little changes from one decision of a hand to the next, and much comes again in other matches. So
every place, stored value and move is written once, and cached by what it tells; but nothing large
is, because a program may be a stranger's, and the caches are bounded by entries only.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, Final

from referee.rpc.fields import number_field, signed_list, signed_number, sized, text_field
from upcard.recycle import Face, Option, Place, PointsMap, Program, Seen, SeenPlace, Step
from upcard.v1 import recycle_pb2 as pb

MOST_STEP_BYTES: Final = 65536
"""Moves that have more together are told without their steps."""
_MOST_KEPT: Final = 8192
"""Entries of a cache."""
_MOST_FACES: Final = 200
"""Places with more faces, or backs, are not cached."""
_MOST_STEPS: Final = 20
"""Likewise moves with more steps."""
_MOST_LETTERS: Final = 2000
"""Likewise moves with longer texts."""
_MOST_AWARDS: Final = 50
"""Likewise points maps, and moves that store one."""
_PLACES, _NUMBERS, _TEXTS, _POINTS, _LEGAL = 4, 5, 6, 7, 9


def encode(seen: Seen, scores: Sequence[int], hand_number: int) -> bytes:
    """Write the view of the player who is to act; the scores are those of the sides before."""
    assert seen.player is not None
    return b"".join(
        chain(
            (_beginning(seen.player, hand_number, tuple(scores)),),
            map(_place, seen.places),
            [_number(owner, name, value) for (owner, name), value in seen.numbers.items()],
            [_text(owner, name, value) for (owner, name), value in seen.texts.items()],
            [_points(owner, name, value) for (owner, name), value in seen.maps.items()],
            (_flow(seen.flow),),
            _moves(seen.options),
        )
    )


@lru_cache(4096)
def _beginning(player: int, hand_number: int, scores: tuple[int, ...]) -> bytes:
    return number_field(1, player + 1) + number_field(2, hand_number) + signed_list(3, scores)


def _place(seen: SeenPlace) -> bytes:
    if len(seen.faces or seen.backs) > _MOST_FACES:
        return _written_place(seen)
    return _kept_place(seen)


def _written_place(seen: SeenPlace) -> bytes:
    message = _where(seen.place)
    message.size = seen.size
    message.hidden = seen.faces is None
    message.faces.extend(face + 1 for face in seen.faces or ())
    message.backs.extend(pb.RecycleBack(name=name, cards=cards) for name, cards in seen.backs)
    return sized(_PLACES, message.SerializeToString())


_kept_place = lru_cache(_MOST_KEPT)(_written_place)


@lru_cache(_MOST_KEPT)
def _number(owner: int, name: str, value: int) -> bytes:
    stored = signed_number(1, owner) + text_field(2, name) + signed_number(3, value)
    return sized(_NUMBERS, stored)


@lru_cache(_MOST_KEPT)
def _text(owner: int, name: str, value: str) -> bytes:
    return sized(_TEXTS, signed_number(1, owner) + text_field(2, name) + text_field(3, value))


def _points(owner: int, name: str, awards: PointsMap) -> bytes:
    if len(awards) > _MOST_AWARDS:
        return _written_points(owner, name, awards)
    return _kept_points(owner, name, awards)


def _written_points(owner: int, name: str, awards: PointsMap) -> bytes:
    message = pb.RecyclePoints(owner=owner, name=name, awards=_awards(awards))
    return sized(_POINTS, message.SerializeToString())


_kept_points = lru_cache(4096)(_written_points)


@lru_cache(4096)
def _flow(flow: tuple[int, ...]) -> bytes:
    return signed_list(8, flow)


def _moves(options: Iterable[Option]) -> Iterable[bytes]:
    moves = list(map(_move, options))
    if sum(map(len, moves)) <= MOST_STEP_BYTES:
        return moves
    return [_move_without_steps(option.text) for option in options]


def _move(option: Option) -> bytes:
    return _written_move(option) if _is_large(option) else _kept_move(option)


def _is_large(option: Option) -> bool:
    if len(option.text) > _MOST_LETTERS or len(option.steps) > _MOST_STEPS:
        return True
    for step in option.steps:
        if isinstance(step.value, tuple) and len(step.value) > _MOST_AWARDS:
            return True
    return False


def _written_move(option: Option) -> bytes:
    message = pb.RecycleMove(text=option.text, steps=map(_step, option.steps))
    return sized(_LEGAL, message.SerializeToString())


_kept_move = lru_cache(_MOST_KEPT)(_written_move)


def _move_without_steps(text: str) -> bytes:
    return sized(_LEGAL, text_field(1, text))


def _step(step: Step) -> pb.RecycleStep:
    told: dict[str, Any] = {"verb": step.verb, "owner": step.owner, "name": step.name}
    if step.face is not None:
        told["face"] = step.face + 1
    if step.source:
        told["source"] = _where(step.source)
    if step.target:
        told["target"] = _where(step.target)
    return pb.RecycleStep(**told, **_value(step))


def _value(step: Step) -> Mapping[str, Any]:
    match step.value:
        case None:
            return {}
        case str(text):
            return {"text": text}
        case int(face) if step.verb == "swap":
            return {"other_face": face + 1}
        case int(number):
            return {"number": number}
        case awards:
            return {"points": pb.RecyclePoints(awards=_awards(awards))}


def _where(place: Place) -> pb.RecyclePlace:
    return pb.RecyclePlace(owner=place.owner, kind=place.kind, name=place.name, index=place.index)


def _awards(awards: PointsMap) -> list[pb.RecycleAward]:
    return [
        pb.RecycleAward(attributes=_attributes(award.attributes), points=award.points)
        for award in awards
    ]


def _attributes(pairs: Iterable[tuple[str, str]]) -> list[pb.RecycleAttribute]:
    return [pb.RecycleAttribute(key=key, value=value) for key, value in pairs]


def rules_message(name: str, program: Program, hands: int, seat: int) -> pb.RecycleRules:
    """Return the game as the bot in a seat is told it."""
    cards = [0] * len(program.faces)
    for face in program.cards:
        cards[face] += 1
    return pb.RecycleRules(
        name=name,
        program=program.text,
        numbering=program.numbering,
        hands=hands,
        players=program.players,
        sides=[side + 1 for side in program.sides],
        seat=seat + 1,
        lowest_wins=program.lowest_wins,
        faces=map(_face, program.faces, cards),
    )


def _face(face: Face, cards: int) -> pb.RecycleFace:
    attributes = _attributes(face.attributes)
    return pb.RecycleFace(name=face.name, attributes=attributes, back=face.back, cards=cards)
