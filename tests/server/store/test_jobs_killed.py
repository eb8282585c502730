"""Workers are killed at random moments, and every job is finished exactly once."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest

from runoff.server.store.audit import load_audit
from runoff.server.store.jobs import load_job_counts, save_job

WORKER = Path(__file__).with_name("worker.py")


def start(url, seed):
    return subprocess.Popen([sys.executable, str(WORKER), url, seed])


def await_work(database):
    """Wait until a worker is at work, or nothing is left to do."""
    while True:
        with database.read() as connection:
            counts = load_job_counts(connection)
        if ("score", "running") in counts or ("score", "queued") not in counts:
            return
        time.sleep(0.01)


def kill_round(database, url, *, seed, jobs, workers, kills):
    """Put jobs, let workers work, kill and replace some of them, and let the last ones come to an end."""
    draw = random.Random(seed)
    names = [f"{seed}:{number}" for number in range(jobs)]
    # A job may lose a worker at every kill, so it may be begun often.
    now = datetime.now(UTC)
    database.write(lambda connection: [save_job(connection, "score", n, {}, now=now, most_attempts=99) for n in names])
    crew = [start(url, f"{seed}/{number}") for number in range(workers)]
    killed = 0
    try:
        for number in range(kills):
            await_work(database)
            time.sleep(draw.uniform(0.02, 0.4))
            place = draw.randrange(workers)
            killed += crew[place].poll() is None
            crew[place].kill()
            crew[place].wait()
            crew[place] = start(url, f"{seed}/again {number}")
        assert [worker.wait(timeout=60) for worker in crew] == [0] * workers
    finally:
        for worker in crew:
            worker.kill()
            worker.wait()
    return killed


def check(database, jobs):
    with database.read() as connection:
        assert load_job_counts(connection) == {("score", "done"): jobs}
        entries = load_audit(connection)
    marks = Counter(entry.thing_id for entry in entries if entry.action == "mark")
    assert len(marks) == jobs
    assert set(marks.values()) == {1}
    assert Counter(entry.thing_id for entry in entries if entry.action == "finish") == marks


def test_killed_workers_lose_nothing_and_repeat_nothing(database, database_url):
    assert kill_round(database, database_url, seed=1, jobs=60, workers=2, kills=3) > 0
    check(database, 60)


@pytest.mark.proof
def test_twenty_rounds_of_killed_workers(database, database_url):
    killed = sum(kill_round(database, database_url, seed=seed, jobs=60, workers=3, kills=6) for seed in range(20))
    check(database, 1200)
    assert killed >= 60
