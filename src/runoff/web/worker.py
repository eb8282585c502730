"""Background work: takes jobs, keeps their leases while it works, and stops cleanly."""

from __future__ import annotations

import logging
import os
import signal
import socket
import traceback
from datetime import timedelta
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Final

from runoff.errors import BusyError, LeaseLostError, StoreError
from runoff.store.jobs import Job, fail_job, renew_lease, take_job
from runoff.store.logins import save_forgotten
from runoff.web.site import Site, SiteSettings, open_site
from runoff.workflows.give_up import save_hopeless_runs
from runoff.workflows.score_submission import JOB_KINDS, score_submission

if TYPE_CHECKING:
    from types import FrameType

LOG: Final = logging.getLogger("runoff.worker")
LEASE: Final = timedelta(seconds=60)
POLL_SECONDS: Final = 0.5
NICE: Final = 10
"""How far a worker process stands back behind the server when both want a core."""
TIDY_EVERY: Final = timedelta(minutes=10)
KEEP_ATTEMPTS: Final = timedelta(days=30)


class Worker:
    """Does jobs of a site, one after the other, until `stop` is set; a job that was begun is finished first."""

    def __init__(self, site: Site, *, name: str = "", stop: Event | None = None, lease: timedelta = LEASE) -> None:
        self.site = site
        self.name = name or f"{socket.gethostname()}:{os.getpid()}"
        self.stop = stop or Event()
        self.lease = lease
        self._tidied_at = site.now() - TIDY_EVERY

    def run(self) -> None:
        """Work until told to stop; a database that is not to be had for a while is waited for."""
        while not self.stop.is_set():
            try:
                self._tidy()
                if self.work_once():
                    continue
            except (BusyError, StoreError) as error:
                LOG.warning("waiting: %s", type(error).__name__)
            self.stop.wait(POLL_SECONDS)

    def work_once(self) -> bool:
        """Do one job, if there is one; whether there was."""
        job = self.site.database.write(
            lambda connection: take_job(connection, JOB_KINDS, worker=self.name, lease=self.lease, now=self.site.now())
        )
        if job is None:
            return False
        done = Event()
        beat = Thread(target=self._beat, args=(job, done), daemon=True)
        beat.start()
        try:
            state = score_submission(
                self.site.database, self.site.files, job, now=self.site.now, max_bytes=self.site.settings.read_limit
            )
            LOG.info("job %d: run %s is %s", job.id, job.payload["run_id"], state)
        except LeaseLostError:
            LOG.warning("job %d: another worker has it", job.id)
        except Exception as error:  # noqa: BLE001  # whatever it is, the next job has to be done
            self._fail(job, error)
        finally:
            done.set()
            beat.join()
        return True

    def _beat(self, job: Job, done: Event) -> None:
        while not done.wait(self.lease.total_seconds() / 3):
            try:
                self.site.database.write(
                    lambda connection: renew_lease(connection, job, lease=self.lease, now=self.site.now())
                )
            except StoreError as error:
                LOG.warning("job %d: the lease was not renewed: %s", job.id, type(error).__name__)
                if isinstance(error, LeaseLostError):
                    return

    def _fail(self, job: Job, error: Exception) -> None:
        # The kind and the place alone: a message could name what is private.
        last = traceback.extract_tb(error.__traceback__)[-1]
        text = f"{type(error).__name__} in {Path(last.filename).name}:{last.lineno}"
        LOG.error("job %d: %s", job.id, text)
        now = self.site.now()
        try:
            state = self.site.database.write(lambda connection: fail_job(connection, job, text, now=now))
            if state == "failed":
                self.site.database.write(lambda connection: save_hopeless_runs(connection, now=now))
        except LeaseLostError:
            LOG.warning("job %d: another worker has it", job.id)

    def _tidy(self) -> None:
        now = self.site.now()
        if now - self._tidied_at < TIDY_EVERY:
            return
        self._tidied_at = now
        self.site.database.write(lambda connection: save_hopeless_runs(connection, now=now))
        self.site.database.write(lambda connection: save_forgotten(connection, before=now - KEEP_ATTEMPTS))
        self.site.files.remove_leftovers(before=now - timedelta(days=1))


def work_forever(settings: SiteSettings, number: int) -> None:
    """The whole life of a worker process; SIGTERM and SIGINT end it behind the job that it is at."""
    stop = Event()

    def ask(_signal: int, _frame: FrameType | None) -> None:
        stop.set()

    if hasattr(os, "nice"):
        os.nice(NICE)
    signal.signal(signal.SIGTERM, ask)
    signal.signal(signal.SIGINT, ask)
    site = open_site(settings)
    try:
        Worker(site, name=f"{socket.gethostname()}:{os.getpid()}:{number}", stop=stop).run()
    finally:
        site.close()
