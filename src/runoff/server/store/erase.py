"""Deleting a person's data: who they are is gone, what they did stays under a number."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from sqlalchemy import Connection, Table, delete, select, update

from runoff.errors import UsageError
from runoff.server.store._rows import note
from runoff.server.store.models.accounts import API_TOKEN, LOGIN_ATTEMPT, ONE_TIME_LINK, PERSON, SESSION
from runoff.server.store.models.campaigns import ASSIGNMENT, CAMPAIGN_ENTRY, COMPLETION, IMPORTED_TASK, WORKER
from runoff.server.store.people import IMPORTER, Person, load_person, load_teams, save_departure

NOWHERE: Final = "deleted.invalid"
"""The domain of deleted people: nothing can be sent there, and nobody can sign in with it."""


def is_deleted(person: Person) -> bool:
    """Whether the data of a person were deleted."""
    return person.email.startswith("deleted-") and person.email.endswith(".invalid")


def save_person_deleted(connection: Connection, person_id: int, *, actor: int | None, now: datetime) -> Person:
    """Delete name, mail address, password, tokens, sessions, links, attempts to sign in and ids of other sites.

    The person is "Deleted person N" from now on, in no team, and cannot sign in. Runs, judgments, consents, codes with
    their pay, and the audit log name people by number alone, and stay.
    """
    person = load_person(connection, person_id)
    if person.email == IMPORTER:
        raise UsageError("this is the account that boards were imported with; expected a person")
    if connection.dialect.name == "sqlite":
        # What is deleted is overwritten in the file too.
        connection.exec_driver_sql("PRAGMA secure_delete = ON")
    alias = f"deleted-{person_id}"
    # People without an account stay apart from those with one.
    domain = person.email.rpartition("@")[2]
    email = f"{alias}@{domain if domain.endswith('.invalid') else NOWHERE}"
    for team in load_teams(connection, person_id=person_id):
        save_departure(connection, team.id, person_id, actor=actor, now=now)
    for table in (SESSION, API_TOKEN):
        connection.execute(delete(table).where(table.c.person_id == person_id))
    connection.execute(delete(LOGIN_ATTEMPT).where(LOGIN_ATTEMPT.c.email == person.email))
    connection.execute(
        update(ONE_TIME_LINK)
        .where(ONE_TIME_LINK.c.email == person.email, ONE_TIME_LINK.c.used_at.is_(None))
        .values(used_at=now)
    )
    connection.execute(update(ONE_TIME_LINK).where(ONE_TIME_LINK.c.email == person.email).values(email=email))
    connection.execute(update(WORKER).where(WORKER.c.person_id == person_id).values(worker_id=alias, released_at=None))
    for table in (CAMPAIGN_ENTRY, COMPLETION):
        _replace_references(connection, table, person_id)
    done_by = select(ASSIGNMENT.c.id).where(ASSIGNMENT.c.person_id == person_id)
    connection.execute(update(IMPORTED_TASK).where(IMPORTED_TASK.c.assignment_id.in_(done_by)).values(assessor=alias))
    connection.execute(
        update(PERSON)
        .where(PERSON.c.id == person_id)
        .values(
            email=email,
            display_name=f"Deleted person {person_id}",
            name_key=None,
            password_hash=None,
            disabled_at=person.disabled_at or now,
        )
    )
    note(connection, "delete data", "person", person_id, actor=actor, now=now)
    return load_person(connection, person_id)


def _replace_references(connection: Connection, table: Table, person_id: int) -> None:
    """Replace the numbers that a crowdsourcing site gave to its assignments; each stays one of its own."""
    for number in connection.execute(select(table.c.id).where(table.c.person_id == person_id)).scalars().all():
        connection.execute(update(table).where(table.c.id == number).values(reference=f"deleted-{number}"))
