"""Says what an option does: its steps and its text, naming no card that the actor does not see."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import itemgetter
from typing import Final

from upcard.recycle import bounds, moves
from upcard.recycle.charts import Chart
from upcard.recycle.state import State
from upcard.recycle.trials import Act, Acts
from upcard.recycle.values import Face, Key, Option, Owner, Place, PointsMap, Step

BOTTOM: Final = "bottom"
"""What a step calls the index 0."""
_TEXT: Final = itemgetter(1)
"""Returns the text of an option."""
_FEW: Final = bounds.OPTION_TEXTS // bounds.OPTION_TEXT
"""So few options are not too long to be told."""
_AND: Final = "; "
"""What is written between two steps."""
_LONGEST_END: Final = len(f"; and {bounds.WORK} more #{bounds.OPTIONS}")
_REMEMBERED: Final = 1024 * 1024
"""Characters of the options that are remembered."""
_ACT: Final = 8
"""As so many characters an action counts that is remembered; and each score of a points map."""


class LongText(Exception):
    """The texts of a decision's options are longer than `bounds.OPTION_TEXTS`."""


class Describer:
    """Describes the options of one program."""

    def __init__(
        self, players: int, faces: Sequence[Face], cards: Sequence[int], places: Iterable[Place]
    ) -> None:
        """Take the faces, the face of each card, and the places that the program names."""
        self._faces: Final = faces
        self._cards: Final = cards
        kinds: dict[str, set[str]] = {}
        for place in places:
            kinds.setdefault(place.name, set()).add(place.kind)
        self._ambiguous: Final = frozenset(name for name, found in kinds.items() if len(found) > 1)
        """The names of places that do not tell their kind."""
        self._described: Final[tuple[dict[Acts, Option], ...]] = tuple({} for _ in range(players))
        """What each player is told of what he may do, as far as it is remembered."""
        self._remembered = 0
        """Characters of that, and as how many the actions count."""
        self._verbs: Final[dict[Callable[..., None], Callable[..., Step]]] = {
            moves.move: self._move,
            moves.remember: self._remember,
            moves.forget: self._forget,
            moves.swap_cards: self._swap_cards,
            moves.swap_places: self._swap_places,
            moves.shuffle: self._shuffle,
            moves.set_count: self._set_count,
            moves.add_count: self._add_count,
            moves.take_count: self._take_count,
            moves.set_word: self._set_word,
            moves.set_chart: self._set_chart,
            moves.update_chart: self._update_chart,
            moves.queue: self._queue,
            moves.act_now: self._act_now,
            moves.pass_turn: self._pass_turn,
        }

    def options(self, state: State, listed: Sequence[Acts]) -> tuple[Option, ...]:
        """Return the options of a decision, no two of the same text.

        Raises:
            LongText: there is too much to be said.
        """
        if state.place_slots is state.tables.places:
            if self._remembered > _REMEMBERED:
                self._forget_all()
            known = self._described[state.to_act]
        else:  # what the slots of this position mean is not to be remembered
            known = {}
        try:
            found = [known[acts] for acts in listed]
        except KeyError:
            found = self._describe_all(state, known, listed)
        if len(found) > _FEW and sum(map(len, map(_TEXT, found))) > bounds.OPTION_TEXTS:
            raise LongText
        if len(found) > 1 and len(set(map(_TEXT, found))) < len(found):
            found = list(_numbered(found))
        return tuple(found)

    def _forget_all(self) -> None:
        """Remember no option any more."""
        self._remembered = 0
        for each in self._described:
            each.clear()

    def _describe_all(
        self, state: State, known: dict[Acts, Option], listed: Iterable[Acts]
    ) -> list[Option]:
        """Return options of which some are not remembered yet."""
        found, left = list[Option](), bounds.OPTION_TEXTS
        for acts in listed:
            option = known.get(acts) or self._describe(state, known, acts)
            found.append(option)
            left -= len(option.text)
            if left < 0:
                raise LongText
        return found

    def _describe(self, state: State, known: dict[Acts, Option], acts: Acts) -> Option:
        """Return one option, and remember it."""
        steps = tuple(
            self._verbs[function](state, known, *arguments)
            for function, arguments, known in acts[1:]
            if known is not None
        )
        text = self._words(steps, state.to_act + 1) or "see what happens"
        self._remembered += len(text) + sum(map(_size, acts[1:]))
        option = known[acts] = Option(steps, text)
        return option

    def _words(self, steps: Sequence[Step], actor: int) -> str:
        """Return steps in words, as far as they are not too many to be told."""
        told, left = list[str](), bounds.OPTION_TEXT - _LONGEST_END
        for step in steps:
            text = self._text(step, actor)
            left -= len(text) + len(_AND)
            if left < 0:
                return _AND.join((*told, f"and {len(steps) - len(told)} more"))
            told.append(text)
        return _AND.join(told)

    def _face(self, card: int, place: int) -> int | None:
        """Return the face of a card, unless the actor does not see it."""
        return self._cards[card] if place >= 0 else None

    def _move(self, state: State, known: int, _: int, card: int, target: int, index: int) -> Step:
        places = state.place_slots.keys
        source = places[max(known, ~known)]
        end = None if index == moves.ON_TOP else index or BOTTOM
        return Step("move", self._face(card, known), source, places[target], value=end)

    def _remember(self, state: State, known: int, *arguments: int) -> Step:
        return self._move(state, known, *arguments)._replace(verb="remember")

    def _forget(self, state: State, _: bool, __: int, card: int, memory: int) -> Step:
        return Step("forget", self._cards[card], state.place_slots.keys[memory])

    def _swap_cards(self, state: State, known: tuple[int, int], _: int, *cards: int) -> Step:
        one, other = (self._face(card, place) for card, place in zip(cards, known, strict=True))
        here, there = (state.place_slots.keys[max(place, ~place)] for place in known)
        return Step("swap", one, here, there, value=other)

    def _swap_places(self, state: State, _: bool, __: int, one: int, other: int) -> Step:
        return Step("exchange", None, state.place_slots.keys[one], state.place_slots.keys[other])

    def _shuffle(self, state: State, _: bool, __: int, place: int) -> Step:
        return Step("shuffle", source=state.place_slots.keys[place])

    def _set_count(self, state: State, known: bool, slot: int, number: int) -> Step:
        return _stored("set", state.count_slots.keys[slot], number if known else None)

    def _add_count(self, state: State, known: bool, _: int, slot: int, number: int) -> Step:
        return _stored("inc", state.count_slots.keys[slot], number if known else None)

    def _take_count(self, state: State, known: bool, _: int, slot: int, number: int) -> Step:
        return _stored("dec", state.count_slots.keys[slot], number if known else None)

    def _set_word(self, state: State, known: bool, slot: int, word: str) -> Step:
        return _stored("set", state.word_slots.keys[slot], word if known else None)

    def _set_chart(self, state: State, known: bool, slot: int, chart: Chart) -> Step:
        return _stored("set", state.chart_slots.keys[slot], chart.awards if known else None)

    def _update_chart(
        self, state: State, known: bool, _: int, slot: int, awards: PointsMap
    ) -> Step:
        return _stored("update", state.chart_slots.keys[slot], awards if known else None)

    def _queue(self, _: State, known: bool, player: int) -> Step:
        return Step("next", owner=player + 1 if known else None)

    def _act_now(self, _: State, known: bool, player: int) -> Step:
        return Step("current", owner=player + 1 if known else None)

    def _pass_turn(self, _: State, __: bool) -> Step:
        return Step("pass")

    def _text(self, step: Step, actor: int) -> str:
        """Return a step in words; what is the actor's own is named without its owner."""
        what = ""
        if step.source is not None:
            what = self._text_of_cards(step, actor)
        elif step.name is not None:
            what = f"{_whose(step.owner or 0, actor)}{step.name} {_value(step.value)}"
        elif step.verb != "pass":
            what = "at random" if step.owner is None else f"player {step.owner}"
        return f"{step.verb} {what}".rstrip()

    def _text_of_cards(self, step: Step, actor: int) -> str:
        """Return what is done to cards."""
        source, target = self._place(step.source, actor), self._place(step.target, actor)
        if step.verb not in {"shuffle", "exchange"}:
            source = f"{self._card(step.face)} {source}"
        if step.verb == "swap":
            target = f"{self._card(step.value)} {target}"
        if step.verb in {"swap", "exchange"}:
            return f"{source} with {target}"
        return f"{source} > {target}{_end(step.value)}" if target else source

    def _card(self, face: object) -> str:
        """Return what a card is called."""
        return self._faces[face].name if isinstance(face, int) else "a card"

    def _place(self, place: Place | None, actor: int) -> str:
        """Return what a place is called."""
        if place is None:
            return ""
        kind = f"{place.kind} " if place.name in self._ambiguous else ""
        index = f"[{place.index}]" if place.index else ""
        return f"{_whose(place.owner, actor)}{kind}{place.name}{index}"


def _numbered(options: Iterable[Option]) -> Iterator[Option]:
    """Yield options, those of a text that was there before with a number behind."""
    counted = Counter[str]()
    for steps, text in options:
        counted[text] += 1
        yield Option(steps, f"{text} #{counted[text]}" if counted[text] > 1 else text)


def _stored(verb: str, key: Key, value: int | str | PointsMap | None) -> Step:
    """Return the step that stores something."""
    return Step(verb, owner=key[0], name=key[1], value=value)


def _whose(owner: Owner, actor: int) -> str:
    """Return whose something is, with a blank behind; the actor's own needs no words."""
    if owner == actor:
        return ""
    if owner == 0:
        return "the table's "
    return f"player {owner}'s " if owner > 0 else f"team {-owner}'s "


def _end(index: int | str | PointsMap | None) -> str:
    """Return where in a place a card is put, with a blank before; on top needs no words."""
    if index is None:
        return ""
    return " at the bottom" if index == BOTTOM else f" at {index}"


def _value(value: int | str | PointsMap | None) -> str:
    """Return what is stored."""
    if value is None:
        return "at random"
    if isinstance(value, tuple):
        return f"{len(value)} awards"
    return str(value) or "nothing"


def _size(act: Act) -> int:
    """Return as how many characters an action counts that is remembered."""
    function, arguments, _ = act
    if function is moves.set_chart:
        return _ACT * len(arguments[1].scores)
    return _ACT
