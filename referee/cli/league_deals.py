"""`upcard league open`, `reveal`, `beacon` and `deal`: what is promised of the deals, and kept."""

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from errno import ENAMETOOLONG
from pathlib import Path
from typing import Annotated, Final

import typer

from referee.cli import arguments
from referee.cli.called import command
from referee.cli.duel_options import AcceptWeak, Unsafe
from referee.cli.league_entrants import Entrant, Name, found_entrant
from referee.cli.output import print_json
from referee.cli.store_options import Db
from referee.engine.dealing import seed_from_text
from referee.errors import ConfigError, FileError
from referee.league.epochs import open_league, required, waits_for
from referee.league.shards import deal_league
from referee.store.database import Store
from referee.store.epochs import OpeningChoices, bring, reveal
from referee.store.leagues import league
from referee.store.opening import DEFAULT, open_store
from referee.store.statement import Promise, promise
from referee.text import plain

_LONGEST: Final = 1 << 16
_UNCHECKED: Final = (
    "taken on your word, and every table says so, since py_ecc is missing: install the extra "
    "'beacon' before, and it is checked"
)

DealSeed = Annotated[
    str | None,
    typer.Option(
        metavar="HEX",
        help="Deal from this seed instead of one that nobody knows; every table says so.",
    ),
]
Beacon = Annotated[
    str | None,
    typer.Option(
        metavar="ROUND",
        help="Mix in the randomness that a public beacon gives out later: NETWORK:ROUND or "
        "NETWORK:in=TIME, of quicknet or default, as in quicknet:in=2h.",
    ),
]
Nonces = Annotated[
    list[str] | None,
    typer.Option(
        "--nonce",
        metavar="BOT=TEXT",
        help="Mix in a text that this bot's author chose; as you know it, it rules nothing out. "
        "May be repeated.",
    ),
]
NonceHashes = Annotated[
    list[str] | None,
    typer.Option(
        "--nonce-hash",
        metavar="BOT=HEX",
        help="The hash of such a text, to be revealed by 'upcard league reveal' once the opening "
        "statement is out; may be repeated.",
    ),
]


def promises(nonces: Iterable[str], hashes: Iterable[str]) -> dict[str, Promise]:
    """Read ``BOT=TEXT`` and ``BOT=HEX`` texts.

    Raises:
        ConfigError: one is no such text, or a bot has two.
    """
    read: dict[str, Promise] = {}
    brought = [*((text, True) for text in nonces), *((text, False) for text in hashes)]
    for text, is_nonce in brought:
        bot, equals, value = text.partition("=")
        if not equals:
            raise ConfigError(f"a nonce is brought as BOT=TEXT, its hash as BOT=HEX; not {text!r}")
        if bot in read:
            raise ConfigError(f"two nonces are brought for {bot!r}; choose one")
        read[bot] = promise(value) if is_nonce else promise(hashed=value)
    return read


def open_epoch(
    name: Name,
    beacon: Beacon = None,
    accept_weak: AcceptWeak = None,
    unsafe_no_sandbox: Unsafe = False,
    json: arguments.AsJson = False,
    db: Db = DEFAULT,
) -> None:
    """Publish the opening statement: all that is promised before the first duel.

    A league in which nobody else takes part in the deals needs none of this: its first run does
    it by itself.
    """
    wanted = required(accept_weak or (), sandboxed=not unsafe_no_sandbox)
    with open_store(db) as store:
        opened = open_league(store, name, wanted, beacon, datetime.now(UTC))
        waiting = waits_for(league(store, name))
    assert opened.statement
    if json:
        print_json({"digest": opened.digest, "statement": _parsed(opened.statement)})
        return
    print(plain(opened.statement))
    print(f"its digest: {opened.digest}")
    print("publish both where everybody can see when that was, before anything else happens")
    for each in waiting:
        print(each)
    if not waiting:
        print(f"run it: {command('league', 'run', name)}")


def _parsed(statement: str) -> object:
    return json.loads(statement)


def reveal_nonce(
    name: Name,
    entrant: Entrant,
    nonce: Annotated[str, typer.Argument(help="The text whose hash was brought.")],
    db: Db = DEFAULT,
) -> None:
    """Reveal the nonce of an entrant, whose hash is in the opening statement."""
    with open_store(db) as store:
        found, number, called = found_entrant(store, name, entrant)
        reveal(store, found, number, nonce, datetime.now(UTC))
        _print_next(store, name, f"the nonce of {called} is revealed")


def bring_round(
    name: Name,
    signature: Annotated[
        str,
        typer.Argument(
            metavar="FILE|SIGNATURE",
            help="The JSON that drand serves of the round, or the signature in hexadecimal.",
        ),
    ],
    db: Db = DEFAULT,
) -> None:
    """Bring what came out of the round that the opening statement names; it is checked offline."""
    with open_store(db) as store:
        brought = bring(store, league(store, name), _text(signature), datetime.now(UTC))
        word = "checked" if brought.checked else _UNCHECKED
        _print_next(store, name, f"{brought.beacon}: {word}")


def deal_epoch(
    name: Name,
    seed: DealSeed = None,
    accept_weak: AcceptWeak = None,
    unsafe_no_sandbox: Unsafe = False,
    db: Db = DEFAULT,
) -> None:
    """Draw the deals without playing, as the first run would; shards are played from them.

    Nothing is tried here: where they are played, the sandbox has to guarantee what is promised.
    """
    wanted = required(accept_weak or (), sandboxed=not unsafe_no_sandbox)
    chosen = None if seed is None else seed_from_text(seed)
    with open_store(db) as store:
        dealt = deal_league(store, name, OpeningChoices(wanted, chosen))
    for epoch in dealt.epochs:
        statement = epoch.opening and f"opening statement {epoch.opening.digest}"
        print(f"epoch {epoch.number}: {statement or f'commitment {epoch.commitment}'}")
    print(f"play it: {command('league', 'run', name)}")
    print(f"or in parts: {command('league', 'play', name, '--shard', '1/10', '--out', 'FILE')}")


def _text(signature: str) -> str:
    """Return the text of a file of that name, or the text itself if there is none."""
    path = Path(signature)
    try:
        with path.open("rb") as file:
            return file.read(_LONGEST).decode(errors="replace")
    except (FileNotFoundError, ValueError):
        return signature
    except OSError as error:
        if error.errno == ENAMETOOLONG:
            return signature
        raise FileError(f"cannot read {path}: {error.strerror}") from None


def _print_next(store: Store, name: str, done: str) -> None:
    waiting = waits_for(league(store, name))
    print(f"{done}; {waiting[0] if waiting else command('league', 'run', name)}")
