"""The record of a match: one JSON object, from which it can be replayed exactly.

`docs/records.md` describes the format. Reading one checks its shape; `replay` plays it by the rules
and refuses it at the first thing that cannot have happened.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Final, NamedTuple, TypeVar

from referee.engine.cards import Action, Card, Seat, Side
from referee.engine.dealing import duel_key, seed_from_text
from referee.engine.game import Game, HandResult, State
from referee.engine.match import Match
from referee.engine.registry import kind
from referee.errors import ConfigError, GameError, IllegalAction, RecordError

_Text = TypeVar("_Text", bound=str)

SCHEMA: Final = 1
"""Raised when an older program could misread a new record."""


class SeededDeal(NamedTuple):
    """Decks that follow from a seed (`referee.engine.dealing`)."""

    seed: bytes
    duel: str


Deck = tuple[Card, ...]
Dealt = SeededDeal | tuple[Deck, ...]
"""Where the decks of a match come from: a seed, or the decks themselves."""


class HandRecord(NamedTuple):
    """One hand as it was played."""

    dealer: Seat
    actions: tuple[tuple[Seat, Action], ...]
    result: HandResult


class Forfeit(NamedTuple):
    """A match given up by a fault of one seat."""

    seat: Seat
    actions: tuple[tuple[Seat, Action], ...]
    """What was played of the hand that nobody finished."""


class MatchRecord(NamedTuple):
    """One match as it was played."""

    game: Game
    first_dealer: Seat
    dealt: Dealt
    hands: tuple[HandRecord, ...]
    score: tuple[int, ...]
    forfeit: Forfeit | None = None

    @property
    def places(self) -> tuple[int, ...]:
        """The place of each side, from 0: by points, and the side that forfeited after all others.

        Sides with equal points share a place.
        """
        last = self.game.sides[self.forfeit.seat] if self.forfeit else None
        standing = [(side != last, points) for side, points in enumerate(self.score)]
        return tuple(sum(other > own for other in standing) for own in standing)

    @property
    def winner(self) -> Side | None:
        """The side in the first place; None if several share it."""
        places = self.places
        return places.index(0) if places.count(0) == 1 else None

    def deck(self, hand: int) -> Deck:
        """Return the deck of a hand."""
        return _decks(self.game, self.dealt)(hand)


class ReplayedHand(NamedTuple):
    """A hand of a record, played again."""

    match: Match
    """Where the match stood before it."""
    first: State
    """Just dealt."""
    last: State
    """Over."""


class MatchPosition(NamedTuple):
    """Where a match stood before one of its actions."""

    actions: int
    """How many actions of the match were played before it."""
    match: Match
    state: State
    """The hand in play; it goes on being played, so it is read at once or copied."""


class Scoresheet:
    """A match while it is played, and its record so far."""

    __slots__ = ("_actions", "_dealt", "_deck_of", "_first_dealer", "_hands", "match", "state")

    match: Match
    """Where it stood before the hand in play, or at the end."""
    state: State
    """The hand in play; nobody is to act there once the match is over."""

    def __init__(self, game: Game, first_dealer: Seat, dealt: Dealt) -> None:
        """Deal the first hand."""
        self._first_dealer = first_dealer
        self._dealt = dealt
        self._deck_of = _decks(game, dealt)
        self._hands: list[HandRecord] = []
        self._actions: list[tuple[Seat, Action]] = []
        self.match = match = Match.start(game, first_dealer)
        self.state = match.deal(self._deck_of(0))

    def play(self, action: Action) -> State:
        """Play a legal action; after the last one of a hand, deal the next."""
        seat = self.state.actor
        assert seat is not None
        self.state = state = self.state.play(action)
        self._actions.append((seat, action))
        if state.result is None:
            return state
        self._hands.append(HandRecord(self.match.dealer, tuple(self._actions), state.result))
        self._actions = []
        self.match = match = self.match.after(state.result)
        if not match.over:
            self.state = match.deal(self._deck_of(match.hand))
        return self.state

    @property
    def actions(self) -> int:
        """How many actions of the match were played."""
        return sum(len(hand.actions) for hand in self._hands) + len(self._actions)

    def positions(self) -> Iterator[MatchPosition]:
        """Yield each position in which an action was played, from the first, by playing again."""
        sheet = Scoresheet(self.match.game, self._first_dealer, self._dealt)
        hands = [*(hand.actions for hand in self._hands), tuple(self._actions)]
        for number, (_, action) in enumerate(chain(*hands)):
            yield MatchPosition(number, sheet.match, sheet.state)
            sheet.play(action)

    def record(self, forfeited_by: Seat | None = None) -> MatchRecord:
        """Return the record of the match, played out or forfeited."""
        return MatchRecord(
            self.match.game,
            self._first_dealer,
            self._dealt,
            tuple(self._hands),
            self.match.score,
            None if forfeited_by is None else Forfeit(forfeited_by, tuple(self._actions)),
        )


def play_match(
    game: Game, first_dealer: Seat, dealt: Dealt, choose: Callable[[State], Action]
) -> MatchRecord:
    """Play a match, asking `choose` for every action, and return its record."""
    sheet = Scoresheet(game, first_dealer, dealt)
    while sheet.state.actor is not None:
        sheet.play(choose(sheet.state))
    return sheet.record()


def _decks(game: Game, dealt: Dealt) -> Callable[[int], Deck]:
    return game.decks(*dealt) if isinstance(dealt, SeededDeal) else dealt.__getitem__


def replay(record: MatchRecord) -> Iterator[ReplayedHand]:
    """Play a record again by the rules, hand by hand; refuse what cannot have happened."""
    match = Match.start(record.game, record.first_dealer)
    tokens = record.game.seats
    for number, hand in enumerate(record.hands):
        if match.over:
            raise RecordError(f"hands[{number}]", "the match was over before this hand")
        if hand.dealer != match.dealer:
            reason = f"is {tokens[hand.dealer]}, but {tokens[match.dealer]} deals this hand"
            raise RecordError(f"hands[{number}].dealer", reason)
        first = _deal_again(match, record)
        last = _play_again(first, tokens, hand, f"hands[{number}]")
        yield ReplayedHand(match, first, last)
        match = match.after(hand.result)
    dealt = match.hand
    if record.forfeit:
        if match.over:
            raise RecordError("forfeit", f"the match was over at {match.score}")
        _play_unfinished(_deal_again(match, record), tokens, record.forfeit)
        dealt += 1
    elif not match.over:
        raise RecordError("hands", f"the match is not over at {match.score}")
    if match.score != record.score:
        raise RecordError("score", f"is {record.score}, but the hands give {match.score}")
    if not isinstance(record.dealt, SeededDeal) and len(record.dealt) > dealt:
        reason = f"holds {len(record.dealt)} decks for {dealt} hands"
        raise RecordError("deal.decks", reason)


def _deal_again(match: Match, record: MatchRecord) -> State:
    try:
        return match.deal(record.deck(match.hand))
    except IndexError:
        raise RecordError(f"deal.decks[{match.hand}]", "this hand has no deck") from None
    except (ConfigError, GameError) as error:
        raise RecordError(f"deal.decks[{match.hand}]", str(error)) from None


def _play_again(first: State, tokens: Sequence[str], hand: HandRecord, field: str) -> State:
    state = _play_actions(first, tokens, hand.actions, field)
    if state.result is None:
        raise RecordError(f"{field}.actions", "the hand is not played out")
    for name, recorded, played in zip(HandResult._fields, hand.result, state.result, strict=True):
        if recorded != played:
            reason = f"is {str(recorded)[:80]}, but the play gives {played}"
            raise RecordError(f"{field}.{name}", reason)
    return state


def _play_unfinished(first: State, tokens: Sequence[str], forfeit: Forfeit) -> None:
    if _play_actions(first, tokens, forfeit.actions, "forfeit").result is not None:
        raise RecordError("forfeit.actions", "the hand is played out, and so belongs to `hands`")


def _play_actions(
    first: State, tokens: Sequence[str], actions: Sequence[tuple[Seat, Action]], field: str
) -> State:
    state = first.copy()
    for number, (seat, action) in enumerate(actions):
        here = f"{field}.actions[{number}]"
        if state.actor is None:
            raise RecordError(here, "the hand was over before this action")
        if seat != state.actor:
            reason = f"it is {tokens[state.actor]} who acts, not {tokens[seat]}"
            raise RecordError(here, reason)
        try:
            state = state.play(action)
        except (IllegalAction, GameError) as error:
            raise RecordError(here, str(error)) from None
    return state


def to_json(record: MatchRecord) -> str:
    """Write a record as one line of JSON."""
    return json.dumps(_form(record), separators=(",", ":"))


def without_deal(record: MatchRecord) -> dict[str, object]:
    """Return what is written of a record without where its decks come from."""
    form = _form(record)
    del form["deal"]
    return form


def _form(record: MatchRecord) -> dict[str, object]:
    dealt, played = record.dealt, without_game(record)
    return {
        "schema": SCHEMA,
        "game": record.game.name,
        "rules": record.game.rules._asdict(),
        "first_dealer": played.pop("first_dealer"),
        "deal": {"seed": dealt.seed.hex(), "duel": dealt.duel}
        if isinstance(dealt, SeededDeal)
        else {"decks": dealt},
        **played,
    }


def without_game(record: MatchRecord) -> dict[str, object]:
    """Return what is written of a record without its game and where its decks come from."""
    forfeit, tokens = record.forfeit, record.game.seats
    form: dict[str, object] = {
        "first_dealer": tokens[record.first_dealer],
        "hands": [
            {
                "dealer": tokens[hand.dealer],
                "actions": _with_seats(hand.actions, tokens),
                **hand.result._asdict(),
            }
            for hand in record.hands
        ],
        "score": record.score,
    }
    if forfeit:
        actions = _with_seats(forfeit.actions, tokens)
        form["forfeit"] = {"seat": tokens[forfeit.seat], "actions": actions}
    return form


def _with_seats(
    actions: Sequence[tuple[Seat, Action]], tokens: Sequence[str]
) -> list[tuple[str, Action]]:
    return [(tokens[seat], action) for seat, action in actions]


def from_json(text: str) -> MatchRecord:
    """Read a record; its shape is checked, its play is not (see `replay`)."""
    try:
        read = json.loads(text, object_pairs_hook=each_once)
    except json.JSONDecodeError as error:
        raise RecordError("", f"this is not JSON: {error.msg} at place {error.pos}") from None
    except (ValueError, RecursionError):
        reason = "this is not JSON of a record: it is too deep, or has too long a number"
        raise RecordError("", reason) from None
    schema = _whole(_object(read, "").get("schema"), "schema")
    if schema > SCHEMA:
        reason = f"is {schema}, newer than this program reads ({SCHEMA}); update upcard"
        raise RecordError("schema", reason)
    if schema < 1:
        raise RecordError("schema", f"is {schema}; schemas begin at 1")
    names = ("schema", "game", "rules", "first_dealer", "deal", "hands", "score")
    _, name, rules, first_dealer, deal, *played = _fields(read, "", _with_forfeit(read, names))
    game = _game(name, rules)
    seat = _first_dealer(first_dealer, game)
    return _record(game, seat, _dealt(deal), played)


def with_game(read: object, game: Game, dealt: Dealt) -> MatchRecord:
    """Read a record that was written without its game; `without_game` is the other way about.

    Raises:
        RecordError: it is none of this game.
    """
    names = ("first_dealer", "hands", "score")
    first_dealer, *played = _fields(read, "", _with_forfeit(read, names))
    return _record(game, _first_dealer(first_dealer, game), dealt, played)


def _with_forfeit(read: object, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the fields of a record; only a match that was forfeited says so."""
    return names if _object(read, "").get("forfeit") is None else (*names, "forfeit")


def _record(game: Game, first_dealer: Seat, dealt: Dealt, played: Sequence[object]) -> MatchRecord:
    hands, score, *forfeit = played
    return MatchRecord(
        game,
        first_dealer,
        dealt,
        tuple(_hand(hand, f"hands[{n}]", game) for n, hand in enumerate(_list(hands, "hands"))),
        _of_sides(score, "score", game),
        _forfeit(forfeit[0], game) if forfeit else None,
    )


def each_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Make an object of JSON, which would let a later field hide an earlier one of its name."""
    made = dict(pairs)
    if len(made) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        twice = next(name for name, count in counts.items() if count > 1)
        raise RecordError(twice[:80], "is given twice")
    return made


def _game(name: object, rules: object) -> Game:
    try:
        game = kind(_text(name, "game"))
    except ConfigError as error:
        raise RecordError("game", str(error)) from None
    chosen = _object(rules, "rules")
    for option in game.options:
        if type(chosen.get(option.name)) is not type(option.default):
            reason = f"is missing or not {option.allowed}, as JSON has it"
            raise RecordError(f"rules.{option.name}", reason)
    try:
        return game.with_rules(chosen)
    except ConfigError as error:
        raise RecordError("rules", str(error)) from None


def _dealt(read: object) -> Dealt:
    if "decks" in _object(read, "deal"):
        (given,) = _fields(read, "deal", ("decks",))
        found = enumerate(_list(given, "deal.decks"))
        return tuple(_texts(deck, f"deal.decks[{n}]", Card) for n, deck in found)
    seed, duel = _fields(read, "deal", ("seed", "duel"))
    try:
        found_seed = seed_from_text(_text(seed, "deal.seed"))
    except ConfigError as error:
        raise RecordError("deal.seed", str(error)) from None
    try:
        return SeededDeal(found_seed, duel_key(_text(duel, "deal.duel")))
    except ConfigError as error:
        raise RecordError("deal.duel", str(error)) from None


def _hand(read: object, field: str, game: Game) -> HandRecord:
    dealer, actions, points, tricks, notes = _fields(
        read, field, ("dealer", "actions", *HandResult._fields)
    )
    return HandRecord(
        _seat(dealer, f"{field}.dealer", game),
        _actions(actions, f"{field}.actions", game),
        HandResult(
            _of_sides(points, f"{field}.points", game),
            _tricks(tricks, f"{field}.tricks", game),
            _texts(notes, f"{field}.notes", str),
        ),
    )


def _forfeit(read: object, game: Game) -> Forfeit:
    seat, actions = _fields(read, "forfeit", Forfeit._fields)
    return Forfeit(_seat(seat, "forfeit.seat", game), _actions(actions, "forfeit.actions", game))


def _actions(read: object, field: str, game: Game) -> tuple[tuple[Seat, Action], ...]:
    return tuple(_action(one, f"{field}[{n}]", game) for n, one in enumerate(_list(read, field)))


def _action(read: object, field: str, game: Game) -> tuple[Seat, Action]:
    match read:
        case [seat, action]:
            return _seat(seat, field, game), Action(_text(action, field))
    raise RecordError(field, 'must be a seat and an action, as in ["N", "pass"]')


def _seat(read: object, field: str, game: Game) -> Seat:
    if read not in game.seats:
        raise RecordError(field, f"must be one of {', '.join(game.seats)}, not {str(read)[:80]!r}")
    return game.seats.index(str(read))


def _first_dealer(read: object, game: Game) -> Seat:
    seat = _seat(read, "first_dealer", game)
    if seat not in game.dealers:
        raise RecordError("first_dealer", f"is {read}, who never deals first in this game")
    return seat


def _of_sides(read: object, field: str, game: Game) -> tuple[int, ...]:
    found = _list(read, field)
    if len(found) != len(game.side_names):
        reason = f"must have a whole number for each side: {', '.join(game.side_names)}"
        raise RecordError(field, reason)
    return tuple(_whole(one, field) for one in found)


def _tricks(read: object, field: str, game: Game) -> tuple[int, ...]:
    if "tricks" in game.counted:
        return _of_sides(read, field, game)
    if read != []:
        raise RecordError(field, "must be an empty list: this game is not played in tricks")
    return ()


def _whole(read: object, field: str) -> int:
    if not isinstance(read, int) or isinstance(read, bool):
        raise RecordError(field, "is missing or not a whole number")
    return read


def _text(read: object, field: str) -> str:
    if not isinstance(read, str):
        raise RecordError(field, "must be text")
    return read


def _texts(read: object, field: str, as_type: Callable[[str], _Text]) -> tuple[_Text, ...]:
    return tuple(as_type(_text(one, field)) for one in _list(read, field))


def _list(read: object, field: str) -> list[object]:
    if not isinstance(read, list):
        raise RecordError(field, "must be a list")
    return read


def _object(read: object, field: str) -> dict[str, object]:
    if not isinstance(read, dict):
        raise RecordError(field, "must be a JSON object")
    return read


def _fields(read: object, field: str, names: Sequence[str]) -> list[object]:
    """Return the fields of an object that must have exactly these."""
    found = _object(read, field)
    inside = f"{field}." if field else ""
    for name in names:
        if name not in found:
            raise RecordError(f"{inside}{name}", "is missing")
    for name in found:
        if name not in names:
            raise RecordError(f"{inside}{name[:80]}", f"is unknown; known are {', '.join(names)}")
    return [found[name] for name in names]
