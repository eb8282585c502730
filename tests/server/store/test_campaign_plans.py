import pytest

from runoff.errors import ConflictError, UsageError
from runoff.server.store.campaign_plans import (
    CampaignProgress,
    NewTask,
    PlannedPair,
    load_asked_queries,
    load_last_activity,
    load_met,
    load_next_batch,
    load_progress,
    load_tasks,
    save_task,
    save_tasks,
)
from runoff.server.store.campaigns import save_campaign
from runoff.tables.campaign_settings import CampaignSettings
from tests.server.store.judged import Judging
from tests.server.store.world import NOW

PAIR = PlannedPair(query_id="q1", left_doc="d1", right_doc="d2")
KNOWN = PlannedPair(query_id="q2", left_doc="d3", right_doc="d4", expected="right")


@pytest.fixture
def write(world):
    return world.database.write


@pytest.fixture
def campaign(write):
    return write(lambda c: save_campaign(c, CampaignSettings(slug="c", title="C"), actor=None, now=NOW)).id


def test_a_plan_has_each_place_once(write, campaign):
    write(lambda c: [save_task(c, campaign, 1, copy, [PAIR]) for copy in (1, 2)])
    with pytest.raises(ConflictError, match="has a task 1/2 already"):
        write(lambda c: save_task(c, campaign, 1, 2, [PAIR]))
    with pytest.raises(UsageError, match="task 2/1 has no pairs"):
        write(lambda c: save_task(c, campaign, 2, 1, []))
    turned = PlannedPair(query_id="q1", left_doc="d2", right_doc="d1")
    with pytest.raises(ConflictError, match="is listed twice in a task"):
        write(lambda c: save_task(c, campaign, 2, 1, [PAIR, turned]))
    assert write(lambda c: load_progress(c, campaign)) == CampaignProgress(tasks_open=2, judgments_open=2)


def test_many_tasks_at_once_are_what_single_ones_would_be(write, campaign):
    tasks = [NewTask(batch=batch, copy=copy, pairs=(PAIR, KNOWN)) for batch in (1, 2) for copy in (1, 2)]
    assert write(lambda c: load_next_batch(c, campaign)) == 1
    assert write(lambda c: save_tasks(c, campaign, tasks)) == 4
    assert write(lambda c: save_tasks(c, campaign, [])) == 0
    found = write(lambda c: load_tasks(c, campaign))
    assert [NewTask(batch=one.batch, copy=one.copy, pairs=one.pairs) for one in found] == tasks
    assert {one.state for one in found} == {"open"}
    assert write(lambda c: load_next_batch(c, campaign)) == 3
    assert write(lambda c: load_progress(c, campaign)) == CampaignProgress(tasks_open=4, judgments_open=4)
    with pytest.raises(UsageError, match="the same place"):
        write(lambda c: save_tasks(c, campaign, tasks[:1] * 2))


def test_progress_counts_real_pairs_and_activity_changes_with_each_end(world):
    judging = Judging(world)
    assert judging.read(load_last_activity, judging.campaign) == (0, None)
    assignment = judging.take(judging.people[0])
    judging.answer(assignment, ["left", "left"])
    judging.finish(assignment)
    judging.take(judging.people[1])
    found = judging.read(load_progress, judging.campaign)
    assert (found.tasks, found.tasks_done, found.tasks_given) == (8, 1, 1)
    assert (found.judgments, found.judgments_done) == (8, 1)
    assert judging.read(load_last_activity, judging.campaign) == (1, NOW)


def test_what_is_asked_and_who_was_given_what(world):
    judging = Judging(world)
    assert judging.read(load_asked_queries, judging.campaign) == {"q1"}
    assert judging.read(load_met, judging.campaign, ["q1"]) == {}
    first, second = judging.take(judging.people[0]), judging.take(judging.people[1])
    judging.answer(first, ["left", "left"])
    judging.finish(first)
    assert judging.read(load_met, judging.campaign, ["q1", "q9"]) == {("q1", "d1", "d2"): frozenset(judging.people[:2])}
    assert judging.read(load_met, judging.campaign, ["q9"]) == {}
    assert second is not None
    assert judging.read(load_asked_queries, judging.campaign) == {"q1"}
