"""An open campaign with tasks and assessors, for tests."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from runoff.server.store.campaign_plans import PlannedPair, load_progress, save_task
from runoff.server.store.campaigns import load_campaign, save_campaign, save_campaign_state
from runoff.server.store.judging import finish_assignment, load_assignment, load_pairs, take_task
from runoff.server.store.judgments import save_judgment
from runoff.server.store.participation import save_consent
from runoff.server.store.people import save_person
from runoff.tables.campaign_settings import CampaignSettings
from tests.server.store.world import NOW

BATCHES, COPIES = 4, 2
PAIRS = [
    PlannedPair(query_id="q1", left_doc="d1", right_doc="d2"),
    PlannedPair(query_id="q1", left_doc="good", right_doc="off topic", expected="left"),
]


class Judging:
    """An open campaign of 4 batches, each for 2 assessors, and 6 assessors who consented."""

    def __init__(self, world):
        self.database = world.database
        self.database.write(self._fill)

    def _fill(self, connection):
        self.campaign = save_campaign(connection, CampaignSettings(slug="c", title="C"), actor=None, now=NOW).id
        save_campaign_state(connection, self.campaign, "open", actor=None, now=NOW)
        for batch in range(BATCHES):
            for copy in range(1, COPIES + 1):
                save_task(connection, self.campaign, batch, copy, PAIRS)
        self.people = []
        for number in range(6):
            row: dict[str, Any] = {"email": f"a{number}@example.org", "display_name": f"A {number}", "role": "assessor"}
            self.people.append(save_person(connection, **row, actor=None, now=NOW).id)
            save_consent(connection, self.campaign, self.people[-1], now=NOW)

    def take(self, person, now=NOW, *, pairs_once=False):
        def work(connection):
            campaign = load_campaign(connection, self.campaign)
            once = replace(
                campaign,
                way="sequential" if pairs_once else "full",
                lease_minutes=int((now.replace(hour=23) - now).total_seconds() // 60),
            )
            return take_task(connection, once, person, now=now)

        return self.database.write(work).assignment

    def answer(self, assignment, sides, now=NOW):
        def work(connection):
            for pair, side in zip(load_pairs(connection, assignment), sides, strict=True):
                save_judgment(
                    connection, assignment.id, pair.id, side, person_id=assignment.person_id, seconds=2.5, now=now
                )

        self.database.write(work)

    def finish(self, assignment, now=NOW):
        return self.database.write(
            lambda c: finish_assignment(c, load_assignment(c, assignment.id, lock=True), now=now)
        )

    def progress(self):
        found = self.database.write(lambda c: load_progress(c, self.campaign))
        return {"open": found.tasks_open, "given": found.tasks_given, "done": found.tasks_done}

    def read(self, function, *arguments, **options):
        with self.database.read() as connection:
            return function(connection, *arguments, **options)

    def pairs(self, assignment):
        return self.read(load_pairs, assignment)
