"""The plan of a campaign is kept by the database, whatever the program does."""

import pytest
from sqlalchemy import delete, select, update
from sqlalchemy.exc import DBAPIError

from runoff.server.store.campaign_plans import PlannedPair, save_task
from runoff.server.store.campaigns import save_campaign
from runoff.server.store.models.campaigns import ASSIGNMENT, JUDGMENT, TASK, TASK_PAIR
from runoff.server.store.participation import save_consent
from runoff.tables.campaign_settings import CampaignSettings
from tests.server.store.models.refusals import refused, taken
from tests.server.store.world import NOW

PAIR = PlannedPair(query_id="q1", left_doc="d1", right_doc="d2")


@pytest.fixture
def row(world):
    """An assignment of the first of two copies of batch 1 to the assessor; the member consented too."""

    def fill(connection):
        campaign = save_campaign(connection, CampaignSettings(slug="c", title="C"), actor=None, now=NOW).id
        first = save_task(connection, campaign, 1, 1, [PAIR])
        for batch, copy in ((1, 2), (2, 1)):
            save_task(connection, campaign, batch, copy, [PAIR])
        for person in (world.assessor.id, world.member.id):
            save_consent(connection, campaign, person, now=NOW)
        return {"task_id": first, "campaign_id": campaign, "batch": 1, "person_id": world.assessor.id}

    return world.database.write(fill) | {"state": "given", "given_at": NOW, "expires_at": NOW}


def test_a_task_has_one_holder_and_a_batch_is_seen_once(world, row):
    taken(world.database, ASSIGNMENT, row)
    refused(world.database, ASSIGNMENT, row | {"person_id": world.member.id}, "one_holder|assignment.task_id")
    again = row | {"task_id": row["task_id"] + 1}
    refused(world.database, ASSIGNMENT, again, "(?i)unique")
    refused(world.database, ASSIGNMENT, again | {"state": "done", "ended_at": NOW}, "batch_once|assignment.batch")
    other = row | {"task_id": row["task_id"] + 2, "batch": 2}
    refused(world.database, ASSIGNMENT, other, "one_at_a_time|assignment.campaign_id, assignment.person_id")
    returned = update(ASSIGNMENT).values(state="discarded", ended_at=NOW)
    world.database.write(lambda connection: connection.execute(returned))
    taken(world.database, ASSIGNMENT, row | {"person_id": world.member.id})


def test_a_task_is_of_its_campaign_and_its_assessor_consented(world, row):
    refused(world.database, ASSIGNMENT, row | {"batch": 2}, "(?i)foreign key")
    refused(world.database, ASSIGNMENT, row | {"person_id": world.organiser.id}, "(?i)foreign key")
    refused(world.database, ASSIGNMENT, row | {"state": "done"}, "end_of_the_ended")
    refused(world.database, TASK, {"campaign_id": 1, "batch": 1, "copy": 1, "state": "open"}, "(?i)unique")


def test_an_answer_has_its_turn_and_is_of_who_has_the_pair(world, row):
    number = taken(world.database, ASSIGNMENT, row)
    with world.database.read() as connection:
        pairs = {row.task_id: row.id for row in connection.execute(select(TASK_PAIR.c.task_id, TASK_PAIR.c.id))}
    task = row["task_id"]
    answer = {"assignment_id": number, "task_id": task, "task_pair_id": pairs[task], "preferred": "left"}
    answer |= {"seconds": 1.0, "at": NOW, "turn": 1, "retry_key": "k"}
    refused(world.database, JUDGMENT, answer | {"task_pair_id": pairs[task + 1]}, "(?i)foreign key")
    refused(world.database, JUDGMENT, answer | {"preferred": "both"}, "preferred_known")
    refused(world.database, JUDGMENT, answer | {"seconds": -1.0}, "seconds_possible")
    taken(world.database, JUDGMENT, answer)
    refused(world.database, JUDGMENT, answer | {"preferred": "right", "retry_key": None}, "(?i)unique")
    refused(world.database, JUDGMENT, answer | {"turn": 2}, "(?i)unique")
    taken(world.database, JUDGMENT, answer | {"turn": 2, "preferred": None, "retry_key": None})
    for statement in (update(JUDGMENT).values(preferred="right"), delete(JUDGMENT)):
        with pytest.raises(DBAPIError, match="never changed or removed"):
            world.database.write(lambda connection, statement=statement: connection.execute(statement))


def test_a_pair_has_two_documents_and_a_place(world, row):
    pair = {"task_id": row["task_id"], "place": 2, "query_id": "q", "left_doc": "d", "right_doc": "d"}
    refused(world.database, TASK_PAIR, pair, "two_documents")
    refused(world.database, TASK_PAIR, pair | {"right_doc": "e", "expected": "up"}, "expected_known")
    refused(world.database, TASK_PAIR, pair | {"right_doc": "e", "place": 1}, "(?i)unique")
