"""A backup that is made while runs arrive and are scored holds the same board."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest

from runoff.server.cases.runs.submit import Submission, submit_run
from runoff.server.site import Site, SiteSettings
from runoff.server.store.backup import load_missing_files, restore_backup, save_backup
from runoff.server.store.database import open_database
from runoff.server.store.files import FileStore
from runoff.server.store.scores import load_scores, load_verdicts
from runoff.server.store.submissions import load_runs
from runoff.server.worker import Worker
from tests.server.cases.served import NOW, Served, run_text
from tests.server.store.backends import both_databases
from tests.server.store.conftest import empty_url

__all__ = ["empty_url"]
LATER = NOW + timedelta(hours=1)


def outcome(database, served, names):
    """Means and verdicts of some runs, by name."""
    with database.read() as connection:
        runs = {run.id: run for run in load_runs(connection, served.board.id)}
        scores = load_scores(connection, served.board.id)
        verdicts = load_verdicts(connection, served.board.id)
    chosen = {number for number, run in runs.items() if run.name in names}
    assert {runs[number].state for number in chosen} == {"scored"}
    return (
        sorted(
            (runs[one.run_id].name, one.label_set_id, one.query_set_id, one.mean)
            for one in scores
            if one.run_id in chosen
        ),
        sorted((runs[one.run_id].name, one.strict, one.sentence) for one in verdicts if one.run_id in chosen),
    )


def backup_under_load(database, empty, folder, *, senders, before):
    served = Served.made_in(database, folder, runs=2, most=10_000)
    site = Site(database=database, files=served.files, settings=SiteSettings(), now=lambda: NOW)
    acknowledged: list[str] = []
    stop = threading.Event()

    def send(sender):
        number = 0
        while not stop.is_set():
            number += 1
            seed = 10_000 * sender + number
            with served.files.receive(limit=10**7) as incoming:
                incoming.write(run_text(seed).encode())
                run = submit_run(
                    database, served.files, served.board, served.actor, incoming,
                    Submission(file_name=f"{seed}.run", submission_key=f"{seed}"), now=NOW,
                )  # fmt: skip
            acknowledged.append(run.name)

    worker = Worker(site, stop=stop)
    threads = [threading.Thread(target=send, args=(sender,)) for sender in range(1, senders + 1)]
    threads.append(threading.Thread(target=worker.run))
    for thread in threads:
        thread.start()
    try:
        while len(acknowledged) < before and all(thread.is_alive() for thread in threads):
            stop.wait(0.01)
        sure = list(acknowledged)
        save_backup(database, served.files, folder / "backup", now=NOW)
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    restored, files = open_database(empty), FileStore(folder / "restored")
    restore_backup(folder / "backup", restored, files)
    assert load_missing_files(restored, files) == ()
    with restored.read() as connection:
        there = {run.name for run in load_runs(connection, served.board.id)}
    assert len(sure) >= before
    assert set(sure) <= there
    # What waited in the backup, or was being scored, is scored there as it is here, when its lease has ended.
    for there_or_here, kept in ((restored, files), (database, served.files)):
        finisher = Worker(
            Site(database=there_or_here, files=kept, settings=SiteSettings(), now=lambda: NOW + timedelta(hours=1))
        )
        for _ in range(10_000):
            if not finisher.work_once():
                break
    assert outcome(restored, served, there) == outcome(database, served, there)
    restored.close()


@both_databases
def test_a_backup_of_a_busy_server_is_the_same_board(database, empty_url, tmp_path):
    backup_under_load(database, empty_url, tmp_path, senders=2, before=4)


@pytest.mark.proof
@pytest.mark.parametrize("round_number", range(5))
def test_a_backup_of_a_busy_server_is_the_same_board_at_length(database, empty_url, tmp_path, round_number):
    backup_under_load(database, empty_url, tmp_path, senders=4, before=20 + 10 * round_number)
