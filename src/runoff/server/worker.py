"""Background work: takes jobs, keeps their leases while it works, and stops cleanly."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import socket
import traceback
from datetime import timedelta
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Final

from runoff.errors import BusyError, LeaseLostError, MissingExtraError, NoRoomError, StoreError, UsageError
from runoff.server.cases.judging.background import CAMPAIGN_KINDS, do_campaign_job
from runoff.server.cases.mail.send_mail import do_mail_job
from runoff.server.cases.runs.jobs import NEAR_DUPLICATES, find_near_duplicates, save_hopeless_runs
from runoff.server.cases.runs.score import JOB_KINDS, score_submission
from runoff.server.log import start_log
from runoff.server.site import Site, SiteSettings, open_site
from runoff.server.store.access import save_forgotten
from runoff.server.store.files import FULL, remove_orphans
from runoff.server.store.jobs import Job, fail_job, release_job, renew_lease, take_job
from runoff.server.store.submissions import MAIL

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from multiprocessing.process import BaseProcess
    from types import FrameType

    from runoff.reading.cluster import ClusterEngine

LOG: Final = logging.getLogger("runoff.worker")
KINDS: Final = (*JOB_KINDS, *CAMPAIGN_KINDS, NEAR_DUPLICATES)
"""All but mail, which has a thread of its own."""
POLL_SECONDS: Final = 0.5
NICE: Final = 10
"""The niceness of a worker process: the server goes first when both want a core."""
TIDY_EVERY: Final = timedelta(minutes=10)
KEEP_ATTEMPTS: Final = timedelta(days=30)
KEEP_FILES: Final = timedelta(days=1)
PAUSE: Final = timedelta(seconds=5)
MAIL_SECONDS: Final = 5.0
"""How long the end of a worker waits for a mail that is being sent."""
CLUSTER_SECONDS: Final = 10.0
"""How long a cluster is waited for before a run is scored here."""


class Worker:
    """Does jobs of a site, one after the other, until `stop` is set; a job that was begun is finished first."""

    def __init__(
        self,
        site: Site,
        *,
        name: str = "",
        stop: Event | None = None,
        lease: timedelta | None = None,
        kinds: Sequence[str] = KINDS,
    ) -> None:
        self.site = site
        self.kinds = kinds
        self.name = name or f"{socket.gethostname()}:{os.getpid()}"
        self.stop = stop or Event()
        self.lease = lease or timedelta(seconds=site.settings.lease_seconds)
        self._mails = bool(site.settings.mail)
        self._tidied_at = site.now() - TIDY_EVERY
        self._cluster: ClusterEngine | None = None

    def run(self) -> None:
        """Work until stopped; a database that is not available for a while is waited for, whatever it says."""
        beside = self._mail_thread()
        while not self.stop.is_set():
            try:
                self._tidy()
                if self.work_once():
                    continue
            except Exception as error:  # noqa: BLE001  # a worker that ends would score nothing any more
                LOG.warning("waiting: %s", type(error).__name__)
            self.stop.wait(POLL_SECONDS)
        if self._cluster is not None:
            self._cluster.close()
        if beside is not None:
            # A mail that takes longer is sent again by the next worker.
            beside.join(MAIL_SECONDS)

    def _mail_thread(self) -> Thread | None:
        """A thread that sends mails, if the site does: a mail server that does not answer keeps no run waiting."""
        if self.site.settings.mailing is None or MAIL in self.kinds:
            return None
        sender = Worker(self.site, name=f"{self.name}:mail"[:100], stop=self.stop, lease=self.lease, kinds=(MAIL,))
        thread = Thread(target=sender.run, name="mail", daemon=True)
        thread.start()
        return thread

    def work_once(self) -> bool:
        """Do one job, if there is one; whether there was."""
        job = self.site.database.write(
            lambda connection: take_job(connection, self.kinds, worker=self.name, lease=self.lease, now=self.site.now())
        )
        if job is None:
            return False
        done = Event()
        beat = Thread(target=self._beat, args=(job, done), daemon=True)
        beat.start()
        try:
            self._do(job)
        except LeaseLostError:
            LOG.warning("job %d: another worker has it", job.id)
        except Exception as error:  # noqa: BLE001  # whatever it is, the next job has to be done
            if _is_passing(error):
                self._give_back(job, error)
            else:
                self._fail(job, error)
        finally:
            done.set()
            beat.join()
        return True

    def _do(self, job: Job) -> None:
        site = self.site
        if job.kind == MAIL:
            mailing = site.settings.mailing
            if mailing is None:
                raise UsageError("a mail waits and the site sends none; set mail and mail_from")
            became = do_mail_job(site.database, job, mailing=mailing, now=site.now)
            level = logging.WARNING if became.startswith(("later", "refused")) else logging.INFO
            LOG.log(level, "job %d: mail: %s", job.id, became)
            return
        how: dict[str, object] = {"now": site.now, "reader": site.reader}
        do: Callable[..., object] = find_near_duplicates
        if job.kind in CAMPAIGN_KINDS:
            do = do_campaign_job
        elif job.kind in JOB_KINDS:
            do = score_submission
            how |= {"engine": self._engine(site.settings.cluster) if site.settings.cluster else None}
            how |= {"mails": self._mails}
        done_as = do(site.database, site.files, job, **how)
        LOG.info("job %d: %s %s: %s", job.id, job.kind, dict(job.payload), done_as)

    def _engine(self, address: str) -> ClusterEngine | None:
        """The cluster of an address; None while it is not available: then runs are scored here."""
        from runoff.reading.cluster import Cluster, ClusterEngine

        if self._cluster is not None and not self._cluster.is_open:
            self._cluster.close()
            self._cluster = None
        if self._cluster is None:
            try:
                self._cluster = ClusterEngine(Cluster(address=address, patience=CLUSTER_SECONDS))
            except (UsageError, MissingExtraError) as error:
                LOG.warning("scoring here: %s", error)
        return self._cluster

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
                self.site.database.write(lambda connection: save_hopeless_runs(connection, now=now, mails=self._mails))
        except LeaseLostError:
            LOG.warning("job %d: another worker has it", job.id)

    def _give_back(self, job: Job, error: Exception) -> None:
        """Leave a job for later without counting an attempt: the machine is at fault, and a run must not pay for it."""
        LOG.error("job %d: %s; it waits", job.id, type(error).__name__)
        while True:
            later = self.site.now() + PAUSE
            try:
                self.site.database.write(lambda connection: release_job(connection, job, now=later))  # noqa: B023
            except LeaseLostError:
                LOG.warning("job %d: another worker has it", job.id)
            except StoreError:
                # The lease is renewed meanwhile, if that can be written.
                if not self.stop.wait(POLL_SECONDS):
                    continue
            return

    def _tidy(self) -> None:
        now = self.site.now()
        if now - self._tidied_at < TIDY_EVERY or MAIL in self.kinds:
            return
        self._tidied_at = now
        self.site.database.write(lambda connection: save_hopeless_runs(connection, now=now, mails=self._mails))
        self.site.database.write(lambda connection: save_forgotten(connection, before=now - KEEP_ATTEMPTS))
        self.site.files.remove_leftovers(before=now - KEEP_FILES)
        remove_orphans(self.site.database, self.site.files, before=now - KEEP_FILES)


def work_forever(settings: SiteSettings, number: int) -> None:
    """The whole life of a worker process; SIGTERM and SIGINT end it behind the job that it is at.

    So does the end of the server that started it, also by kill -9.
    """
    start_log()
    stop = Event()

    def ask(_signal: int, _frame: FrameType | None) -> None:
        stop.set()

    if hasattr(os, "nice"):
        os.nice(NICE)
    signal.signal(signal.SIGTERM, ask)
    signal.signal(signal.SIGINT, ask)
    parent = multiprocessing.parent_process()
    if parent is not None:
        Thread(target=_outlive, args=(parent, stop), daemon=True).start()
    site = _opened(settings, stop)
    if site is None:
        return
    try:
        name = f"{socket.gethostname()}:{os.getpid()}:{number}"
        Worker(site, name=name, stop=stop).run()
    finally:
        site.close()


def _opened(settings: SiteSettings, stop: Event) -> Site | None:
    """The site; a database that cannot be used now is waited for, until the worker is stopped."""
    while not stop.is_set():
        try:
            return open_site(settings)
        except (BusyError, StoreError) as error:
            LOG.warning("waiting: %s", error)
        stop.wait(POLL_SECONDS)
    return None


def _outlive(parent: BaseProcess, stop: Event) -> None:
    parent.join()
    stop.set()


def _is_passing(error: Exception) -> bool:
    """Whether an error says nothing about the run: no room, or others in the way."""
    return isinstance(error, (BusyError, NoRoomError)) or (isinstance(error, OSError) and error.errno in FULL)
