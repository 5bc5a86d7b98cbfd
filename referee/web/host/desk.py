"""The organiser's pages: submissions, queue, accounts, announcements, ladders, the audit log."""

from typing import TYPE_CHECKING, Final

from starlette.responses import RedirectResponse, Response

from referee.errors import ConfigError, NotFoundError
from referee.hosting.choices import chosen_word
from referee.hosting.invitations import (
    checked_account,
    invite_account,
    invite_new,
    invite_roster,
    read_roster,
    written_login,
)
from referee.hosting.organising import announcement_of, reason_of
from referee.hosting.own_data import delete_account
from referee.hosting.roles import may, may_change, role_of
from referee.hosting.settings import HostSettings, change_setting
from referee.store import lifecycle
from referee.store.accounts import (
    account_of_login,
    accounts,
    add_account,
    change_account,
)
from referee.store.audit import announce, audit_log, withdraw_announcement
from referee.store.hosting_models import LADDER_STATES, ROLES, Account, NewAccount, Role
from referee.store.jobs import count_jobs, queue
from referee.store.ladders import ladder, ladders, set_ladder_state
from referee.store.submissions import submission, submissions
from referee.web.host.asking import Asked
from referee.web.host.forms import whole_number
from referee.web.host.routes import Route

if TYPE_CHECKING:
    from referee.web.host.hosting import Host

_SHOWN: Final = 200


def desk_page(host: "Host", asked: Asked) -> Response:
    """Show who handed in what, and how far the queue is."""
    return host.page(
        asked,
        "desk",
        submissions=submissions(host.store, most=_SHOWN),
        queue=queue(host.store),
        jobs=count_jobs(host.store),
        ladders=ladders(host.store),
    )


# Submissions


def ban(host: "Host", asked: Asked) -> Response:
    """Ban a bot, for a reason."""
    found = submission(host.store, asked.number("number"))
    reason = reason_of(asked.form.get("why", ""))
    lifecycle.ban(host.store, found, reason, asked.by)
    return _to_desk()


def suspend(host: "Host", asked: Asked) -> Response:
    """Suspend a bot until that is lifted, for a reason."""
    found = submission(host.store, asked.number("number"))
    reason = reason_of(asked.form.get("why", ""))
    lifecycle.suspend(host.store, found, reason, asked.by)
    return _to_desk()


def lift(host: "Host", asked: Asked) -> Response:
    """Take a ban or a suspension back."""
    found = submission(host.store, asked.number("number"))
    lifecycle.lift(host.store, found, asked.by)
    return _to_desk()


def examine_again(host: "Host", asked: Asked) -> Response:
    """Examine a submission once more."""
    lifecycle.examine_once_more(
        host.store, submission(host.store, asked.number("number")), asked.by
    )
    return _to_desk()


def examine_all_again(host: "Host", asked: Asked) -> Response:
    """Examine once more the last submission of everybody that was not accepted."""
    on = ladder(host.store, asked.form.get("ladder", ""))
    lifecycle.examine_latest(host.store, on, asked.by)
    return _to_desk()


def set_state(host: "Host", asked: Asked) -> Response:
    """Freeze a ladder, open it again, or end it."""
    found = ladder(host.store, asked.path("name"))
    state = chosen_word(asked.form.get("state", ""), "state of a ladder", LADDER_STATES)
    set_ladder_state(host.store, found, state, asked.by)
    return _to_desk()


def _to_desk(page: str = "") -> Response:
    return RedirectResponse(f"/organiser/{page}", 303)


# Accounts


def accounts_page(host: "Host", asked: Asked) -> Response:
    """List the accounts, and show the forms to invite more."""
    return _accounts_page(host, asked)


def _accounts_page(host: "Host", asked: Asked, links: tuple[tuple[str, str], ...] = ()) -> Response:
    """Show the accounts, and links of invitations, this once."""
    every = [each for each in accounts(host.store) if each.deleted is None]
    return host.page(asked, "accounts", accounts=every, links=links, roles=ROLES)


def invite(host: "Host", asked: Asked) -> Response:
    """Invite somebody: with a login to choose a password, without one to make an account."""
    form, settings = asked.form, host.settings()
    role = role_of(form.get("role", "author"))
    _refuse_higher(asked, role)
    group = form.get("group", "").strip() or None
    login = written_login(form.get("login", ""))
    if not login:
        made = invite_new(host.store, host.signer, role, group, settings, by=asked.by)
        return _accounts_page(host, asked, ((f"a new {role}", made.link(host.url)),))
    name = form.get("name", "").strip() or login
    new = checked_account(NewAccount(login, name, role, group=group))
    account = add_account(host.store, new, asked.by)
    made = invite_account(host.store, host.signer, account, settings, asked.by)
    return _accounts_page(host, asked, ((login, made.link(host.url)),))


def invite_again(host: "Host", asked: Asked) -> Response:
    """Invite the owner of an account to choose another password."""
    account = _lower_account(host, asked)
    made = invite_account(host.store, host.signer, account, host.settings(), asked.by)
    return _accounts_page(host, asked, ((account.login, made.link(host.url)),))


def roster(host: "Host", asked: Asked) -> Response:
    """Make the accounts of a roster, and invite those by which nobody has signed in yet."""
    told = read_roster(asked.form.get("roster", ""))
    for each in told:
        account = account_of_login(host.store, each.login)
        if account is not None:
            _refuse_equal(asked, account)
    invited = invite_roster(host.store, host.signer, told, host.settings(), by=asked.by)
    return _accounts_page(host, asked, tuple((made.login, made.link(host.url)) for made in invited))


def disable(host: "Host", asked: Asked) -> Response:
    """Disable an account, or enable it again."""
    account = _lower_account(host, asked)
    disabled = asked.now if account.disabled is None else None
    change_account(host.store, account, {"disabled": disabled}, asked.by)
    return _to_desk("accounts")


def account_page(host: "Host", asked: Asked) -> Response:
    """Show the forms to change the role of an account, and to delete it."""
    account = _lower_account(host, asked)
    return host.page(asked, "managed_account", account=account, roles=ROLES)


def change_role(host: "Host", asked: Asked) -> Response:
    """Change what somebody may do."""
    account, role = _lower_account(host, asked), role_of(asked.form.get("role", ""))
    _refuse_higher(asked, role)
    change_account(host.store, account, {"role": role}, asked.by)
    return _to_desk("accounts")


def delete(host: "Host", asked: Asked) -> Response:
    """Delete an account, whose login is written once more to say so."""
    account = _lower_account(host, asked)
    if asked.form.get("login", "").strip() != account.login:
        raise ConfigError("write the login to say that you mean it")
    delete_account(host.store, account, asked.by)
    return _to_desk("accounts")


def _lower_account(host: "Host", asked: Asked) -> Account:
    """Return the account that is asked about; nobody changes her own.

    Raises:
        NotFoundError: there is none.
        ConfigError: it may do as much as who asks, who is no admin.
    """
    login = asked.path("login")
    account = account_of_login(host.store, login)
    if account is None or account.deleted is not None:
        raise NotFoundError(f"there is no account {login[:80]}")
    if account.id == asked.account.id:
        raise ConfigError("this is your own account; somebody else has to do that")
    _refuse_equal(asked, account)
    return account


def _refuse_equal(asked: Asked, account: Account) -> None:
    """Refuse to change the account of somebody else who may do as much; an admin may."""
    if account.id != asked.account.id and not may_change(asked.account, account):
        raise ConfigError(f"only an admin may change {account.login}, who is an {account.role}")


def _refuse_higher(asked: Asked, role: Role) -> None:
    if not may(asked.account, role):
        raise ConfigError(f"only an admin may do that to an {role}")


# What everybody is told, and what was chosen


def announcements_page(host: "Host", asked: Asked) -> Response:
    """Show the announcements, which are above every page, and the form for another one."""
    return host.page(asked, "announcements")


def make_announcement(host: "Host", asked: Asked) -> Response:
    """Publish an announcement."""
    announce(host.store, announcement_of(asked.form.get("text", "")), None, asked.by)
    return _to_desk("announcements")


def end_announcement(host: "Host", asked: Asked) -> Response:
    """Stop showing an announcement."""
    withdraw_announcement(host.store, asked.number("number"), asked.by)
    return _to_desk("announcements")


def settings_page(host: "Host", asked: Asked) -> Response:
    """Show the settings of the host."""
    return host.page(asked, "host_settings", names=HostSettings._fields)


def set_setting(host: "Host", asked: Asked) -> Response:
    """Change a setting of the host."""
    change_setting(
        host.store, asked.form.get("name", ""), asked.form.get("value", "").strip(), asked.by
    )
    return _to_desk("settings")


def audit_page(host: "Host", asked: Asked) -> Response:
    """Show who did what, the latest first."""
    before = whole_number(asked.request.query_params.get("before", ""))
    entries = audit_log(host.store, _SHOWN, before)
    return host.page(asked, "audit", entries=entries, more=len(entries) == _SHOWN)


_SUBMISSION: Final = "/organiser/submissions/{number:number}"
_ACCOUNT: Final = "/organiser/accounts/{login}"
ROUTES: Final = (
    Route("GET", "/organiser/", desk_page, "organiser"),
    Route("POST", f"{_SUBMISSION}/ban", ban, "organiser", "organise", "form"),
    Route("POST", f"{_SUBMISSION}/suspend", suspend, "organiser", "organise", "form"),
    Route("POST", f"{_SUBMISSION}/lift", lift, "organiser", "organise", "form"),
    Route("POST", f"{_SUBMISSION}/examine", examine_again, "organiser", "organise", "form"),
    Route("POST", "/organiser/examine", examine_all_again, "organiser", "organise", "form"),
    Route("POST", "/organiser/ladders/{name}", set_state, "organiser", "organise", "form"),
    Route("GET", "/organiser/accounts", accounts_page, "organiser"),
    Route("POST", "/organiser/invitations", invite, "organiser", body="form"),
    Route("POST", "/organiser/roster", roster, "organiser", body="form"),
    Route("POST", f"{_ACCOUNT}/invite", invite_again, "organiser", body="form"),
    Route("POST", f"{_ACCOUNT}/disable", disable, "organiser", body="form"),
    Route("GET", _ACCOUNT, account_page, "admin"),
    Route("POST", f"{_ACCOUNT}/role", change_role, "admin", body="form"),
    Route("POST", f"{_ACCOUNT}/delete", delete, "admin", body="form"),
    Route("GET", "/organiser/announcements", announcements_page, "organiser"),
    Route("POST", "/organiser/announcements", make_announcement, "organiser", body="form"),
    Route(
        "POST",
        "/organiser/announcements/{number:number}/end",
        end_announcement,
        "organiser",
        body="form",
    ),
    Route("GET", "/organiser/settings", settings_page, "admin"),
    Route("POST", "/organiser/settings", set_setting, "admin", body="form"),
    Route("GET", "/organiser/audit", audit_page, "organiser"),
)
