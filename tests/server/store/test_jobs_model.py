"""The job table against a plain model, by random walks."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from runoff.errors import LeaseLostError
from runoff.server.store.database import Database
from runoff.server.store.jobs import (
    Job,
    fail_job,
    finish_job,
    load_job_by_key,
    release_job,
    renew_lease,
    save_job,
    take_job,
)
from tests.server.store.world import NOW

LEASE = timedelta(seconds=60)
MOST = 3


@dataclass
class Expected:
    """What a job should be."""

    state: str = "queued"
    attempts: int = 0
    fence: int = 0
    moment: float = 0  # a queued job may be begun from then on, a running one taken over


class Jobs(RuleBasedStateMachine):
    """Workers that take, renew, finish, fail and release, at any time, also with leases that are long lost."""

    database: Database

    def __init__(self):
        super().__init__()
        self.seconds = 0.0
        self.expected: dict[str, Expected] = {}
        self.leases: list[Job] = []
        self.finished: list[str] = []
        self.connection = self.database.engine.connect()
        self.transaction = self.connection.begin()

    def teardown(self):
        self.transaction.rollback()
        self.connection.close()

    @property
    def now(self):
        return NOW + timedelta(seconds=self.seconds)

    @rule(seconds=st.sampled_from([0.5, 5, 10, 59, 60, 200]))
    def wait(self, seconds):
        self.seconds += seconds

    @rule(key=st.sampled_from("abcd"))
    def put(self, key):
        save_job(self.connection, "score", key, {}, now=self.now, most_attempts=MOST)
        self.expected.setdefault(key, Expected(moment=self.seconds))

    @rule()
    def take(self):
        ready = []
        for key, job in self.expected.items():
            if job.state == "running" and job.moment <= self.seconds and job.attempts == MOST:
                job.state = "failed"
            elif job.state in {"queued", "running"} and job.moment <= self.seconds:
                ready.append(key)
        taken = take_job(self.connection, ["score"], worker="w", lease=LEASE, now=self.now)
        assert (taken is None) == (not ready)
        if taken is not None:
            assert taken.job_key in ready
            job = self.expected[taken.job_key]
            job.state, job.moment = "running", self.seconds + LEASE.total_seconds()
            job.attempts += 1
            job.fence += 1
            self.leases.append(taken)

    def attempt(self, data, action):
        """Do something with any lease that was ever held; return its key if it should have worked."""
        lease = data.draw(st.sampled_from(self.leases))
        job = self.expected[lease.job_key]
        if job.state == "running" and job.fence == lease.fence:
            action(lease)
            return lease.job_key
        with pytest.raises(LeaseLostError):
            action(lease)
        return None

    @precondition(lambda self: self.leases)
    @rule(data=st.data())
    def finish(self, data):
        key = self.attempt(data, lambda lease: finish_job(self.connection, lease, now=self.now))
        if key:
            self.expected[key].state = "done"
            self.finished.append(key)

    @precondition(lambda self: self.leases)
    @rule(data=st.data())
    def renew(self, data):
        key = self.attempt(data, lambda lease: renew_lease(self.connection, lease, lease=LEASE, now=self.now))
        if key:
            self.expected[key].moment = self.seconds + LEASE.total_seconds()

    @precondition(lambda self: self.leases)
    @rule(data=st.data())
    def fail(self, data):
        key = self.attempt(data, lambda lease: fail_job(self.connection, lease, "error", now=self.now))
        if key:
            job = self.expected[key]
            job.state = "failed" if job.attempts == MOST else "queued"
            job.moment = self.seconds + 5 * 2 ** (job.attempts - 1)

    @precondition(lambda self: self.leases)
    @rule(data=st.data())
    def release(self, data):
        key = self.attempt(data, lambda lease: release_job(self.connection, lease, now=self.now))
        if key:
            job = self.expected[key]
            job.state, job.moment = "queued", self.seconds
            job.attempts -= 1

    @invariant()
    def the_table_is_what_the_model_says(self):
        for key, job in self.expected.items():
            found = load_job_by_key(self.connection, key)
            assert found
            assert (found.state, found.attempts, found.fence) == (job.state, job.attempts, job.fence)
        assert len(self.finished) == len(set(self.finished))


def walk(database, examples, steps):
    machine = type("JobsHere", (Jobs,), {"database": database})
    run_state_machine_as_test(machine, settings=settings(max_examples=examples, stateful_step_count=steps))


def test_random_walks_agree_with_the_model(database):
    walk(database, 15, 30)


@pytest.mark.proof
def test_many_random_walks_agree_with_the_model(database):
    walk(database, 300, 60)
