"""People are invited: one by one, or all of a roster."""

from datetime import timedelta

import pytest

from referee.errors import ConfigError
from referee.hosting.credentials import Signer
from referee.hosting.invitations import (
    accept,
    checked_login,
    checked_mail,
    checked_name,
    import_roster,
    invitation_of,
    invite_account,
    invite_new,
    invite_roster,
    read_roster,
)
from referee.hosting.passwords import verify
from referee.hosting.settings import DEFAULTS
from referee.store.accounts import accounts, change_account, find_account
from referee.store.database import Store
from referee.store.hosting_models import By, NewAccount
from tests.hosting.conftest import HOST, NOW, MakeAccount

SIGNER = Signer("key")
PASSWORD = "five geese, no fox"
NOBODY = NewAccount("", "")


def test_an_invitation_leads_to_the_account_it_is_for(store: Store, account: MakeAccount) -> None:
    ada = account()
    invited = invite_account(store, SIGNER, ada, DEFAULTS, HOST)
    assert invitation_of(store, SIGNER, invited.code, HOST) == invited
    accept(store, invited, NOBODY, PASSWORD, HOST)
    assert verify(find_account(store, "ada").password, PASSWORD)


def test_the_code_is_behind_the_hash_of_the_link(store: Store, account: MakeAccount) -> None:
    invited = invite_account(store, SIGNER, account(), DEFAULTS, HOST)
    link = invited.link("https://cards.example.org/")
    assert link == f"https://cards.example.org/invitation#{invited.code}"


def test_who_is_invited_without_an_account_makes_one(store: Store) -> None:
    invited = invite_new(store, SIGNER, "organiser", "staff", DEFAULTS, by=HOST)
    made = accept(store, invited, NewAccount("bert", "Bert  B."), PASSWORD, HOST)
    assert (made.login, made.name, made.role, made.group) == (
        "bert", "Bert B.", "organiser", "staff",
    )  # fmt: skip


def test_an_invitation_is_used_once(store: Store) -> None:
    invited = invite_new(store, SIGNER, "author", None, DEFAULTS, by=HOST)
    accept(store, invited, NewAccount("bert", "Bert"), PASSWORD, HOST)
    with pytest.raises(ConfigError, match="was used"):
        accept(store, invited, NewAccount("cleo", "Cleo"), PASSWORD, HOST)
    with pytest.raises(ConfigError, match="used before"):
        invitation_of(store, SIGNER, invited.code, HOST)
    assert [each.login for each in accounts(store)] == ["bert"]


def test_a_password_that_is_refused_uses_nothing_up(store: Store) -> None:
    invited = invite_new(store, SIGNER, "author", None, DEFAULTS, by=HOST)
    with pytest.raises(ConfigError, match="10 to 200"):
        accept(store, invited, NewAccount("bert", "Bert"), "short", HOST)
    assert accept(store, invited, NewAccount("bert", "Bert"), PASSWORD, HOST)


def test_a_login_that_is_taken_uses_nothing_up(store: Store, account: MakeAccount) -> None:
    account("bert")
    invited = invite_new(store, SIGNER, "author", None, DEFAULTS, by=HOST)
    with pytest.raises(ConfigError, match="there is an account bert already"):
        accept(store, invited, NewAccount("bert", "Bert"), PASSWORD, HOST)
    assert accept(store, invited, NewAccount("cleo", "Cleo"), PASSWORD, HOST)


def test_an_invitation_expires(store: Store) -> None:
    invited = invite_new(store, SIGNER, "author", None, DEFAULTS, by=HOST)
    late = By(None, NOW + timedelta(days=14))
    with pytest.raises(ConfigError, match="has expired"):
        invitation_of(store, SIGNER, invited.code, late)


@pytest.mark.parametrize(
    "changes",
    [{"role": "author"}, {"role": "organiser"}, {"disabled": NOW}],
    ids=["is an author now", "is an organiser now", "is disabled now"],
)
@pytest.mark.parametrize("login", ["ada", None], ids=["for an organiser", "for a new one"])
def test_an_invitation_of_who_may_not_make_it_any_more_is_refused(
    store: Store, account: MakeAccount, changes: dict[str, object], login: str | None
) -> None:
    anna = account("anna", "admin")
    by = By(anna.id, NOW)
    invited = (
        invite_account(store, SIGNER, account(login, "organiser"), DEFAULTS, by)
        if login
        else invite_new(store, SIGNER, "admin", None, DEFAULTS, by=by)
    )
    assert invitation_of(store, SIGNER, invited.code, HOST) == invited
    change_account(store, anna, changes, HOST)
    with pytest.raises(ConfigError, match="may not invite you any more"):
        invitation_of(store, SIGNER, invited.code, HOST)


def test_an_invitation_to_an_account_that_may_do_as_much_by_now_is_refused(
    store: Store, account: MakeAccount
) -> None:
    ada, olga = account(), account("olga", "organiser")
    invited = invite_account(store, SIGNER, ada, DEFAULTS, By(olga.id, NOW))
    change_account(store, ada, {"role": "organiser"}, HOST)
    with pytest.raises(ConfigError, match="may not invite you any more"):
        invitation_of(store, SIGNER, invited.code, HOST)


@pytest.mark.parametrize("code", ["", "rubbish", "1.x", "x" * 1000])
def test_a_code_that_was_not_signed_is_none(store: Store, code: str) -> None:
    with pytest.raises(ConfigError, match="this invitation is none"):
        invitation_of(store, SIGNER, code, HOST)


@pytest.mark.parametrize("login", ["", "Ada", "a b", "-a", "x" * 41, "deleted-3", "ä", "a\n"])
def test_what_can_be_no_login_is_refused(login: str) -> None:
    with pytest.raises(ConfigError, match="a login is"):
        checked_login(login)


@pytest.mark.parametrize("name", ["", "  ", "x" * 81, "a\u202eb", "a\x00b"])
def test_what_can_be_no_name_is_refused(name: str) -> None:
    with pytest.raises(ConfigError, match="a name has"):
        checked_name(name)


@pytest.mark.parametrize("mail", ["ada", "a@", "@b", "a b@c", "a@b\n", "x" * 300 + "@b"])
def test_what_can_be_no_address_is_refused(mail: str) -> None:
    with pytest.raises(ConfigError, match="no email address"):
        checked_mail(mail)


# Rosters

ROSTER = """login,name,mail,group
ada,Ada Lovelace,ada@example.org,A
bert,Bert,,B
"""


def test_a_roster_makes_accounts(store: Store) -> None:
    made = import_roster(store, read_roster(ROSTER), HOST)
    assert [(account.login, account.group) for account in made] == [("ada", "A"), ("bert", "B")]
    assert find_account(store, "ada").mail == "ada@example.org"


def test_a_roster_that_is_read_again_changes_who_has_changed(store: Store) -> None:
    import_roster(store, read_roster(ROSTER), HOST)
    made = import_roster(store, read_roster(ROSTER.replace(",B\n", ",C\n")), HOST)
    assert [(account.login, account.group) for account in made] == [("ada", "A"), ("bert", "C")]


def test_of_a_roster_those_are_invited_by_which_nobody_has_signed_in(
    store: Store, account: MakeAccount
) -> None:
    known = account("bert")
    change_account(store, known, {"issuer": "https://id.example.org", "subject": "1"}, HOST)
    made = invite_roster(store, SIGNER, read_roster(ROSTER), DEFAULTS, by=HOST)
    assert [invited.login for invited in made] == ["ada"]


def test_a_roster_never_changes_what_somebody_may_do(store: Store, account: MakeAccount) -> None:
    account("ada", "admin", password="hash")
    import_roster(store, read_roster(ROSTER), HOST)
    ada = find_account(store, "ada")
    assert (ada.role, ada.password) == ("admin", "hash")


def test_a_roster_of_a_spreadsheet_is_read(store: Store) -> None:
    text = "\ufeff" + ROSTER.replace("\n", "\r\n").replace("login,name", " Login ,NAME")
    assert [account.name for account in import_roster(store, read_roster(text), HOST)] == [
        "Ada Lovelace",
        "Bert",
    ]


def test_only_logins_are_needed() -> None:
    assert read_roster("login\nADA\n") == [NewAccount("ada", "ada")]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "line 1: the columns"),
        ("name\nAda\n", "line 1: the columns"),
        ("login,shoe size\nada,38\n", "line 1: the columns"),
        ("login,name\nada\n", "line 2: has another number of columns"),
        ("login\nada,Ada\n", "line 2: has another number of columns"),
        ("login\nada\nAda\n", "line 3: 'ada' is there twice"),
        ("login\nada\nb c\n", "line 3: a login is"),
        ("login,mail\nada,x\n", "line 2: 'x' is no email address"),
        ('login\n"' + "x" * 200_000 + '"\n', "line"),
    ],
)
def test_a_line_that_is_wrong_is_named(text: str, says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        read_roster(text)
