"""Workers: killed at any moment, each run is scored once and none is lost."""

from __future__ import annotations

import multiprocessing
import random
import signal
import socket
import time
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from functools import partial
from multiprocessing.context import ForkServerContext
from threading import Event, Thread
from unittest.mock import patch

import pytest

from runoff.errors import BusyError, LeaseLostError, StoreError, UsageError
from runoff.server import worker
from runoff.server.site import SiteSettings, open_site
from runoff.server.store.audit import load_audit
from runoff.server.store.jobs import fail_job, load_job_counts, take_job
from runoff.server.store.scores import load_scores, load_verdicts
from runoff.server.store.submissions import load_runs
from runoff.server.worker import CLUSTER_SECONDS, Worker
from tests.server.cases.mailbox import mail_server
from tests.server.cases.served import NOW, Served
from tests.server.store.backends import both_databases
from tests.server.web.real import wait_until


def work_with_short_leases(settings: SiteSettings, number: int) -> None:
    site = open_site(settings)
    with patch("runoff.server.worker.POLL_SECONDS", 0.05):
        Worker(site, name=f"w{number}", lease=timedelta(seconds=1)).run()


def forking_server() -> ForkServerContext:
    """Starts processes that need not load the program again, and have none of this process's connections."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__, "scipy.stats"])
    return context


def storm(database, folder, *, kills, seed):
    served = Served.made_in(database, folder, runs=6)
    url = database.url.render_as_string(hide_password=False)
    settings = SiteSettings(database=url, folder=served.files.folder)
    context, draw = forking_server(), random.Random(seed)

    def start(number):
        process = context.Process(target=work_with_short_leases, args=(settings, number))
        process.start()
        return process

    running = [start(0), start(1)]
    deadline = time.monotonic() + 120 + 10 * kills
    try:
        while time.monotonic() < deadline:
            with database.read() as connection:
                counts = load_job_counts(connection)
            if set(counts) <= {("score", "done"), ("score", "failed")}:
                break
            time.sleep(draw.random() * 0.3)
            # Jobs fail after five lost workers, so not more often than that.
            if kills and counts.get(("score", "running")):
                kills -= 1
                victim = draw.randrange(2)
                running[victim].kill()
                running[victim].join()
                assert running[victim].exitcode == -signal.SIGKILL
                running[victim] = start(2 + kills)
    finally:
        for process in running:
            process.kill()
            process.join()
    with database.read() as connection:
        runs = load_runs(connection, served.board.id)
        scores = Counter((one.run_id, one.label_set_id) for one in load_scores(connection, served.board.id))
        verdicts = Counter(one.run_id for one in load_verdicts(connection, served.board.id))
        scored = Counter(one.thing_id for one in load_audit(connection, thing="run") if one.action == "scored")
        champions = [one.champion_id for one in load_verdicts(connection, served.board.id)]
    assert [run.state for run in runs] == ["scored"] * 6
    assert set(scores.values()) == {1}
    assert len(scores) == 12
    assert scored == Counter(run.id for run in runs)
    assert verdicts == Counter(run.id for run in runs if not run.baseline)
    return champions


@pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
def test_killed_workers_lose_and_repeat_nothing(database, tmp_path):
    champions = storm(database, tmp_path, kills=2, seed=1)
    assert champions[0] == 1


@pytest.mark.proof
@pytest.mark.parametrize("seed", range(8))
def test_killed_workers_lose_and_repeat_nothing_at_length(database, tmp_path, seed):
    storm(database, tmp_path, kills=4, seed=seed)


@both_databases
def test_a_worker_that_lost_its_lease_leaves_nothing(serving, monkeypatch):
    number = serving.send().json()["id"]
    real = serving.site.database

    def lose(*_, **__):
        later = NOW + timedelta(days=1)
        real.write(lambda connection: take_job(connection, ["score"], worker="x", lease=timedelta(1), now=later))
        raise LeaseLostError("x")

    monkeypatch.setattr("runoff.server.worker.score_submission", lose)
    assert Worker(serving.site).work_once()
    assert serving.run(number).json()["status"] == "queued"


def test_the_lease_is_renewed_while_it_works(serving, monkeypatch):
    serving.send()
    seen = []

    def slow(database, _files, job, **__):
        time.sleep(0.5)
        with database.read() as connection:
            seen.append(connection.exec_driver_sql(f"SELECT lease_until FROM job WHERE id = {job.id}").scalar_one())
        return "scored"

    monkeypatch.setattr("runoff.server.worker.score_submission", slow)
    serving.clock.moment = NOW
    worker = Worker(serving.site, lease=timedelta(seconds=0.3))
    ticks = iter(range(1, 1000))
    object.__setattr__(serving.site, "now", lambda: NOW + timedelta(seconds=next(ticks)))
    with suppress(LeaseLostError):
        worker.work_once()
    assert "00:00:02" not in str(seen[0])
    assert str(seen[0]) > str(NOW + timedelta(seconds=2))[:19]


def test_a_worker_stops_when_told(serving):
    worker = Worker(serving.site)
    worker.stop.set()
    worker.run()
    assert not worker.work_once()


def with_cluster(site, address):
    return replace(site, settings=replace(site.settings, cluster=address))


@pytest.mark.cluster
def test_runs_are_scored_on_a_cluster(serving):
    import distributed

    number = serving.send().json()["id"]
    options = {"processes": False, "dashboard_address": "127.0.0.1:0", "protocol": "tcp://", "silence_logs": 50}
    with distributed.LocalCluster(n_workers=1, **options) as cluster:
        worker = Worker(with_cluster(serving.site, cluster.scheduler_address))
        assert worker.work_once()
        assert worker._cluster is not None
        assert worker._cluster.received > 0
        worker.stop.set()
        worker.run()
    assert serving.run(number).json()["status"] == "scored"


def test_a_cluster_that_cannot_be_used_keeps_no_run_waiting(serving, monkeypatch, caplog):
    asked = []

    def absent(**settings):
        asked.append(settings)
        raise UsageError("cluster tcp://127.0.0.1:1: nobody answers")

    monkeypatch.setattr("runoff.reading.cluster.Cluster", absent)
    number = serving.send().json()["id"]
    assert Worker(with_cluster(serving.site, "tcp://127.0.0.1:1")).work_once()
    assert serving.run(number).json()["status"] == "scored"
    assert asked == [{"address": "tcp://127.0.0.1:1", "patience": CLUSTER_SECONDS}]
    assert "scoring here: cluster tcp://127.0.0.1:1: nobody answers" in caplog.text


@pytest.mark.cluster
def test_without_its_cluster_a_worker_scores_itself(serving, monkeypatch):
    monkeypatch.setattr("runoff.server.worker.CLUSTER_SECONDS", 0.3)
    number = serving.send().json()["id"]
    assert Worker(with_cluster(serving.site, "tcp://127.0.0.1:1")).work_once()
    assert serving.run(number).json()["status"] == "scored"


def with_mail(serving, address):
    """The site of a server, with mail."""
    settings = replace(serving.site.settings, mail=address, mail_from="runoff@example.org")
    return replace(serving.site, settings=settings)


@pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
def test_a_run_is_scored_and_told_by_mail(serving, caplog):
    caplog.set_level("INFO")
    number = serving.send(said={"name": "oak 2"}).json()["id"]
    with mail_server() as box:
        worker = Worker(with_mail(serving, box.address.replace("//", "//ann:s3cr@")))
        thread = Thread(target=worker.run)
        thread.start()
        wait_until(lambda: "mail: sent" in caplog.text)
        worker.stop.set()
        thread.join()
    (text,) = box.texts
    found = serving.run(number).json()
    assert text.startswith("oak 2 is scored on Trees <b>\n")
    assert found["verdict"]["sentence"] in text
    assert f"http://testserver/boards/trees/runs/{number}" in text
    assert box.passwords == [":ann:s3cr"]
    assert not any(word in caplog.text for word in ("s3cr", "ann@", "zzsealedzz"))


@pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
def test_a_mail_server_that_does_not_answer_keeps_no_run_waiting(serving, caplog):
    caplog.set_level("INFO")
    first = serving.send().json()["id"]
    with socket.create_server(("127.0.0.1", 0)) as silent:
        worker = Worker(with_mail(serving, f"smtp://127.0.0.1:{silent.getsockname()[1]}"))
        thread = Thread(target=worker.run)
        thread.start()
        talk, _ = silent.accept()  # the mail about the first run is being sent, and stays so
        with talk:
            assert serving.run(first).json()["status"] == "scored"
            second = serving.send().json()["id"]
            wait_until(lambda: serving.run(second).json()["status"] == "scored")
            with serving.site.database.read() as connection:
                assert load_job_counts(connection)["mail", "running"] == 1
            worker.stop.set()
        thread.join()


@pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
def test_a_run_that_is_given_up_is_told_and_without_mail_nothing_is(serving, monkeypatch):
    def broken(*_, **__):
        raise ZeroDivisionError

    monkeypatch.setattr("runoff.server.worker.score_submission", broken)
    monkeypatch.setattr("runoff.server.worker.fail_job", partial(fail_job, retry=False))
    for site, expected in ((serving.site, None), (with_mail(serving, "smtp://127.0.0.1:9"), 1)):
        serving.send()
        assert Worker(site).work_once()
        with serving.site.database.read() as connection:
            assert load_job_counts(connection).get(("mail", "queued")) == expected


def test_a_worker_that_starts_while_the_database_is_away_waits_for_it(serving, monkeypatch, caplog):
    answers = [StoreError("no database"), BusyError("not now"), serving.site]

    def opened(settings):
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(worker, "open_site", opened)
    monkeypatch.setattr(worker, "POLL_SECONDS", 0.01)
    stop, settings = Event(), serving.site.settings
    assert worker._opened(settings, stop) is serving.site
    assert [record.getMessage() for record in caplog.records] == ["waiting: no database", "waiting: not now"]
    stop.set()
    assert worker._opened(settings, stop) is None
