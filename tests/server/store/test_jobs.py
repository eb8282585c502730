import threading
from datetime import timedelta

import pytest

from runoff.errors import LeaseLostError, NotFoundError, UsageError
from runoff.server.store.audit import load_audit
from runoff.server.store.jobs import (
    fail_job,
    finish_job,
    load_job,
    load_job_by_key,
    load_job_counts,
    release_job,
    renew_lease,
    save_job,
    take_job,
)
from tests.server.store.world import NOW, later

MINUTE = timedelta(minutes=1)


def put(connection, key="k", **options):
    return save_job(connection, "score", key, {"run_id": 7}, now=NOW, **options)


def take(connection, now=NOW, worker="w", kinds=("score",)):
    return take_job(connection, kinds, worker=worker, lease=MINUTE, now=now)


def test_a_job_is_put_taken_and_finished(database):
    def work(connection):
        job = put(connection)
        taken = take(connection)
        assert (taken.id, taken.state, taken.worker, taken.attempts) == (job.id, "running", "w", 1)
        assert taken.payload == {"run_id": 7}
        assert take(connection) is None
        finish_job(connection, taken, result={"mean": 0.5}, now=later(seconds=5))
        done = load_job(connection, job.id)
        assert (done.state, done.result, done.finished_at) == ("done", {"mean": 0.5}, later(seconds=5))
        assert take(connection, later(days=9)) is None
        assert load_job_counts(connection) == {("score", "done"): 1}
        assert [entry.action for entry in load_audit(connection, thing="job", thing_id=job.id)] == ["finish"]

    database.write(work)


def test_the_same_key_is_one_job_also_when_it_is_done(database):
    def work(connection):
        first = put(connection)
        assert put(connection) == first
        finish_job(connection, take(connection), now=NOW)
        assert put(connection).state == "done"
        assert load_job_by_key(connection, "k") == put(connection)
        assert load_job_by_key(connection, "other") is None

    database.write(work)


def test_the_same_key_put_at_once_is_one_job(database):
    found = []
    threads = [threading.Thread(target=lambda: found.append(database.write(put).id)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert len(set(found)) == 1


def test_other_kinds_are_left_alone_and_the_longest_wait_comes_first(database):
    def work(connection):
        save_job(connection, "mail", "m", {}, now=NOW)
        save_job(connection, "score", "late", {}, now=later(seconds=9))
        put(connection, "early")
        assert take(connection).job_key == "early"
        assert take(connection) is None
        assert take(connection, later(seconds=10)).job_key == "late"

    database.write(work)


def test_a_lost_worker_is_replaced_and_shut_out(database):
    def work(connection):
        put(connection)
        first = take(connection, worker="first")
        assert take(connection, later(seconds=59), "second") is None
        second = take(connection, later(seconds=60), "second")
        assert (second.attempts, second.fence) == (2, 2)
        for late in (finish_job, release_job):
            with pytest.raises(LeaseLostError, match="no longer held with fence 1; drop what was computed"):
                late(connection, first, now=later(seconds=61))
        with pytest.raises(LeaseLostError):
            renew_lease(connection, first, lease=MINUTE, now=later(seconds=61))
        with pytest.raises(LeaseLostError):
            fail_job(connection, first, "late", now=later(seconds=61))
        finish_job(connection, second, now=later(seconds=61))
        with pytest.raises(LeaseLostError):
            finish_job(connection, second, now=later(seconds=62))

    database.write(work)


def test_a_renewed_lease_holds_and_an_ended_one_that_nobody_took_too(database):
    def work(connection):
        put(connection)
        job = take(connection)
        renew_lease(connection, job, lease=MINUTE, now=later(seconds=50))
        assert take(connection, later(seconds=100)) is None
        finish_job(connection, job, now=later(days=1))

    database.write(work)


def test_a_failed_job_waits_longer_each_time_and_then_fails(database):
    def work(connection):
        put(connection, most_attempts=3)
        now, waits = NOW, []
        for attempt in (1, 2, 3):
            job = take(connection, now)
            assert job.attempts == attempt
            state = fail_job(connection, job, f"error {attempt}", now=now)
            assert take(connection, now) is None
            if state == "queued":
                waits.append(load_job(connection, job.id).run_after - now)
                now += waits[-1]
        assert waits == [timedelta(seconds=5), timedelta(seconds=10)]
        job = load_job(connection, job.id)
        assert (job.state, job.error, job.worker) == ("failed", "error 3", None)

    database.write(work)


def test_a_job_that_cannot_succeed_fails_at_once(database):
    def work(connection):
        put(connection)
        assert fail_job(connection, take(connection), "bad file", now=NOW, retry=False) == "failed"

    database.write(work)


def test_a_job_that_kills_its_workers_fails_in_the_end(database):
    def work(connection):
        number = put(connection, most_attempts=2).id
        assert take(connection).attempts == 1
        assert take(connection, later(minutes=1)).attempts == 2
        assert take(connection, later(minutes=2)) is None
        assert load_job(connection, number).error == "its worker was lost, and this was the last attempt"

    database.write(work)


def test_a_released_job_is_not_an_attempt(database):
    def work(connection):
        put(connection, most_attempts=1)
        release_job(connection, take(connection), now=NOW)
        again = take(connection)
        assert (again.attempts, again.fence) == (1, 2)

    database.write(work)


def test_workers_at_once_take_different_jobs(database):
    database.write(lambda connection: [put(connection, f"k{number}") for number in range(12)])
    taken = []

    def worker():
        while job := database.write(take):
            taken.append(job.job_key)

    threads = [threading.Thread(target=worker) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(taken) == sorted(f"k{number}" for number in range(12))


def test_mistakes_are_explained(database):
    with database.read() as connection, pytest.raises(NotFoundError, match="there is no job 99"):
        load_job(connection, 99)
    with pytest.raises(UsageError, match="most_attempts=0"):
        database.write(lambda connection: put(connection, most_attempts=0))
