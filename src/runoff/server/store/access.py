"""How people get in: passwords, sessions, API tokens, one-time links and failed attempts to sign in."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Final

from sqlalchemy import ColumnElement, Connection, bindparam, delete, func, or_, select, update

from runoff.errors import NotFoundError, UsageError
from runoff.server.networks import customer_of
from runoff.server.store._rows import add, columns, many, maybe, note, one
from runoff.server.store.models.accounts import API_TOKEN, LOGIN_ATTEMPT, PERSON, SESSION, LinkKind, Role
from runoff.server.store.models.accounts import ONE_TIME_LINK as LINK
from runoff.server.store.names import clean_email, clean_name
from runoff.server.store.people import Person

if TYPE_CHECKING:
    from argon2 import PasswordHasher

SHORTEST: Final = 12
# A password is hashed whole, so a very long one would be work for the server.
LONGEST: Final = 1000
# One number for this program, as that of the migrations.
_LOGIN_LOCK: Final = 7_236_634


@dataclass(frozen=True)
class PasswordCheck:
    """Whether a password is right, and whether its hash should be renewed with today's parameters."""

    right: bool
    outdated: bool


def hash_password(password: str) -> str:
    """The hash to keep of a password; it takes 64 MB and some tenths of a second, on purpose."""
    check_length(password)
    return _hasher().hash(password)


def check_length(password: str) -> None:
    """Raise if a password is too short or too long."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise UsageError(
            f"a password of {len(password)} characters cannot be used; expected {SHORTEST} to {LONGEST}; choose another"
        )


def check_password(password: str, password_hash: str | None) -> PasswordCheck:
    """Whether a password is the one of the hash.

    Without a hash, because nobody has that address, it is compared all the same, with one that nothing fits, so that
    the time of the answer does not tell who has an account.
    """
    from argon2.exceptions import VerificationError

    if len(password) > LONGEST:
        return PasswordCheck(right=False, outdated=False)
    try:
        _hasher().verify(password_hash or _nobodys_hash(), password)
    except VerificationError:
        return PasswordCheck(right=False, outdated=False)
    if password_hash is None:
        return PasswordCheck(right=False, outdated=False)
    return PasswordCheck(right=True, outdated=_hasher().check_needs_rehash(password_hash))


def token_hash(token: str) -> str:
    """What is kept of a token.

    A token has 128 random bits or more, so a plain hash of it cannot be searched; a password would need argon2.

    >>> token_hash("abc")[:8]
    'ba7816bf'
    """
    return hashlib.sha256(token.encode()).hexdigest()


@cache
def _hasher() -> PasswordHasher:
    from argon2 import PasswordHasher
    from argon2.profiles import RFC_9106_LOW_MEMORY

    # argon2id, 3 passes over 64 MB in 4 lanes: the second choice of RFC 9106, section 4, for a shared machine.
    return PasswordHasher.from_parameters(RFC_9106_LOW_MEMORY)


@cache
def _nobodys_hash() -> str:
    return _hasher().hash("nobody has this password")


@dataclass(frozen=True, kw_only=True)
class FailedLogins:
    """Attempts since a moment that failed or are under way, and whether the person has signed in from there before.

    for_email     for an address of mail, from wherever
    from_address  from an address of the network, for whomever
    for_both      for the one from the other
    """

    for_email: int
    from_address: int
    for_both: int
    is_usual_address: bool


def save_session(connection: Connection, person_id: int, token: str, *, expires_at: datetime, now: datetime) -> None:
    """Begin a session; of its token, which the caller drew at random, only a hash is kept."""
    row = {"token_hash": token_hash(token), "person_id": person_id, "created_at": now, "expires_at": expires_at}
    number = add(connection, SESSION, **row)
    note(connection, "log in", "person", person_id, actor=person_id, now=now, session=number)


def load_session_person(connection: Connection, token: str, now: datetime) -> Person | None:
    """Whose session it is; None if it has ended, is unknown or its person's account is closed."""
    row = connection.execute(_PERSON, {"token": token_hash(token), "now": now}).mappings().one_or_none()
    return None if row is None else Person(**row)


def save_logout(connection: Connection, token: str, now: datetime) -> None:
    """End a session; an unknown one is not an error."""
    live = (SESSION.c.token_hash == token_hash(token)) & SESSION.c.ended_at.is_(None)
    ended = connection.execute(update(SESSION).where(live).values(ended_at=now).returning(SESSION.c.person_id))
    for (person_id,) in ended:
        note(connection, "log out", "person", person_id, actor=person_id, now=now)


def lock_logins(connection: Connection) -> None:
    """Let nobody else count or keep attempts until the transaction ends; SQLite has one writer anyway."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOGIN_LOCK})")


def save_login_attempt(connection: Connection, *, email: str, address: str, now: datetime) -> int:
    """Keep an attempt to log in, as one that failed, and return its number; `email` is what was typed."""
    row = {"email": _typed(email), "address": customer_of(address)[:64], "succeeded": False, "at": now}
    return add(connection, LOGIN_ATTEMPT, **row)


def save_login_success(connection: Connection, attempt: int) -> None:
    """Note that an attempt succeeded."""
    connection.execute(update(LOGIN_ATTEMPT).where(LOGIN_ATTEMPT.c.id == attempt).values(succeeded=True))


def load_failed_logins(connection: Connection, *, email: str, address: str, since: datetime) -> FailedLogins:
    """How many attempts failed since a moment; a success does not wipe out the failures before it."""
    same_email, same_address = (
        LOGIN_ATTEMPT.c.email == _typed(email),
        LOGIN_ATTEMPT.c.address == customer_of(address)[:64],
    )

    def count(*conditions: ColumnElement[bool]) -> int:
        return int(connection.execute(select(func.count()).select_from(LOGIN_ATTEMPT).where(*conditions)).scalar_one())

    failed = (LOGIN_ATTEMPT.c.at > since) & LOGIN_ATTEMPT.c.succeeded.is_(False)
    return FailedLogins(
        for_email=count(failed, same_email),
        from_address=count(failed, same_address),
        for_both=count(failed, same_email, same_address),
        is_usual_address=count(LOGIN_ATTEMPT.c.succeeded.is_(True), same_email, same_address) > 0,
    )


def _typed(email: str) -> str:
    return email.strip().lower()[:254]


def save_forgotten(connection: Connection, *, before: datetime) -> int:
    """Remove attempts and sessions that ended before a moment, and return how many; they are personal data."""
    old = connection.execute(delete(LOGIN_ATTEMPT).where(LOGIN_ATTEMPT.c.at < before)).rowcount
    over = (SESSION.c.expires_at < before) | (SESSION.c.ended_at < before)
    return int(old + connection.execute(delete(SESSION).where(over)).rowcount)


# Made once: every request of somebody who is logged in asks.
_PERSON: Final = (
    select(*columns(Person, PERSON))
    .join(SESSION, SESSION.c.person_id == PERSON.c.id)
    .where(
        SESSION.c.token_hash == bindparam("token", type_=SESSION.c.token_hash.type),
        SESSION.c.expires_at > bindparam("now", type_=SESSION.c.expires_at.type),
        SESSION.c.ended_at.is_(None),
        PERSON.c.disabled_at.is_(None),
    )
)


SCOPES: Final = ("read", "submit", "judge", "organise")


@dataclass(frozen=True, kw_only=True)
class ApiToken:
    """A token as its owner sees it; the token itself is shown once and not kept."""

    id: int
    person_id: int
    name: str
    scopes: Sequence[str]
    created_at: datetime
    expires_at: datetime
    revoked_at: datetime | None
    last_used_at: datetime | None


def save_api_token(
    connection: Connection,
    person_id: int,
    token: str,
    *,
    name: str,
    scopes: Iterable[str],
    expires_at: datetime,
    now: datetime,
) -> ApiToken:
    """Make a token for a person; `token` is drawn at random by the caller."""
    wanted = sorted(set(scopes))
    unknown = [scope for scope in wanted if scope not in SCOPES]
    if unknown or not wanted:
        raise UsageError(f"scopes {unknown or wanted} cannot be used; expected some of {', '.join(SCOPES)}")
    row = {"person_id": person_id, "name": clean_name(name), "scopes": wanted, "expires_at": expires_at}
    number = add(connection, API_TOKEN, token_hash=token_hash(token), created_at=now, **row)
    note(connection, "create", "API token", number, actor=person_id, now=now, scopes=wanted)
    return one(connection, ApiToken, API_TOKEN, API_TOKEN.c.id == number, what=f"API token {number}")


def load_api_token(connection: Connection, token: str, now: datetime) -> ApiToken | None:
    """The token, if it can be used: known, not revoked, not too old, its owner's account open."""
    query = select(*columns(ApiToken, API_TOKEN)).join(PERSON, PERSON.c.id == API_TOKEN.c.person_id)
    query = query.where(
        API_TOKEN.c.token_hash == token_hash(token),
        API_TOKEN.c.revoked_at.is_(None),
        API_TOKEN.c.expires_at > now,
        PERSON.c.disabled_at.is_(None),
    )
    row = connection.execute(query).mappings().one_or_none()
    return None if row is None else ApiToken(**row)


def save_api_token_use(connection: Connection, token_id: int, now: datetime) -> None:
    """Note when a token was last used; once a minute is often enough."""
    connection.execute(update(API_TOKEN).where(API_TOKEN.c.id == token_id).values(last_used_at=now))


def load_api_tokens(connection: Connection, person_id: int | None = None) -> tuple[ApiToken, ...]:
    """All tokens that a person, or anybody, ever made, the oldest first."""
    return many(connection, ApiToken, API_TOKEN, *([] if person_id is None else [API_TOKEN.c.person_id == person_id]))


def save_api_token_revoked(
    connection: Connection, token_id: int, *, person_id: int, actor: int | None, now: datetime
) -> None:
    """Revoke a token of a person for good."""
    own = (API_TOKEN.c.id == token_id) & (API_TOKEN.c.person_id == person_id) & API_TOKEN.c.revoked_at.is_(None)
    if connection.execute(update(API_TOKEN).where(own).values(revoked_at=now)).rowcount != 1:
        raise NotFoundError(f"person {person_id} has no API token {token_id} that could be revoked")
    note(connection, "revoke", "API token", token_id, actor=actor, now=now)


@dataclass(frozen=True, kw_only=True)
class Link:
    """What a link lets its holder do, once.

    account   make an account with this address and role
    team      join a team
    password  choose a new password for the account of this address
    """

    id: int
    kind: LinkKind
    email: str
    role: Role | None
    team_id: int | None
    created_by: int | None
    created_at: datetime
    expires_at: datetime
    used_at: datetime | None


@dataclass(frozen=True, kw_only=True)
class NewLink:
    """A link to be made; its token is drawn at random by the caller and never stored."""

    kind: LinkKind
    email: str
    token: str
    expires_at: datetime
    role: Role | None = None
    team_id: int | None = None

    def __post_init__(self) -> None:
        if (self.kind == "account") != (self.role is not None) or (self.kind == "team") != (self.team_id is not None):
            raise UsageError(
                f"a link of kind {self.kind!r} with role {self.role!r} and team {self.team_id!r} makes no sense; "
                "expected a role with kind 'account' and a team with kind 'team'"
            )


def save_link(connection: Connection, new: NewLink, *, actor: int | None, now: datetime) -> int:
    """Make a link and return its number."""
    row = {"kind": new.kind, "email": clean_email(new.email), "role": new.role, "team_id": new.team_id}
    times = {"created_by": actor, "created_at": now, "expires_at": new.expires_at}
    number = add(connection, LINK, token_hash=token_hash(new.token), **row, **times)
    note(connection, "create", "link", number, actor=actor, now=now, kind=new.kind, team=new.team_id)
    return number


def load_link(connection: Connection, token: str, now: datetime) -> Link | None:
    """The link of a token, without using it; None if it is unknown, used or too old."""
    return maybe(connection, Link, LINK, *_usable(token, now))


def save_link_used(connection: Connection, token: str, now: datetime) -> Link:
    """Use a link up; of two people who try at once only one succeeds."""
    statement = update(LINK).where(*_usable(token, now)).values(used_at=now).returning(*columns(Link, LINK))
    row = connection.execute(statement).mappings().one_or_none()
    if row is None:
        raise NotFoundError("this link is unknown, was used already, or is too old; ask for a new one")
    link = Link(**row)
    note(connection, "use", "link", link.id, actor=None, now=now, kind=link.kind)
    return link


def save_link_mailed(connection: Connection, link_id: int, token: str, now: datetime) -> Link | None:
    """Let another token, which is mailed, open a link too; None if the link was used or is too old.

    A token that was mailed before opens it no longer.
    """
    open_one = (LINK.c.id == link_id) & LINK.c.used_at.is_(None) & (LINK.c.expires_at > now)
    statement = update(LINK).where(open_one).values(mailed_hash=token_hash(token)).returning(*columns(Link, LINK))
    row = connection.execute(statement).mappings().one_or_none()
    return None if row is None else Link(**row)


def load_link_count(connection: Connection, person_id: int, *, since: datetime) -> int:
    """How many links a person has made since a moment."""
    query = select(func.count()).where(LINK.c.created_by == person_id, LINK.c.created_at > since)
    return int(connection.execute(query).scalar_one())


def load_invitation_count(connection: Connection, team_id: int, now: datetime) -> int:
    """How many people a team has invited: links into it that were used, or can be."""
    query = select(func.count()).where(
        LINK.c.team_id == team_id, LINK.c.used_at.is_not(None) | (LINK.c.expires_at > now)
    )
    return int(connection.execute(query).scalar_one())


def load_open_links(connection: Connection, now: datetime, *, team_id: int | None = None) -> tuple[Link, ...]:
    """Links that can still be used: all of them, or the invitations to one team."""
    where = [LINK.c.used_at.is_(None), LINK.c.expires_at > now]
    return many(connection, Link, LINK, *where, *([] if team_id is None else [LINK.c.team_id == team_id]))


def save_link_withdrawn(connection: Connection, link_id: int, *, actor: int | None, now: datetime) -> None:
    """Let a link end now."""
    statement = update(LINK).where(LINK.c.id == link_id, LINK.c.used_at.is_(None)).values(expires_at=now)
    if connection.execute(statement).rowcount != 1:
        raise NotFoundError(f"there is no unused link {link_id}")
    note(connection, "withdraw", "link", link_id, actor=actor, now=now)


def _usable(token: str, now: datetime) -> list:  # type: ignore[type-arg]
    hashed = token_hash(token)
    return [
        or_(LINK.c.token_hash == hashed, LINK.c.mailed_hash == hashed),
        LINK.c.used_at.is_(None),
        LINK.c.expires_at > now,
    ]
