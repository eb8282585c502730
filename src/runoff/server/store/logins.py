"""Sessions of people who are logged in, and the attempts that limits are counted from."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, bindparam, delete, func, insert, select, update

from runoff.server.store._rows import add, columns, note
from runoff.server.store.models.access import LOGIN_ATTEMPT, SESSION
from runoff.server.store.models.people import PERSON
from runoff.server.store.passwords import token_hash
from runoff.server.store.people import Person


@dataclass(frozen=True, kw_only=True)
class FailedLogins:
    """Attempts since a moment that failed: for an address of mail, and from an address of the network."""

    for_email: int
    from_address: int


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
    """End a session; an unknown one is no fault."""
    live = (SESSION.c.token_hash == token_hash(token)) & SESSION.c.ended_at.is_(None)
    ended = connection.execute(update(SESSION).where(live).values(ended_at=now).returning(SESSION.c.person_id))
    for (person_id,) in ended:
        note(connection, "log out", "person", person_id, actor=person_id, now=now)


def save_login_attempt(connection: Connection, *, email: str, address: str, succeeded: bool, now: datetime) -> None:
    """Keep an attempt to log in; `email` is what was typed."""
    row = {"email": email.strip().lower()[:254], "address": address[:64], "succeeded": succeeded, "at": now}
    connection.execute(insert(LOGIN_ATTEMPT).values(**row))


def load_failed_logins(connection: Connection, *, email: str, address: str, since: datetime) -> FailedLogins:
    """How many attempts failed since a moment; a success does not wipe out the failures before it."""
    failed = (LOGIN_ATTEMPT.c.at > since) & LOGIN_ATTEMPT.c.succeeded.is_(False)

    def count(condition: object) -> int:
        query = select(func.count()).select_from(LOGIN_ATTEMPT).where(failed, condition)  # type: ignore[arg-type]
        return int(connection.execute(query).scalar_one())

    return FailedLogins(
        for_email=count(LOGIN_ATTEMPT.c.email == email.strip().lower()[:254]),
        from_address=count(LOGIN_ATTEMPT.c.address == address[:64]),
    )


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
