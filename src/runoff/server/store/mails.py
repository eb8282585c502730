"""Mails that wait to be sent: each is a job, queued in the transaction of what it tells."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Final

from runoff.server.store.jobs import Job, save_job
from runoff.server.store.people import IMPORTER, load_person
from runoff.server.store.submissions import StoredRun

if TYPE_CHECKING:
    from sqlalchemy import Connection

MAIL: Final = "mail"
"""The kind of a job that sends one mail."""
MOST_ATTEMPTS: Final = 60
"""With the usual waits, up to half an hour each, about a day."""


def save_run_mail(connection: Connection, run: StoredRun, cause: Job, *, now: datetime) -> Job | None:
    """Queue the mail about a run, in the transaction of its end; None for runs that came with a board.

    cause  the job that ended: a run that is scored again after a fault of the server gets another mail

    No address and no text is in the job; both are looked up when the mail is sent.
    """
    if run.baseline or load_person(connection, run.submitted_by).email == IMPORTER:
        return None
    key = f"{MAIL}:run:{run.id}:{cause.id}:{cause.fence}"
    payload = {"run_id": run.id, "state": run.state}
    return save_job(connection, MAIL, key, payload, now=now, most_attempts=MOST_ATTEMPTS)


def save_link_mail(connection: Connection, link_id: int, *, now: datetime) -> Job:
    """Queue the mail with a one-time link, in the transaction that makes the link."""
    key, payload = f"{MAIL}:link:{link_id}", {"link_id": link_id}
    return save_job(connection, MAIL, key, payload, now=now, most_attempts=MOST_ATTEMPTS)
