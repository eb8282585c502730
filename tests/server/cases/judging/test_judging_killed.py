"""A server with judging threads is killed at random moments: everything acknowledged is there, once, and it goes on."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from sqlalchemy import text

from runoff.server.cases.judging.next_pairs import load_searches
from runoff.server.store.campaign_plans import load_progress, load_tasks
from tests.server.cases.judging import campaigned as module
from tests.server.cases.judging.campaigned import Campaigned

SERVER = Path(__file__).with_name("judging_server.py")


def acknowledged(log):
    """How many answers and ends each server has acknowledged that has begun."""
    told = log.read_text() if log.exists() else ""
    return [part.count("\n") - 1 for part in told.split("begun")[1:]]


def kill_often(campaigned, url, campaign, people, *, kills, log):
    """Start the server, kill it in the middle of its work and start it again, so often; then let it come to its end."""
    draw, killed = random.Random(kills), 0
    command = [sys.executable, str(SERVER), url, str(campaign.id), str(log), *(str(one.id) for one in people)]
    for number in range(kills + 1):
        server = subprocess.Popen(command)
        try:
            if number == kills:
                assert server.wait(timeout=300) == 0
            else:
                # By its work and not by a clock: a fast machine would have done everything.
                enough = draw.randrange(60)
                while [*acknowledged(log), -1][number] < enough and server.poll() is None:
                    time.sleep(0.005)
                killed += server.poll() is None
        finally:
            server.kill()
            server.wait()
    return killed


def check(campaigned, campaign, log):
    lines = [line.split() for line in log.read_text().splitlines()]
    choices = Counter(
        (int(one), int(pair), side) for kind, *rest in lines if kind == "choice" for one, pair, side in [rest]
    )
    ends = Counter((int(one), state) for kind, *rest in lines if kind == "end" for one, state in [rest])
    with campaigned.database.read() as connection:
        own = {"own": campaign.id}
        rows = connection.execute(
            text(
                "SELECT j.assignment_id, j.task_pair_id, j.preferred FROM judgment j "
                "JOIN assignment a ON a.id = j.assignment_id WHERE a.campaign_id = :own"
            ), own,
        )  # fmt: skip
        stored = Counter(tuple(row) for row in rows)
        rows = connection.execute(
            text("SELECT id, task_id, person_id, state FROM assignment WHERE campaign_id = :own"), own
        )
        assignments = rows.all()
    assert not choices - stored, "everything acknowledged is there"
    assert set(stored.values()) == {1}, "nothing is there twice"
    states = {row.id: row.state for row in assignments}
    assert all(states[number] == state for number, state in ends)
    done = Counter(row.task_id for row in assignments if row.state in ("given", "done"))
    assert set(done.values()) == {1}, "no task was done by two"
    progress = campaigned.read(load_progress, campaign.id)
    assert (progress.tasks_open, progress.tasks_given) == (0, 0), "the tasks went on to the end"
    # Each answer of a finished task counts: as many as there are pairs in it.
    assert len(stored) == sum(len(task.pairs) for task in campaigned.read(load_tasks, campaign.id))


def storm(database, url, folder, *, queries, kills, way):
    module.QUERIES = [f"q{number}" for number in range(queries)]
    made = Campaigned.made_in(database, folder)
    campaign = made.opened(way=way, judgments_per_pair=2, depth=2)
    people = [made.assessor(campaign) for _ in range(6)]
    log = folder / "acknowledged"
    killed = kill_often(made, url, campaign, people, kills=kills, log=log)
    check(made, campaign, log)
    if way == "sequential":
        assert all(one.is_final for one in made.read(load_searches, campaign))
    return killed


@pytest.fixture(autouse=True)
def _own_queries(monkeypatch):
    monkeypatch.setattr(module, "QUERIES", module.QUERIES)


@pytest.mark.parametrize(
    "backend, way",
    [
        ("sqlite", "full"),
        ("sqlite", "sequential"),
        pytest.param("postgresql", "full", marks=pytest.mark.postgresql),
        pytest.param("postgresql", "sequential", marks=[pytest.mark.postgresql, pytest.mark.proof]),
    ],
    indirect=["backend"],
)
def test_a_killed_server_loses_and_repeats_nothing(database, database_url, tmp_path, way):
    assert storm(database, database_url, tmp_path, queries=20, kills=2, way=way) > 0


@pytest.mark.proof
@pytest.mark.parametrize("way", ["full", "sequential"])
def test_twenty_kills(database, database_url, tmp_path, way):
    assert storm(database, database_url, tmp_path, queries=150, kills=20, way=way) >= 15
