"""Mails that wait: one for each end of a run, and none for runs that came with a board."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from runoff.server.store.jobs import load_jobs, take_job
from runoff.server.store.people import IMPORTER, save_person
from runoff.server.store.submissions import MAIL, save_link_mail, save_run, save_run_mail, save_run_state
from tests.server.store.world import NOW


def ended(world, connection, number=1, **changes):
    """A rejected run, and the job that ended it."""
    run = save_run(connection, world.run(number, **changes), now=NOW)
    job = take_job(connection, ["score"], worker="w", lease=timedelta(minutes=1), now=NOW)
    assert job is not None
    return save_run_state(connection, run.id, "rejected", problems=["x"], now=NOW), job


def mails(world):
    with world.database.read() as connection:
        return load_jobs(connection, kinds=(MAIL,))


def test_a_mail_is_queued_once_and_holds_no_address_and_no_text(world):
    def work(connection):
        run, job = ended(world, connection)
        first, again = (save_run_mail(connection, run, job, now=NOW) for _ in range(2))
        assert first == again
        return run

    run = world.database.write(work)
    (mail,) = mails(world)
    assert dict(mail.payload) == {"run_id": run.id, "state": "rejected"}
    assert (mail.state, mail.run_after, mail.most_attempts) == ("queued", NOW, 60)


def test_it_is_lost_and_kept_with_the_end_of_its_run(world):
    def work(connection):
        run, job = ended(world, connection)
        save_run_mail(connection, run, job, now=NOW)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        world.database.write(work)
    assert mails(world) == ()


def test_another_end_of_the_same_run_is_another_mail(world):
    def work(connection):
        run, job = ended(world, connection)
        save_run_mail(connection, run, job, now=NOW)
        again = take_job(connection, ["score"], worker="w", lease=timedelta(1), now=NOW + timedelta(hours=1))
        assert again is not None
        assert again.id == job.id
        save_run_mail(connection, run, again, now=NOW)

    world.database.write(work)
    assert len(mails(world)) == 2


def test_nobody_gets_mail_about_runs_that_came_with_a_board(world):
    def work(connection):
        importer = save_person(connection, email=IMPORTER, display_name="Import", role="member", actor=None, now=NOW)
        cases: list[dict[str, Any]] = [{"baseline": True}, {"submitted_by": importer.id}]
        for number, changes in enumerate(cases):
            assert save_run_mail(connection, *ended(world, connection, number, **changes), now=NOW) is None

    world.database.write(work)
    assert mails(world) == ()


def test_a_link_is_mailed_once_and_its_job_holds_no_secret(world):
    for _ in range(2):
        world.database.write(lambda connection: save_link_mail(connection, 7, now=NOW))
    (mail,) = mails(world)
    assert (mail.kind, dict(mail.payload)) == (MAIL, {"link_id": 7})
