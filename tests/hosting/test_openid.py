"""A provider vouches for one browser, by a signed answer for this host; all else is refused."""

import sys
from time import time
from typing import Any

import pytest

from referee.errors import ConfigError
from referee.hosting.identities import account_by_identity
from referee.hosting.openid import Identity, Provider, ProviderError
from referee.store.accounts import account_of_login, change_account
from referee.store.database import Store
from tests.hosting.conftest import HOST, NOW, MakeAccount
from tests.hosting.openid_scene import ISSUER, OTHER_KEY, REDIRECT, SETTINGS, Fake


def signed_in(fake: Fake, sent: str = "ours", answered: str = "ours") -> Identity:
    """Sign a browser in: sent with one secret, and back with another if that is said."""
    provider = fake.provider()
    return provider.identity(answered, fake.sign_in(provider.address(sent)))


def test_who_signs_in_is_known_by_what_the_provider_says() -> None:
    told = {"email": "ada@example.org", "email_verified": True, "name": "Ada", "sub": "1"}
    fake = Fake(userinfo=told | {"preferred_username": "ada"})
    assert signed_in(fake) == Identity(ISSUER, "1", "ada@example.org", "ada", "Ada")


@pytest.mark.parametrize("verified", [False, None, "true"], ids=["false", "none", "text"])
def test_mail_that_was_not_verified_is_none(verified: object) -> None:
    told = {"email": "ada@example.org", "email_verified": verified}
    assert signed_in(Fake(userinfo=told)).mail is None


def test_an_answer_for_another_browser_is_refused() -> None:
    with pytest.raises(ProviderError, match="for another browser; begin again"):
        signed_in(Fake(), answered="theirs")


def test_an_answer_for_a_browser_that_was_not_sent_is_refused() -> None:
    """Somebody else would sign it in as herself, by a link."""
    with pytest.raises(ProviderError, match="for another browser; begin again"):
        signed_in(Fake(), sent="", answered="")


def test_a_code_of_another_browser_is_refused() -> None:
    fake = Fake()
    provider = fake.provider()
    theirs = fake.sign_in(provider.address("theirs"))
    ours = fake.sign_in(provider.address("ours"))
    with pytest.raises(ProviderError, match="invalid_grant"):
        provider.identity("ours", ours | {"code": theirs["code"]})


def test_an_answer_of_another_provider_is_refused() -> None:
    fake = Fake()
    provider = fake.provider()
    answer = fake.sign_in(provider.address("ours")) | {"iss": "https://evil.example.org"}
    with pytest.raises(ProviderError, match="another provider"):
        provider.identity("ours", answer)


def test_an_answer_that_does_not_name_the_provider_is_refused_if_that_says_it_does() -> None:
    fake = Fake(metadata={"authorization_response_iss_parameter_supported": True})
    provider = fake.provider()
    answer = fake.sign_in(provider.address("ours"))
    del answer["iss"]
    with pytest.raises(ProviderError, match="another provider"):
        provider.identity("ours", answer)


def test_who_declines_is_told_what_the_provider_says() -> None:
    fake = Fake()
    provider = fake.provider()
    state = fake.sign_in(provider.address("ours"))["state"]
    with pytest.raises(ProviderError, match="did not sign you in: access_denied"):
        provider.identity("ours", {"state": state, "error": "access_denied"})


@pytest.mark.parametrize(
    ("claims", "wrong"),
    [
        pytest.param({"nonce": "theirs"}, "nonce", id="the nonce of another request"),
        pytest.param({"nonce": None}, "nonce", id="no nonce"),
        pytest.param({"aud": "another"}, "aud", id="for another host"),
        pytest.param({"aud": ["upcard", "b"], "azp": "b"}, "azp", id="asked by another host"),
        pytest.param({"iss": "https://evil.example.org"}, "iss", id="of another provider"),
        pytest.param({"exp": int(time()) - 3600}, "expired", id="expired"),
        pytest.param({"sub": None}, "sub", id="of nobody"),
    ],
)
def test_a_token_that_is_not_for_this_request_is_refused(
    claims: dict[str, Any], wrong: str
) -> None:
    with pytest.raises(ProviderError, match=f"no answer that can be used: .*{wrong}"):
        signed_in(Fake(claims=claims))


def test_a_token_that_somebody_else_signed_is_refused() -> None:
    with pytest.raises(ProviderError, match="no answer that can be used: bad_signature"):
        signed_in(Fake(signs=OTHER_KEY))


def test_more_about_somebody_else_is_refused() -> None:
    with pytest.raises(ProviderError, match="about somebody else"):
        signed_in(Fake(userinfo={"sub": "2"}))


def test_a_provider_that_calls_itself_otherwise_is_refused() -> None:
    with pytest.raises(ProviderError, match="name it so"):
        Fake(metadata={"issuer": "https://id.example.org/"}).provider().address("ours")


def test_what_a_provider_says_of_itself_is_asked_once() -> None:
    fake = Fake()
    provider = fake.provider()
    for _ in range(3):
        provider.address("ours")
    assert fake.asked == ["/.well-known/openid-configuration"]


def test_a_provider_without_encryption_is_refused() -> None:
    with pytest.raises(ConfigError, match="not encrypted"):
        Provider(SETTINGS._replace(issuer="http://id.example.org"), REDIRECT)


def test_without_the_package_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "authlib.integrations.httpx_client", None)
    with pytest.raises(ConfigError, match=r"pip install 'upcard-referee\[oidc\]'"):
        Provider(SETTINGS, REDIRECT)


# Whose account it is

ADA = Identity(ISSUER, "1", "ada@example.org", "ada", "Ada")


def refuse() -> None:
    raise ProviderError("no account waits for you")


def found(store: Store, identity: Identity = ADA, *, is_open: bool = False) -> str:
    admit = (lambda: None) if is_open else refuse
    return account_by_identity(store, identity, HOST, admit).login


def test_an_account_that_waits_for_a_mail_is_found_by_it_once_and_by_the_identity_then(
    store: Store, account: MakeAccount
) -> None:
    account("countess", mail="Ada@Example.org")
    assert found(store) == "countess"
    assert found(store, ADA._replace(mail=None)) == "countess"
    with pytest.raises(ProviderError, match="no account waits for you"):
        found(store, ADA._replace(subject="2"))


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"mail": "ada@example.org", "password": "hash"}, id="with a password"),
        pytest.param({"mail": "bert@example.org"}, id="of another mail"),
        pytest.param({}, id="without a mail"),
    ],
)
def test_no_other_account_is_found(
    store: Store, account: MakeAccount, fields: dict[str, str]
) -> None:
    account("ada", **fields)
    for identity in (ADA, ADA._replace(mail=None)):
        with pytest.raises(ProviderError, match="no account waits for you"):
            found(store, identity)


def test_of_two_accounts_of_a_mail_none_is_chosen(store: Store, account: MakeAccount) -> None:
    for login in ("one", "other"):
        account(login, mail="ada@example.org")
    with pytest.raises(ProviderError, match="no account waits for you"):
        found(store)


def test_nobody_takes_an_account_from_her_by_writing_her_mail_into_another(
    store: Store, account: MakeAccount
) -> None:
    account("ada", mail="ada@example.org")
    account("mallory", mail="ada@example.org", password="hash")
    assert found(store) == "ada"


def test_a_closed_account_stays_closed(store: Store, account: MakeAccount) -> None:
    ada = account("ada", mail="ada@example.org")
    found(store)
    change_account(store, ada, {"disabled": NOW}, HOST)
    with pytest.raises(ProviderError, match="closed"):
        found(store, is_open=True)


def test_where_everybody_may_an_account_is_made(store: Store, account: MakeAccount) -> None:
    account("ada", mail="other@example.org")
    assert found(store, is_open=True) == "ada-2"
    made = account_of_login(store, "ada-2")
    assert made
    assert (made.name, made.mail, made.role) == ("Ada", "ada@example.org", "author")


@pytest.mark.parametrize(
    ("called", "login"),
    [("Ada Lovelace", "ada-lovelace"), ("ada@uni", "ada"), ("", "player"), ("愛", "player")],
    ids=["words", "mail", "nothing", "letters of others"],
)
def test_a_login_is_made_of_what_somebody_is_called(store: Store, called: str, login: str) -> None:
    assert found(store, ADA._replace(login=called, mail=None), is_open=True) == login
