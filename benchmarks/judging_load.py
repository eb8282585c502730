"""A server-like process in which assessors judge at once, each in a thread that calls the workflows of the pages.

Reads a JSON object from standard input, makes a campaign in the database, lets assessors judge for some seconds and
prints what happened as JSON. As in the server, so many calls are at work at once and the others wait, which counts.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from threading import Thread
from typing import Any, Final

from sqlalchemy import text

from runoff.server.cases.accounts.permissions import Actor
from runoff.server.cases.judging.judge import choose, finish_task, offer_task
from runoff.server.store.campaign_plans import NewTask, PlannedPair, renew_statistics, save_tasks
from runoff.server.store.campaign_pools import PoolItem, save_known_pairs, save_pool, save_texts
from runoff.server.store.campaigns import Campaign, load_campaign, save_campaign, save_campaign_state
from runoff.server.store.database import Database, open_database, upgrade
from runoff.server.store.participation import save_consent
from runoff.server.store.people import save_person
from runoff.tables.campaign_settings import CampaignSettings

SERVER_THREADS: Final = 40
"""Calls that a server does at once."""
DOCS: Final = 6
CONSENT: Final = "Your choices are kept."
"""Whoever agreed to another text than that of the campaign is given no task."""


@dataclass
class Kept:
    """What was acknowledged: choices (assignment, pair, side), and tasks handed in with their state."""

    choices: list[tuple[int, int, str]] = field(default_factory=list)
    ends: list[tuple[int, str]] = field(default_factory=list)


@dataclass
class Crowd:
    """Assessors at work, and how long their calls took."""

    database: Database
    campaign: Campaign
    seconds: float
    think: float
    server: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(SERVER_THREADS))
    times: dict[str, list[float]] = field(default_factory=lambda: {"offer": [], "choose": [], "finish": []})
    kept: Kept = field(default_factory=Kept)
    faults: Counter[str] = field(default_factory=Counter)

    def call(self, kind: str, function: Any, *arguments: Any, **options: Any) -> Any:
        """A call as the server does it."""
        begin = time.perf_counter()
        try:
            asked = self.server.submit(function, self.database, *arguments, now=datetime.now(UTC), **options)
            return asked.result()
        except Exception as error:
            self.faults[type(error).__name__] += 1
            raise
        finally:
            self.times[kind].append(time.perf_counter() - begin)

    def judge(self, person: int, until: float) -> None:
        """Do tasks until the time is over."""
        draw, actor = random.Random(person), Actor(id=person, role="assessor")
        # People do not all come in the same moment.
        time.sleep(draw.uniform(0, self.think))
        while time.perf_counter() < until:
            sheet = self.call("offer", offer_task, self.campaign.id, actor=actor).sheet
            if sheet is None:
                time.sleep(max(self.think, 0.05))
                continue
            for pair in sheet.pairs:
                if self.think:
                    time.sleep(draw.expovariate(1 / self.think))
                is_test = "off" in (pair.left, pair.right)
                side = ("right" if pair.left == "off" else "left") if is_test else draw.choice(("left", "right"))
                options = {"claimed": self.think, "retry_key": f"{pair.id}", "actor": actor}
                self.call("choose", choose, sheet.assignment.id, pair.id, side, **options)
                self.kept.choices.append((sheet.assignment.id, pair.id, side))
                if time.perf_counter() > until:
                    return
            end = self.call("finish", finish_task, sheet.assignment.id, actor=actor)
            self.kept.ends.append((sheet.assignment.id, end))


def filled(database: Database, way: str, queries: int, assessors: int) -> tuple[Campaign, list[int]]:
    """An open campaign with texts, and assessors who have consented."""
    now = datetime.now(UTC)
    slug = f"bench-{time.time_ns()}"
    settings = CampaignSettings(slug=slug, title="Bench", way=way, judgments_per_pair=3, consent=CONSENT)  # type: ignore[arg-type]

    def work(connection: Any) -> tuple[Campaign, list[int]]:
        made = save_campaign(connection, settings, actor=None, now=now)
        save_campaign_state(connection, made.id, "open", actor=None, now=now)
        names = [f"q{number}" for number in range(queries)]
        docs = [[f"d{number}.{query}" for number in range(DOCS)] for query in names]
        rows = [(query, doc) for query, own in zip(names, docs, strict=True) for doc in own]
        items = [PoolItem(query_id=query, doc_id=doc, runs=1, labelled=doc[1] == "0") for query, doc in rows]
        save_pool(connection, made.id, items)
        words = {doc: doc + " lorem ipsum dolor sit amet" * 12 for own in docs for doc in own}
        save_texts(connection, made.id, "document", words)
        save_texts(connection, made.id, "query", {query: f"what is {query}" for query in names})
        known = [(query, own[0], "off") for query, own in zip(names, docs, strict=True)]
        save_known_pairs(connection, made.id, known, drawn=True, actor=None, now=now)
        if way == "full":
            save_tasks(connection, made.id, _tasks(names, docs))
        people = []
        for number in range(assessors):
            name = f"{slug}-{number}"
            row: dict[str, Any] = {"email": f"{name}@example.org", "display_name": name, "role": "assessor"}
            people.append(save_person(connection, **row, actor=None, now=now).id)
            save_consent(connection, made.id, people[-1], now=now, text=CONSENT)
        return made, people

    campaign, people = database.write(work)
    database.write(renew_statistics)
    with database.read() as connection:
        return load_campaign(connection, campaign.id), people


def _tasks(names: list[str], docs: list[list[str]]) -> list[NewTask]:
    pairs = [
        PlannedPair(query_id=query, left_doc=own[one], right_doc=own[two])
        for query, own in zip(names, docs, strict=True)
        for one in range(DOCS)
        for two in range(one + 1, DOCS)
    ]
    random.Random(0).shuffle(pairs)
    found = []
    for batch, start in enumerate(range(0, len(pairs), 10), start=1):
        tests = [PlannedPair(query_id=names[n], left_doc=docs[n][0], right_doc="off", expected="left")
                 for n in ((3 * batch + one) % len(names) for one in range(3))]  # fmt: skip
        found += [NewTask(batch=batch, copy=copy, pairs=(*pairs[start : start + 10], *tests)) for copy in (1, 2, 3)]
    return found


def checked(database: Database, campaign_id: int, kept: Kept) -> dict[str, int]:
    """What is lost, doubled or given out beyond the plan; all of it should be 0."""
    own = {"own": campaign_id}
    with database.read() as connection:
        rows = connection.execute(text(
            "SELECT j.assignment_id, j.task_pair_id, j.preferred FROM judgment j JOIN assignment a "
            "ON a.id = j.assignment_id WHERE a.campaign_id = :own"), own).all()  # fmt: skip
        held = connection.execute(
            text("SELECT task_id FROM assignment WHERE campaign_id = :own AND state IN ('given', 'done')"), own
        ).scalars()
        given = connection.execute(text("SELECT id, state FROM assignment WHERE campaign_id = :own"), own)
        ends: dict[int, str] = {row.id: row.state for row in given}
        holders = Counter(held)
    stored = Counter(tuple(row) for row in rows)
    known = Counter(kept.choices)
    return {
        "lost": sum((known - stored).values()) + sum(ends[number] != state for number, state in kept.ends),
        "doubled": sum((stored - known).values()),
        "beyond the plan": sum(number - 1 for number in holders.values()),
    }


def main() -> None:
    asked = json.loads(sys.stdin.readline())
    database = open_database(asked["database"])
    upgrade(database)
    campaign, people = filled(database, asked["way"], asked["queries"], asked["assessors"])
    crowd = Crowd(database, campaign, asked["seconds"], asked["think"])
    until, spent = time.perf_counter() + crowd.seconds, time.process_time()
    threads = [Thread(target=crowd.judge, args=(person, until)) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(json.dumps({
        "times": crowd.times, "faults": dict(crowd.faults), "cpu": time.process_time() - spent,
        "checked": checked(database, campaign.id, crowd.kept),
    }))  # fmt: skip
    database.close()


if __name__ == "__main__":
    main()
