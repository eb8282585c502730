"""Signing in, one-time links and API tokens: everything that makes or takes a secret."""

from __future__ import annotations

import secrets
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from runoff.errors import NotAllowedError, NotFoundError, QuotaError, UsageError
from runoff.server.cases.accounts.passwords import check_new_password
from runoff.server.store.access import (
    ApiToken,
    Link,
    NewLink,
    check_password,
    hash_password,
    load_api_token,
    load_failed_logins,
    load_link,
    load_session_person,
    lock_logins,
    save_api_token,
    save_api_token_revoked,
    save_api_token_use,
    save_link,
    save_link_used,
    save_login_attempt,
    save_login_success,
    save_logout,
    save_session,
)
from runoff.server.store.database import Database
from runoff.server.store.people import (
    IMPORTER,
    Person,
    Team,
    load_password_hash,
    load_person,
    load_person_by_email,
    load_teams,
    save_member,
    save_password,
    save_person,
    save_rehashed_password,
)
from runoff.server.store.submissions import save_link_mail

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from runoff.server.cases.accounts.permissions import Role, Scope

WINDOW: Final = timedelta(minutes=15)
PER_ADDRESS: Final = 10
"""How many times as many failures are allowed from one network address, which many people can share, and for one
account from all addresses together."""

RESETS: Final = 3
"""Links for a new password that are mailed to one person in a quarter of an hour, if one address asks for them."""
TOKEN_DAYS: Final = 90
LONGEST_TOKEN_DAYS: Final = 366
"""How long an API token lasts if nothing else is chosen, and how long it can last."""


@dataclass(frozen=True, kw_only=True)
class SignInRules:
    """How many failures in a quarter of an hour are allowed, and how long a session lasts.

    failures  for one account from one network address; ten times as many for the account from all addresses from which
              its owner has not signed in before, and from one address for all accounts
    """

    failures: int
    session: timedelta


def draw_token() -> str:
    """A secret of 256 random bits that is safe in an address."""
    return secrets.token_urlsafe(32)


def sign_in(
    database: Database,
    *,
    email: str,
    password: str,
    address: str,
    rules: SignInRules,
    hashing: AbstractContextManager[object],
    now: datetime,
) -> str:
    """Check a password and begin a session; returns its token.

    address  where the attempt comes from, on the network
    hashing  held while a password is hashed

    The answer, its words and about its time are the same for a wrong password and an unknown address.
    """
    attempt = begin_attempt(database, email=email, address=address, failures=rules.failures, now=now)
    with database.read() as connection:
        person = _person(connection, email)
        password_hash = None if person is None else load_password_hash(connection, person.id)
    with hashing:
        check = check_password(password, password_hash)
        renewed = hash_password(password) if check.outdated and check.right else None
    if person is None or not check.right:
        raise NotAllowedError("the address or the password is wrong; try again, or ask an organiser for a new password")
    token, number = draw_token(), person.id

    def work(connection: Connection) -> None:
        save_login_success(connection, attempt)
        if renewed is not None:
            save_rehashed_password(connection, number, renewed)
        save_session(connection, number, token, expires_at=now + rules.session, now=now)

    database.write(work)
    return token


def begin_attempt(database: Database, *, email: str, address: str, failures: int, now: datetime) -> int:
    """Count an attempt to give a password before it is looked at, so that none slips past the limits beside others.

    It counts as failed until it is known to be right. One above the limits is refused with `QuotaError`, and does not
    count. Whoever guesses from elsewhere does not keep the owner out of an address that they have signed in from.
    """

    def work(connection: Connection) -> int:
        lock_logins(connection)
        failed = load_failed_logins(connection, email=email, address=address, since=now - WINDOW)
        if (
            failed.for_both >= failures
            or failed.from_address >= failures * PER_ADDRESS
            or (failed.for_email >= failures * PER_ADDRESS and not failed.is_usual_address)
        ):
            raise QuotaError("too many failed attempts; wait 15 minutes, then try again", free_at=now + WINDOW)
        return save_login_attempt(connection, email=email, address=address, now=now)

    return database.write(work)


def change_password(
    database: Database,
    person: Person,
    *,
    password: str,
    new_password: str,
    address: str,
    rules: SignInRules,
    hashing: AbstractContextManager[object],
    now: datetime,
) -> str:
    """Choose a new password with the present one; every session ends, and the token of a new one is returned.

    Wrong ones are counted like those of attempts to sign in.
    """
    check_new_password(new_password, email=person.email, display_name=person.display_name)
    attempt = begin_attempt(database, email=person.email, address=address, failures=rules.failures, now=now)
    with database.read() as connection:
        password_hash = load_password_hash(connection, person.id)
    with hashing:
        check = check_password(password, password_hash)
        new_hash = hash_password(new_password) if check.right else ""
    if not check.right:
        raise NotAllowedError("the present password is wrong; try again, or ask an organiser for a new password")
    token = draw_token()

    def work(connection: Connection) -> None:
        save_login_success(connection, attempt)
        save_password(connection, person.id, new_hash, actor=person.id, now=now)
        save_session(connection, person.id, token, expires_at=now + rules.session, now=now)

    database.write(work)
    return token


def mail_reset_link(database: Database, *, email: str, address: str, hours: int, now: datetime) -> None:
    """Mail a one-time link for a new password to somebody who has forgotten theirs.

    Nobody learns whether there is such an account. Few are mailed: `RESETS` in a quarter of an hour to one address.
    """
    begin_attempt(database, email=f"forgotten {email}", address=address, failures=RESETS, now=now)
    with database.read() as connection:
        person = _person(connection, email)
    if person is not None and person.email != IMPORTER:
        recipient, role = person.email, person.role
        database.write(
            lambda connection: make_link(
                connection, email=recipient, role=role, hours=hours, actor=None, now=now, mailed=True
            )
        )


def make_link(
    connection: Connection,
    *,
    email: str,
    role: Role,
    hours: int,
    actor: int | None,
    now: datetime,
    mailed: bool = False,
) -> str:
    """A one-time link to make an account, or a new password where there is an account; returns its token.

    mailed  whether it is mailed to the address too, with a token of its own
    """
    token = draw_token()
    has_account = load_person_by_email(connection, email) is not None
    new = NewLink(
        kind="password" if has_account else "account",
        email=email,
        token=token,
        expires_at=now + timedelta(hours=hours),
        role=None if has_account else role,
    )
    number = save_link(connection, new, actor=actor, now=now)
    if mailed:
        save_link_mail(connection, number, now=now)
    return token


def use_link(
    database: Database,
    token: str,
    *,
    display_name: str,
    password: str,
    person: Person | None,
    hashing: AbstractContextManager[object],
    now: datetime,
) -> Link:
    """Use a one-time link: make the account, set the password, or join the team (as `person`, who is signed in).

    Whoever is invited into a team and has no account makes one as a member in the same step.
    """
    with database.read() as connection:
        link = load_link(connection, token, now)
        is_known = link is not None and has_account(connection, link)
    if link is None:
        raise NotFoundError("this link is unknown, was used already, or is too old; ask for a new one")
    if link.kind == "team" and person is not None:
        return database.write(lambda connection: _join(connection, token, person, now))
    if link.kind == "team" and is_known:
        raise UsageError("sign in first, then open the link again to join the team")
    with database.read() as connection:
        holder = load_person_by_email(connection, link.email) if link.kind == "password" else None
    name = display_name if holder is None else holder.display_name
    check_new_password(password, email=link.email, display_name=name)
    with hashing:
        password_hash = hash_password(password)
    return database.write(lambda connection: _use(connection, token, display_name, password_hash, now))


def has_account(connection: Connection, link: Link) -> bool:
    """Whether the person to whom a link was sent has an account."""
    return load_person_by_email(connection, link.email) is not None


def make_api_token(
    database: Database, person: Person, *, name: str, scopes: frozenset[Scope], now: datetime, days: int = TOKEN_DAYS
) -> tuple[str, ApiToken]:
    """A new API token of a person, for some days; the token itself is shown once and not kept."""
    if not 0 < days <= LONGEST_TOKEN_DAYS:
        raise UsageError(f"a token for {days:,} days cannot be made; expected 1 to {LONGEST_TOKEN_DAYS}; choose less")
    token, expires_at = draw_token(), now + timedelta(days=days)
    api_token = database.write(
        lambda connection: save_api_token(
            connection, person.id, token, name=name, scopes=scopes, expires_at=expires_at, now=now
        )
    )
    return token, api_token


def sign_out(database: Database, token: str, now: datetime) -> None:
    """End the session of a token."""
    database.write(lambda connection: save_logout(connection, token, now))


def revoke_api_token(database: Database, number: int, person: Person, now: datetime) -> None:
    """Revoke one of a person's own tokens for good."""
    database.write(
        lambda connection: save_api_token_revoked(connection, number, person_id=person.id, actor=person.id, now=now)
    )


def who_has_session(database: Database, token: str, now: datetime) -> tuple[Person, tuple[Team, ...]] | None:
    """The person of a session and their teams; None if there is no such session."""
    with database.read() as connection:
        person = load_session_person(connection, token, now)
        return None if person is None else (person, load_teams(connection, person_id=person.id))


def who_has_api_token(
    database: Database, token: str, now: datetime
) -> tuple[Person, tuple[Team, ...], frozenset[str]] | None:
    """The person of an API token, their teams and the scopes of the token; None if it cannot be used.

    When it was last used is noted, once a minute at most.
    """
    with database.read() as connection:
        stored = load_api_token(connection, token, now)
        if stored is None:
            return None
        person = load_person(connection, stored.person_id)
        teams = load_teams(connection, person_id=person.id)
    if stored.last_used_at is None or now - stored.last_used_at > timedelta(minutes=1):
        database.write(lambda connection: save_api_token_use(connection, stored.id, now))
    return person, teams, frozenset(stored.scopes)


def _person(connection: Connection, email: str) -> Person | None:
    try:
        person = load_person_by_email(connection, email)
    except UsageError:
        return None
    return None if person is None or person.disabled_at is not None else person


def _join(connection: Connection, token: str, person: Person, now: datetime) -> Link:
    link = save_link_used(connection, token, now)
    save_member(connection, int(link.team_id or 0), person.id, actor=person.id, now=now)
    return link


def _use(connection: Connection, token: str, display_name: str, password_hash: str, now: datetime) -> Link:
    link = save_link_used(connection, token, now)
    if link.kind in ("account", "team"):
        new_person = save_person(
            connection,
            email=link.email,
            display_name=display_name,
            role=link.role or "member",
            password_hash=password_hash,
            actor=None,
            now=now,
        )
        if link.team_id is not None:
            save_member(connection, link.team_id, new_person.id, actor=new_person.id, now=now)
        return link
    person = load_person_by_email(connection, link.email)
    if person is None:
        raise NotFoundError("the account of this link is gone; ask for a new link")
    save_password(connection, person.id, password_hash, actor=person.id, now=now)
    return link
