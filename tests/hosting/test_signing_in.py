"""Who may sign in, and for how long."""

from datetime import timedelta

import pytest
from argon2 import PasswordHasher

from referee.errors import ConfigError
from referee.hosting.credentials import Signer, new_credential, signer_of
from referee.hosting.passwords import hashed
from referee.hosting.signing_in import (
    SignInError,
    Throttle,
    Try,
    account_by_password,
    begin_session,
    session_of,
    token_of,
)
from referee.store.accounts import (
    add_token,
    change_account,
    close_session,
    find_account,
    revoke_token,
    tokens,
)
from referee.store.audit import audit_log, settings
from referee.store.database import Store, reading
from referee.store.hosting_models import Account, NewToken
from referee.store.hosting_rows import SESSION, TOKEN
from tests.hosting.conftest import HOST, NOW, MakeAccount

PASSWORD = "five geese, no fox"
LATER = NOW + timedelta(hours=1)
HOME = "192.0.2.1"


@pytest.fixture
def stored() -> str:
    return hashed(PASSWORD, login="ada")


@pytest.fixture
def ada(account: MakeAccount, stored: str) -> Account:
    return account("ada", password=stored)


def signed_in(store: Store, login: str, password: str, throttle: Throttle | None = None) -> Account:
    tried = Try(login, password, HOME)
    return account_by_password(store, throttle or Throttle(), tried, NOW)


def test_who_knows_her_password_signs_in(store: Store, ada: Account) -> None:
    assert signed_in(store, "ada", PASSWORD) == ada


@pytest.mark.parametrize(("login", "password"), [("ada", "another one"), ("bert", PASSWORD)])
def test_a_wrong_login_and_a_wrong_password_are_told_alike(
    store: Store, ada: Account, login: str, password: str
) -> None:
    del ada
    with pytest.raises(SignInError, match="do not belong together"):
        signed_in(store, login, password)


def test_who_has_chosen_no_password_cannot_sign_in(store: Store, account: MakeAccount) -> None:
    account("ada")
    with pytest.raises(SignInError):
        signed_in(store, "ada", "")


def test_who_is_disabled_cannot_sign_in(store: Store, ada: Account) -> None:
    change_account(store, ada, {"disabled": NOW}, HOST)
    with pytest.raises(SignInError):
        signed_in(store, "ada", PASSWORD)


def test_after_ten_failures_of_a_login_nobody_may_try_it(store: Store, ada: Account) -> None:
    del ada
    throttle = Throttle()
    for _ in range(10):
        with pytest.raises(SignInError, match="do not belong"):
            signed_in(store, "ada", "wrong", throttle)
    with pytest.raises(SignInError, match="too many tries"):
        signed_in(store, "ada", PASSWORD, throttle)


def logged(store: Store) -> list[tuple[str, str]]:
    """Return what the audit log says was done, and to what, since there was an account."""
    entries = [(entry.action, entry.subject) for _, entry in audit_log(store, 1000)]
    return [each for each in reversed(entries) if each[0] != "add account"]


def test_a_failure_is_logged_with_where_it_came_from(store: Store, ada: Account) -> None:
    del ada
    with pytest.raises(SignInError):
        signed_in(store, "ada", "wrong")
    _, entry = audit_log(store, 1)[0]
    assert (entry.actor, entry.action, entry.subject, entry.details) == (
        None, "sign in failed", "ada", {"from": HOME},
    )  # fmt: skip


def test_what_is_nobodys_login_is_not_logged(store: Store) -> None:
    with pytest.raises(SignInError):
        signed_in(store, PASSWORD, "")
    assert logged(store) == [("sign in failed", "no account")]


def test_no_more_failures_are_logged_than_somebody_reads(store: Store) -> None:
    throttle = Throttle()
    for number in range(150):
        with pytest.raises(SignInError):
            account_by_password(store, throttle, Try(f"x{number}", "", f"192.0.2.{number}"), NOW)
    assert len(logged(store)) == 100


def test_a_password_that_is_not_tried_is_not_logged(store: Store, ada: Account) -> None:
    del ada
    throttle = Throttle()
    for _ in range(12):
        with pytest.raises(SignInError):
            signed_in(store, "ada", "wrong", throttle)
    assert len(logged(store)) == 10


def test_those_who_sign_in_are_not_counted(store: Store, ada: Account) -> None:
    throttle = Throttle()
    for _ in range(12):
        assert signed_in(store, "ada", PASSWORD, throttle) == ada


def test_an_address_that_tries_many_logins_is_stopped() -> None:
    throttle = Throttle()
    for number in range(60):
        throttle.failed(f"login-{number}", HOME)
    with pytest.raises(SignInError, match="too many tries"):
        throttle.refuse("ada", HOME)
    throttle.refuse("ada", "192.0.2.2")


@pytest.mark.usefixtures("real_hashes")
def test_an_old_hash_is_replaced_when_its_password_is_used(
    store: Store, account: MakeAccount
) -> None:
    account("ada", password=PasswordHasher(1, 8, 1).hash(PASSWORD))
    signed_in(store, "ada", PASSWORD)
    assert "m=49152" in (find_account(store, "ada").password or "")


# Sessions


def test_a_session_is_found_by_what_its_cookie_holds(store: Store, ada: Account) -> None:
    secret = begin_session(store, ada, NOW, LATER).secret
    found = session_of(store, secret, NOW, LATER)
    assert found
    assert found.account == ada


def test_the_store_does_not_have_what_a_cookie_holds(store: Store, ada: Account) -> None:
    secret = begin_session(store, ada, NOW, LATER).secret
    with reading(store) as connection:
        rows = [*map(str, connection.execute(SESSION.select()))]
    assert len(rows) == 1
    assert secret not in rows[0]


def test_a_session_that_is_not_used_expires(store: Store, ada: Account) -> None:
    secret = begin_session(store, ada, NOW, LATER).secret
    assert session_of(store, secret, LATER, LATER) is None


def test_a_session_that_is_used_goes_on(store: Store, ada: Account) -> None:
    secret = begin_session(store, ada, NOW, LATER).secret
    used = NOW + timedelta(minutes=50)
    assert session_of(store, secret, used, used + timedelta(hours=1))
    assert session_of(store, secret, LATER + timedelta(minutes=30), LATER)


def test_who_signs_out_is_out(store: Store, ada: Account) -> None:
    secret = begin_session(store, ada, NOW, LATER).secret
    found = session_of(store, secret, NOW, LATER)
    assert found
    close_session(store, found, NOW)
    assert session_of(store, secret, NOW, LATER) is None


@pytest.mark.parametrize("change", [{"disabled": NOW}, {"password": "another"}])
def test_a_change_of_the_account_ends_all_sessions(
    store: Store, ada: Account, change: dict[str, object]
) -> None:
    secret = begin_session(store, ada, NOW, LATER).secret
    change_account(store, ada, change, HOST)
    assert session_of(store, secret, NOW, LATER) is None


def test_signing_in_and_out_is_logged(store: Store, ada: Account) -> None:
    secret = begin_session(store, ada, NOW, LATER).secret
    found = session_of(store, secret, NOW, LATER)
    assert found
    for _ in range(2):
        close_session(store, found, NOW)
    assert logged(store) == [("sign in", "ada"), ("sign out", "ada")]


# Tokens


@pytest.fixture
def token(store: Store, ada: Account) -> str:
    drawn = new_credential("upc_")
    add_token(store, ada, NewToken("laptop", drawn.digest, ("submit",), LATER), NOW)
    return drawn.secret


def test_a_token_is_found_by_its_text(store: Store, ada: Account, token: str) -> None:
    found = token_of(store, token, NOW)
    assert found
    assert (found[0].name, found[0].scopes, found[1]) == ("laptop", ("submit",), ada)


def test_the_store_does_not_have_the_text_of_a_token(store: Store, token: str) -> None:
    with reading(store) as connection:
        assert token not in str(connection.execute(TOKEN.select()).all())


def test_a_token_expires(store: Store, token: str) -> None:
    assert token_of(store, token, LATER) is None


def test_a_token_that_is_revoked_is_no_use(store: Store, ada: Account, token: str) -> None:
    revoke_token(store, ada, tokens(store, ada)[0].id, NOW)
    assert token_of(store, token, NOW) is None


def test_nobody_revokes_the_token_of_another(
    store: Store, account: MakeAccount, ada: Account, token: str
) -> None:
    with pytest.raises(ConfigError, match="no token"):
        revoke_token(store, account("bert"), tokens(store, ada)[0].id, NOW)
    assert token_of(store, token, NOW)


def test_the_tokens_of_a_disabled_account_are_revoked(
    store: Store, ada: Account, token: str
) -> None:
    change_account(store, ada, {"disabled": NOW}, HOST)
    change_account(store, ada, {"disabled": None}, HOST)
    assert token_of(store, token, NOW) is None


def test_when_a_token_was_used_is_kept(store: Store, ada: Account, token: str) -> None:
    token_of(store, token, NOW)
    assert tokens(store, ada)[0].used == NOW


# What is signed


def test_what_was_signed_is_read_for_the_same_use_alone() -> None:
    signer = Signer("key")
    text = signer.signed("invitation", 7)
    assert signer.read("invitation", text) == 7
    assert signer.read("form", text) is None
    assert Signer("other").read("invitation", text) is None
    assert signer.read("invitation", text[:-1]) is None


def test_a_host_keeps_its_key(store: Store) -> None:
    text = signer_of(store).signed("form", "x")
    assert signer_of(store).read("form", text) == "x"


def test_the_audit_log_has_no_secret(store: Store, ada: Account, token: str) -> None:
    secret = begin_session(store, ada, NOW, LATER).secret
    change_account(store, ada, {"password": "hash-of-it", "mail": "ada@example.org"}, HOST)
    signer_of(store)
    log = str(audit_log(store, 100))
    hidden = [token, secret, "hash-of-it", "ada@example.org", settings(store)["secret_key"]]
    assert [each for each in hidden if each in log] == []
    assert "change account" in log
