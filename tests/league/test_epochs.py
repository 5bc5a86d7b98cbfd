"""What has to happen before an epoch is dealt, and what it is dealt from then."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from referee.beacon import Round, choose_round
from referee.engine.dealing import commitment, mixed_seed, nonce_hash
from referee.errors import ConfigError
from referee.json_forms import GuaranteeForm
from referee.league.entries import add_entrant, start_league
from referee.league.epochs import deal, open_league, refuse_less, required, waits_for
from referee.sandbox.doctor import REQUIRED
from referee.store.bots import add_bot
from referee.store.database import Store
from referee.store.epochs import OpeningChoices, bring, reveal
from referee.store.leagues import begin_epoch, league, withdraw
from referee.store.leases import lease
from referee.store.log import entries
from referee.store.models import Isolation, League
from referee.store.opening import open_store
from referee.store.statement import Promise, deals_text, promise
from tests.store import scenes

SEED = bytes(range(32))
ROUND = Round("quicknet", 1000)
SIGNATURE = (
    "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b1957"
    "6350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39"
)
BEFORE = ROUND.due - timedelta(minutes=30)
NAMES = ["ada", "bert", "cleo", "dora"]
WANTED = required((), sandboxed=True)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Open a store with four bots."""
    files = scenes.bundle(tmp_path / "bundle")
    with open_store(str(tmp_path / "upcard.db"), create=True) as opened:
        for number, name in enumerate(NAMES, start=1):
            add_bot(opened, scenes.bot(number, name), files)
        yield opened


def cup(store: Store) -> League:
    return league(store, "cup")


def created(
    store: Store, beacon: Round | None = None, *, entrants: int = 2, **nonces: Promise
) -> League:
    plan, names = scenes.plan(), NAMES[:entrants]
    return start_league(store, "cup", plan, names, BEFORE, promises=nonces, beacon=beacon)


def opened(store: Store, beacon: str | None = None, now: datetime = BEFORE) -> None:
    open_league(store, "cup", WANTED, beacon, now)


def dealt(store: Store, seed: bytes | None = None) -> League:
    with lease(store, "cup") as own:
        return deal(own, cup(store), OpeningChoices(WANTED, seed), BEFORE)


def test_where_nobody_else_takes_part_the_secret_is_the_seed(store: Store) -> None:
    secret = created(store).pending
    (epoch,) = dealt(store).epochs
    assert secret
    assert (epoch.seed, epoch.seed_given) == (secret.secret, False)


def test_where_nothing_is_awaited_the_statement_is_published_as_it_is_dealt(store: Store) -> None:
    created(store, ada=promise("heads"))
    (epoch,) = dealt(store).epochs
    assert epoch.opening
    assert epoch.opening.statement
    assert epoch.seed == mixed_seed(epoch.secret, {1: "heads"})


def test_the_commitment_in_the_log_is_that_of_the_secret(store: Store) -> None:
    created(store, ada=promise("heads"))
    (epoch,) = dealt(store).epochs
    (entry,) = [entry for entry in entries(store, "cup") if entry.kind == "epoch"]
    assert entry.body["commitment"] == commitment(epoch.secret)


def test_a_chosen_seed_is_what_is_dealt_from(store: Store) -> None:
    created(store)
    (epoch,) = dealt(store, SEED).epochs
    assert (epoch.seed, epoch.secret, epoch.seed_given) == (SEED, SEED, True)


@pytest.mark.parametrize("brought", [promise("heads"), promise(hashed="0" * 64)])
def test_nobody_chooses_the_seed_where_authors_take_part(store: Store, brought: Promise) -> None:
    created(store, ada=brought)
    with pytest.raises(ConfigError, match=r"so nobody chooses the seed; leave out --seed$"):
        dealt(store, SEED)


def test_nobody_chooses_the_seed_where_a_beacon_takes_part(store: Store) -> None:
    created(store, ROUND)
    with pytest.raises(ConfigError, match=r"so nobody chooses the seed; leave out --seed$"):
        dealt(store, SEED)


def test_nobody_chooses_the_seed_after_the_statement(store: Store) -> None:
    created(store)
    opened(store)
    with pytest.raises(ConfigError, match=r"is published, with another secret; leave out --seed$"):
        dealt(store, SEED)


def test_a_seed_that_was_stated_is_still_given_after_a_kill(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    created(store)
    with monkeypatch.context() as killed:
        killed.setattr("referee.league.epochs.begin_epoch", _kill)
        with pytest.raises(KeyboardInterrupt):
            dealt(store, SEED)
    (epoch,) = dealt(store).epochs
    assert (epoch.seed, epoch.seed_given) == (SEED, True)


def _kill(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("beacon", "brought"), [(ROUND, promise()), (None, promise(hashed="0" * 64))]
)
def test_what_others_have_to_see_is_published_before_it_is_dealt(
    store: Store, beacon: Round | None, brought: Promise
) -> None:
    created(store, beacon, ada=brought)
    with pytest.raises(ConfigError, match=r"^before it is dealt, publish .*: upcard league open"):
        dealt(store)


def test_a_nonce_is_awaited_until_it_is_revealed(store: Store) -> None:
    created(store, ada=promise(hashed=nonce_hash("heads")), bert=promise("tails"))
    opened(store)
    with pytest.raises(ConfigError, match=r"^cup cannot be dealt yet: the nonce of ada is not"):
        dealt(store)
    reveal(store, cup(store), 1, "heads", BEFORE)
    found = dealt(store)
    assert found.epochs[0].seed == mixed_seed(found.epochs[0].secret, {1: "heads", 2: "tails"})
    assert deals_text(found) == "dealt with 1 author's nonce"


def test_who_withdraws_is_not_waited_for(store: Store) -> None:
    created(store, entrants=3, ada=promise(hashed=nonce_hash("heads")), bert=promise("tails"))
    opened(store)
    withdraw(store, "cup", 1, BEFORE)
    assert waits_for(cup(store)) == []
    (epoch,) = dealt(store).epochs
    assert epoch.seed == mixed_seed(epoch.secret, {2: "tails"})


def test_who_withdraws_takes_no_nonce_back(store: Store) -> None:
    created(store, entrants=3, ada=promise("heads"))
    opened(store)
    withdraw(store, "cup", 1, BEFORE)
    (epoch,) = dealt(store).epochs
    assert epoch.seed == mixed_seed(epoch.secret, {1: "heads"})


@pytest.mark.slow
def test_a_round_is_awaited_until_it_is_brought(store: Store) -> None:
    created(store, ROUND, ada=promise("heads"))
    opened(store)
    with pytest.raises(ConfigError, match=r"^cup cannot be dealt yet: it waits for quicknet round"):
        dealt(store)
    signed = bring(store, cup(store), SIGNATURE, BEFORE).signed
    found = dealt(store)
    assert signed
    (epoch,) = found.epochs
    assert epoch.seed == mixed_seed(epoch.secret, {1: "heads"}, signed.randomness)
    assert deals_text(found) == "dealt with public randomness (quicknet round 1000)"


def test_nonces_that_the_organiser_knew_leave_the_deals_to_her_alone(store: Store) -> None:
    created(store, ada=promise("heads"), bert=promise("tails"))
    assert deals_text(dealt(store)) == "dealt by the organiser alone"


def test_all_that_is_awaited_is_named(store: Store) -> None:
    created(store, ROUND, ada=promise(hashed="0" * 64), bert=promise(hashed="1" * 64))
    opened(store)
    assert waits_for(cup(store)) == [
        "the nonce of ada is not revealed; upcard league reveal cup ada NONCE, or withdraw it",
        "the nonce of bert is not revealed; upcard league reveal cup bert NONCE, or withdraw it",
        f"it waits for {ROUND}, due 2023-08-23 15:59:24 UTC; upcard league beacon cup FILE",
    ]


def test_of_two_of_one_name_it_is_said_whose_nonce_is_awaited(store: Store, tmp_path: Path) -> None:
    add_bot(store, scenes.bot(5, "ada", "2.0"), scenes.bundle(tmp_path / "second"))
    hashed = promise(hashed="0" * 64)
    names = ["ada@1.0", "ada@2.0"]
    start_league(store, "cup", scenes.plan(), names, BEFORE, promises={"ada@2.0": hashed})
    opened(store)
    (waiting,) = waits_for(cup(store))
    assert "upcard league reveal cup ada@2.0 NONCE" in waiting


def test_nothing_is_awaited_before_the_statement(store: Store) -> None:
    assert waits_for(created(store, ROUND)) == []


def test_a_round_that_was_due_before_the_statement_is_refused(store: Store) -> None:
    created(store, ROUND)
    with pytest.raises(ConfigError, match=r"^quicknet round 1000 was out at 2023-08-23 15:59:24"):
        opened(store, now=ROUND.due)


def test_another_round_is_chosen_with_the_statement(store: Store) -> None:
    created(store, ROUND)
    opened(store, "quicknet:in=2h", now=ROUND.due)
    pending = cup(store).pending
    assert pending
    assert pending.beacon == choose_round("quicknet:in=2h", ROUND.due)


def test_a_statement_is_published_once(store: Store) -> None:
    created(store, ROUND)
    opened(store)
    with pytest.raises(ConfigError, match=r"^the opening statement of cup is published; it waits"):
        opened(store)


def test_a_league_of_one_is_not_opened(store: Store) -> None:
    created(store, entrants=1)
    with pytest.raises(ConfigError, match=r"^cup has nobody to play"):
        opened(store)


def test_where_all_is_dealt_there_is_nothing_to_open(store: Store) -> None:
    created(store)
    dealt(store)
    with pytest.raises(ConfigError, match=r"^all of cup is dealt already"):
        opened(store)


def test_who_comes_after_a_beacon_needs_a_round_too(store: Store) -> None:
    created(store, ROUND)
    opened(store)
    bring(store, cup(store), SIGNATURE, BEFORE)
    dealt(store)
    add_entrant(store, "cup", "cleo")
    with pytest.raises(ConfigError, match=r"^before it is dealt, publish what cup is played on"):
        dealt(store)
    with pytest.raises(ConfigError, match=r"were dealt with public randomness; choose a round"):
        opened(store)
    opened(store, "quicknet:in=1h")
    assert len(waits_for(cup(store))) == 1


def test_who_comes_later_is_dealt_from_a_secret_of_its_own(store: Store) -> None:
    created(store)
    dealt(store)
    add_entrant(store, "cup", "cleo", promise("hearts"))
    first, second = dealt(store).epochs
    assert second.secret != first.secret
    assert second.seed == mixed_seed(second.secret, {3: "hearts"})


def test_a_league_of_an_older_store_goes_on_from_its_seed(store: Store) -> None:
    created(store)
    with lease(store, "cup") as own:
        begin_epoch(store, own, SEED, seed_given=False, now=datetime.now(UTC))
    (epoch,) = cup(store).epochs
    assert (epoch.opening, epoch.secret) == (None, SEED)
    assert deals_text(cup(store)) == "dealt by the organiser alone"


def test_a_nonce_of_nobody_is_refused(store: Store) -> None:
    with pytest.raises(ConfigError, match=r"^a nonce is brought for 'zoe', which is not entered$"):
        created(store, zoe=promise("heads"))


def isolated(*missing: str) -> Isolation:
    levels = {name: "missing" if name in missing else "enforced" for name in REQUIRED}
    forms = [GuaranteeForm(name=n, level=v, reason="", remedy="") for n, v in levels.items()]
    return Isolation(True, False, tuple(forms))


def promised(store: Store, *accepted: str, sandboxed: bool = True) -> League:
    created(store)
    with lease(store, "cup") as own:
        wanted = required(accepted, sandboxed=sandboxed)
        return deal(own, cup(store), OpeningChoices(wanted), BEFORE)


def test_what_was_promised_is_played_with(store: Store) -> None:
    refuse_less(promised(store), isolated())


def test_it_is_not_played_with_less_than_was_promised(store: Store) -> None:
    with pytest.raises(ConfigError, match=r"^the opening statement of cup promises disk, own-uid,"):
        refuse_less(promised(store), isolated("own-uid", "disk"))


def test_what_was_said_to_be_missing_may_be(store: Store) -> None:
    refuse_less(promised(store, "own-uid"), isolated("own-uid"))


def test_it_is_not_played_without_the_sandbox_that_was_promised(store: Store) -> None:
    with pytest.raises(ConfigError, match=r"^the opening statement of cup promises a sandbox, "):
        refuse_less(promised(store), Isolation(False, False, ()))


def test_where_no_sandbox_was_promised_any_will_do(store: Store) -> None:
    refuse_less(promised(store, sandboxed=False), Isolation(False, False, ()))


def test_a_league_of_an_older_store_promises_nothing(store: Store) -> None:
    created(store)
    with lease(store, "cup") as own:
        found = begin_epoch(store, own, SEED, seed_given=False, now=BEFORE)
    refuse_less(found, Isolation(False, False, ()))


def test_a_league_without_a_sandbox_requires_nothing() -> None:
    assert required(("disk",), sandboxed=False) is None


def test_no_statement_accepts_that_an_unknown_guarantee_is_missing() -> None:
    with pytest.raises(ConfigError, match=r"^there is no guarantee 'disc'; choose from bubblewrap"):
        required(("disc",), sandboxed=True)
