"""A worker process for the kill test: takes jobs until all are done, and leaves one mark per finished job.

python worker.py DATABASE_URL SEED
"""

from __future__ import annotations

import random
import sys
import time
from datetime import UTC, datetime, timedelta

from runoff.errors import LeaseLostError
from runoff.server.store._rows import note
from runoff.server.store.database import Database, open_database
from runoff.server.store.jobs import Job, finish_job, load_job_counts, take_job

LEASE = timedelta(seconds=0.4)


def finish(database: Database, job: Job, draw: random.Random) -> None:
    """Write the mark and finish the job in one transaction, dawdling in the middle of it."""

    def work(connection):
        note(connection, "mark", "result", job.id, actor=None, now=datetime.now(UTC))
        time.sleep(draw.random() * 0.02)
        finish_job(connection, job, now=datetime.now(UTC))

    database.write(work)


def main(url: str, seed: str) -> None:
    """Work until nothing is left."""
    draw, database = random.Random(seed), open_database(url)
    while True:
        job = database.write(
            lambda connection: take_job(connection, ["score"], worker=seed, lease=LEASE, now=datetime.now(UTC))
        )
        if job is None:
            with database.read() as connection:
                counts = load_job_counts(connection)
            if set(counts) <= {("score", "done"), ("score", "failed")}:
                return
            time.sleep(0.02)
            continue
        # Now and then longer than the lease: then another worker takes the job over while this one lives.
        time.sleep(0.6 if draw.random() < 0.05 else draw.random() * 0.03)
        try:
            finish(database, job, draw)
        except LeaseLostError:
            continue


if __name__ == "__main__":
    main(*sys.argv[1:])
