"""A server process is killed while ten assessors choose: what was acknowledged is there once, and tasks go on."""

from __future__ import annotations

import http.client
import json
import random
import re
import threading
import time
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

import pytest
from sqlalchemy import text

from runoff.server.cases.judging.enter import make_campaign_link
from runoff.server.store.campaign_plans import load_progress, load_tasks
from runoff.server.web.visitors import csrf_of
from tests.server.cases.judging import campaigned as module
from tests.server.cases.judging.campaigned import Campaigned
from tests.server.store.backends import both_databases
from tests.server.web.real import RealServer

ASSESSORS = 10
PATIENCE = 240


@dataclass
class Crowd:
    """What all assessors know: what was acknowledged, and how often no answer came."""

    port: int
    choices: list[tuple[int, int, str]] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    unanswered: int = 0
    again: int = 0
    problems: list[str] = field(default_factory=list)
    all_in: threading.Barrier = field(default_factory=lambda: threading.Barrier(ASSESSORS))


class Assessor:
    """Somebody whose browser sends again, with the same key, whatever was not acknowledged."""

    def __init__(self, crowd: Crowd, connection: http.client.HTTPConnection, link: str) -> None:
        self.crowd, self.connection, self.cookie = crowd, connection, ""
        page = self.send("GET", link)[2]
        told = re.findall(r'name="text" value="(\w+)"', page)[0]
        status, cookie, _ = self.send("POST", link, {"agree": "yes", "text": told})
        assert status == 303
        self.cookie = cookie.partition(";")[0]

    def send(self, method: str, path: str, fields: dict[str, Any] | None = None) -> tuple[int, str, str]:
        """Status, cookie and body of an answer."""
        headers = {"Accept": "application/json", "Content-Type": "application/x-www-form-urlencoded"}
        self.connection.request(method, path, urlencode(fields or {}), {**headers, "Cookie": self.cookie})
        answer = self.connection.getresponse()
        return answer.status, answer.headers.get("Set-Cookie", ""), answer.read().decode()

    def post(self, kind: str, **fields: Any) -> Any:
        """Send a form until it is answered."""
        csrf = csrf_of(self.cookie.partition("=")[2])
        deadline, tries = time.monotonic() + PATIENCE, 0
        while time.monotonic() < deadline:
            try:
                status, _, body = self.send("POST", f"/judge/best/{kind}", {"csrf": csrf, **fields})
            except (OSError, http.client.HTTPException):
                # Connection refused, or cut while the answer was awaited.
                self.connection.close()
                self.crowd.unanswered += 1
                tries += 1
                time.sleep(0.05)
                continue
            if status != 200:
                raise AssertionError(f"{kind} {fields}: {status} {body}")
            self.crowd.again += bool(tries)
            return json.loads(body)
        raise AssertionError(f"{kind} {fields}: no answer")

    def judge(self) -> None:
        """Do tasks until there is nothing left."""
        while (offer := self.post("task"))["state"] != "nothing":
            if offer["task"] is None:
                time.sleep(0.1)
                continue
            task = offer["task"]["id"]
            for pair in offer["task"]["pairs"]:
                if pair["answer"] is None:
                    side = side_of(pair)
                    self.post("choices", task=task, pair=pair["id"], side=side, key=f"k{pair['id']}", seconds=1)
                    self.crowd.choices.append((task, pair["id"], side))
            self.post("done", task=task)
            self.crowd.ends.append(task)


def side_of(pair: Any) -> str:
    """The later letter is the better; documents of other queries are worth nothing."""
    left, right = ("".join(pair[one]) for one in ("left", "right"))
    left, right = (doc if doc.endswith(f".{pair['question']}") else "" for doc in (left, right))
    return "left" if left > right else "right"


def guarded(crowd: Crowd, link: str) -> None:
    try:
        with closing(http.client.HTTPConnection("127.0.0.1", crowd.port, timeout=30)) as connection:
            assessor = Assessor(crowd, connection, link)
            # Nobody sends the way in again, so the first kill comes when all are in.
            crowd.all_in.wait(PATIENCE)
            assessor.judge()
    except Exception as error:  # noqa: BLE001  # told by the test
        crowd.problems.append(repr(error))


def storm(database, url, folder, *, queries, kills, way="full"):
    """Let everybody judge, kill the server so often on the way, and look at what is stored."""
    module.QUERIES = [f"q{number}" for number in range(queries)]
    made = Campaigned.made_in(database, folder)
    campaign = made.opened(way=way, judgments_per_pair=2, depth=2)
    token = make_campaign_link(made.database, campaign.id, most_uses=None, actor=made.organiser, now=made.now())
    link = f"/enter/{token}"
    total = sum(len(task.pairs) for task in made.read(load_tasks, campaign.id))
    draw = random.Random(kills)
    with RealServer(url, made.files.folder, workers=0) as server:
        crowd = Crowd(server.port)
        people = [threading.Thread(target=guarded, args=(crowd, link), daemon=True) for _ in range(ASSESSORS)]
        for one in people:
            one.start()
        for number in range(1, kills + 1):
            wait_until(crowd, total * number // (kills + 2))
            time.sleep(draw.uniform(0, 0.02))
            server.kill()
            server.start()
        for one in people:
            one.join(PATIENCE)
        assert crowd.problems == []
    check(made, campaign, crowd, total)
    return crowd


def wait_until(crowd, number):
    deadline = time.monotonic() + PATIENCE
    while len(crowd.choices) < number:
        assert crowd.problems == []
        assert time.monotonic() < deadline
        time.sleep(0.002)


def check(made, campaign, crowd, total):
    own = {"own": campaign.id}
    with made.database.read() as connection:
        rows = connection.execute(
            text(
                "SELECT j.assignment_id, j.task_pair_id, j.preferred FROM judgment j "
                "JOIN assignment a ON a.id = j.assignment_id WHERE a.campaign_id = :own"
            ), own,
        )  # fmt: skip
        stored = Counter(tuple(row) for row in rows)
        query = text("SELECT id, task_id, state FROM assignment WHERE campaign_id = :own")
        assignments = connection.execute(query, own).all()
    assert set(stored.values()) == {1}, "nothing is there twice"
    acknowledged = Counter(crowd.choices)
    assert not acknowledged - stored, "everything acknowledged is there"
    # Whoever was killed between the disk and the answer finds the answer there, and does not send it again.
    assert sum((stored - acknowledged).values()) <= crowd.unanswered
    assert {row.id for row in assignments if row.state == "done"} == set(crowd.ends)
    assert set(Counter(row.task_id for row in assignments if row.state in ("given", "done")).values()) == {1}
    progress = made.read(load_progress, campaign.id)
    assert (progress.tasks_open, progress.tasks_given) == (0, 0), "the tasks went on to the end"
    assert sum(stored.values()) == total


@pytest.fixture(autouse=True)
def _own_queries(monkeypatch):
    monkeypatch.setattr(module, "QUERIES", module.QUERIES)


@both_databases
def test_a_killed_server_loses_and_repeats_nothing(database, database_url, tmp_path):
    crowd = storm(database, database_url, tmp_path, queries=10, kills=1)
    assert crowd.unanswered > 0
    assert crowd.again > 0, "something was sent again"


@pytest.mark.proof
def test_twenty_kills(database, database_url, tmp_path):
    crowd = storm(database, database_url, tmp_path, queries=150, kills=20)
    assert crowd.again >= 20
