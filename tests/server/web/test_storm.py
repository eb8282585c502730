"""Servers and workers are killed while runs arrive; what was acknowledged is there once and scored once."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import httpx
import pytest

from runoff.server.store.audit import load_audit
from runoff.server.store.backup import load_missing_files
from runoff.server.store.files import load_known_hashes, remove_orphans
from runoff.server.store.jobs import load_job_counts
from runoff.server.store.scores import load_scores, load_verdicts
from runoff.server.store.submissions import load_quota, load_runs
from tests.server.cases.served import Served, run_text
from tests.server.store.backends import both_databases
from tests.server.web.real import RealServer, token_of

REFUSED = 5
"""So many more runs are sent than the rule allows."""


def send_until_answered(server, token, number, deadline):
    """Send a run as somebody would: again and again with the same content until there is an answer.

    Every other sender has no key; then the answer may be that the very file is there already.
    """
    headers = {"Authorization": f"Bearer {token}"}
    if number % 2:
        headers["Idempotency-Key"] = f"key {number}"
    files = {"file": (f"{number}.run", run_text(1000 + number))}
    while time.monotonic() < deadline:
        try:
            answer = httpx.post(
                f"{server.base}/api/v1/boards/trees/runs",
                files=files,
                data={"metadata": f'{{"name": "run {number}"}}'},
                headers=headers,
                timeout=90,
            )
        except httpx.HTTPError:
            time.sleep(0.1)
            continue
        # 500: the connection to the database was lost in the middle of a commit, which may have succeeded.
        if answer.status_code not in {500, 503}:
            return number, answer.status_code, answer.json()
        time.sleep(0.1)
    raise AssertionError(f"run {number} had no answer")


def storm(database, url, folder, *, runs, kills, workers, seed):
    served = Served.made_in(database, folder, runs=1, most=runs - REFUSED)
    token = token_of(served)
    draw, gate = random.Random(seed), threading.Semaphore(0)
    deadline = time.monotonic() + 120 + 30 * kills

    def sender(number):
        gate.acquire()
        return send_until_answered(server, token, number, deadline)

    with RealServer(url, served.files.folder, workers=workers) as server, ThreadPoolExecutor(16) as pool:
        answers = [pool.submit(sender, number) for number in range(runs)]
        for kill in range(kills + 1):
            # A share of the runs before each kill, so that there is always something under way.
            gate.release(runs // (kills + 1) if kill < kills else runs)
            if kill == kills:
                break
            time.sleep(draw.random() * 1.5)
            if kill % 3 == 0:
                server.kill_worker()
            else:
                server.kill()
                server.start()
        found = [one.result() for one in answers]
        await_scoring(database, deadline)
        while server.leftovers() and time.monotonic() < deadline:
            time.sleep(0.1)
        assert server.leftovers() == []
    # A process that was just being started by one that is killed ends with words of Python's own.
    assert [one for one in server.log.split("Traceback")[1:] if "spawn_main" not in one[:200]] == []
    assert "runoff.server.web ERROR" not in server.log
    check(served, found, runs)


def await_scoring(database, deadline):
    while time.monotonic() < deadline:
        with database.read() as connection:
            counts = load_job_counts(connection)
        if set(counts) == {("score", "done")}:
            return
        time.sleep(0.1)
    raise AssertionError(counts)


def check(served, found, count):
    allowed = count - REFUSED
    with served.database.read() as connection:
        runs = load_runs(connection, served.board.id, team_id=served.team.id)
        quota = load_quota(connection, served.board, served.team.id, datetime.now(UTC))
        scores = Counter(
            (one.run_id, one.label_set_id, one.query_set_id) for one in load_scores(connection, served.board.id)
        )
        verdicts = Counter(one.run_id for one in load_verdicts(connection, served.board.id))
        log = Counter((one.action, one.thing_id) for one in load_audit(connection, thing="run"))
        known = load_known_hashes(connection)
    kinds = Counter(status for _, status, _ in found)
    assert set(kinds) <= {202, 409, 429}, kinds
    assert kinds[429] == REFUSED
    assert len(runs) == allowed == quota.used
    assert len({run.content_hash for run in runs}) == allowed
    assert Counter(run.state for run in runs) == {"scored": allowed}
    by_name = {run.name: run.id for run in runs}
    for number, status, answer in found:
        if status == 202:
            assert by_name[f"run {number}"] == answer["id"]
        if status == 409:
            assert number % 2 == 0, "with a key it is the same submission"
            assert f"run {number}" in by_name, answer
    assert set(scores.values()) == {1}
    assert Counter(run_id for run_id, _, _ in scores) == dict.fromkeys((1, *by_name.values()), 2)
    assert verdicts == Counter(by_name.values())
    for run in runs:
        assert log["submit", run.id] == log["scored", run.id] == 1
    assert load_missing_files(served.database, served.files) == ()
    remove_orphans(served.database, served.files, before=datetime.now(UTC) + timedelta(days=1))
    assert set(served.files.hashes()) == known


@both_databases
def test_killed_servers_and_workers_lose_and_repeat_nothing(database, database_url, tmp_path):
    storm(database, database_url, tmp_path, runs=15, kills=2, workers=1, seed=1)


@pytest.mark.proof
def test_killed_servers_and_workers_lose_and_repeat_nothing_at_length(database, database_url, tmp_path):
    storm(database, database_url, tmp_path, runs=200, kills=20, workers=2, seed=2)
