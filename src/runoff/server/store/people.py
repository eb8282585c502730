"""People with an account."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, select, update

from runoff.errors import NotFoundError, UsageError
from runoff.server.store._rows import add, many, maybe, note, one
from runoff.server.store.models.access import API_TOKEN, SESSION
from runoff.server.store.models.people import PERSON, ROLES, Role
from runoff.server.store.names import clean_email, clean_name

IMPORTER: Final = "import@runoff.invalid"
"""Who submitted the runs that came with a board; nobody can sign in as it, and no mail goes there."""


@dataclass(frozen=True, kw_only=True)
class Person:
    """Somebody with an account; the hash of the password is no part of it."""

    id: int
    email: str
    display_name: str
    role: Role
    created_at: datetime
    disabled_at: datetime | None


def save_person(
    connection: Connection,
    *,
    email: str,
    display_name: str,
    role: Role,
    password_hash: str | None = None,
    actor: int | None,
    now: datetime,
) -> Person:
    """Make an account; `password_hash` is of `hash_password`, or None until the person has chosen a password."""
    address = clean_email(email)
    number = add(
        connection,
        PERSON,
        f"{address} has an account already",
        email=address,
        display_name=clean_name(display_name),
        role=_checked_role(role),
        password_hash=password_hash,
        created_at=now,
    )
    note(connection, "create", "person", number, actor=actor, now=now, role=role)
    return load_person(connection, number)


def load_person(connection: Connection, person_id: int) -> Person:
    """The person of a number."""
    return one(connection, Person, PERSON, PERSON.c.id == person_id, what=f"person {person_id}")


def load_person_by_email(connection: Connection, email: str) -> Person | None:
    """The person of an address, or None."""
    return maybe(connection, Person, PERSON, PERSON.c.email == clean_email(email))


def load_people(connection: Connection) -> tuple[Person, ...]:
    """Everybody with an account, the oldest first."""
    return many(connection, Person, PERSON)


def load_password_hash(connection: Connection, person_id: int) -> str | None:
    """The hash of a person's password, for `check_password`; None before one was chosen."""
    row = connection.execute(select(PERSON.c.password_hash).where(PERSON.c.id == person_id)).one_or_none()
    if row is None:
        raise NotFoundError(f"there is no person {person_id}")
    return None if row[0] is None else str(row[0])


def save_password(
    connection: Connection, person_id: int, password_hash: str, *, actor: int | None, now: datetime
) -> None:
    """Set a password; every session of the person ends."""
    _change(connection, person_id, password_hash=password_hash)
    _end_sessions(connection, person_id, now)
    note(connection, "set password", "person", person_id, actor=actor, now=now)


def save_rehashed_password(connection: Connection, person_id: int, password_hash: str) -> None:
    """Keep the same password under a newer hash."""
    _change(connection, person_id, password_hash=password_hash)


def save_role(connection: Connection, person_id: int, role: Role, *, actor: int | None, now: datetime) -> None:
    """Give a person a role."""
    _change(connection, person_id, role=_checked_role(role))
    note(connection, "set role", "person", person_id, actor=actor, now=now, role=role)


def save_disabled(connection: Connection, person_id: int, *, actor: int | None, now: datetime) -> None:
    """Close an account: every session ends, every API token is revoked; what the person did stays."""
    _change(connection, person_id, disabled_at=now)
    _end_sessions(connection, person_id, now)
    tokens = (API_TOKEN.c.person_id == person_id) & API_TOKEN.c.revoked_at.is_(None)
    connection.execute(update(API_TOKEN).where(tokens).values(revoked_at=now))
    note(connection, "disable", "person", person_id, actor=actor, now=now)


def _checked_role(role: Role) -> Role:
    if role not in ROLES:
        raise UsageError(f"role {role!r} is unknown; expected one of {', '.join(ROLES)}")
    return role


def _change(connection: Connection, person_id: int, **row: object) -> None:
    if connection.execute(update(PERSON).where(PERSON.c.id == person_id).values(**row)).rowcount != 1:
        raise NotFoundError(f"there is no person {person_id}")


def _end_sessions(connection: Connection, person_id: int, now: datetime) -> None:
    live = (SESSION.c.person_id == person_id) & SESSION.c.ended_at.is_(None)
    connection.execute(update(SESSION).where(live).values(ended_at=now))
