from datetime import timedelta

from runoff.server.store.campaigns import (
    KIND,
    PLAN,
    READ,
    load_campaign_problems,
    save_campaign,
    save_campaign_job,
    save_campaign_settings,
    save_planned,
    save_upkeep_jobs,
)
from runoff.server.store.jobs import fail_job, finish_job, load_jobs, take_job
from runoff.tables.campaign_settings import CampaignSettings
from tests.server.store.world import NOW


def campaign_of(world, **changes):
    settings = CampaignSettings(slug="c", title="C", board_id=world.board.id, **changes)
    return world.database.write(lambda c: save_campaign(c, settings, actor=None, now=NOW))


def test_a_step_that_waits_is_one_job_and_can_be_done_again(world):
    write, campaign = world.database.write, campaign_of(world)
    first = write(lambda c: save_campaign_job(c, campaign, READ, now=NOW))
    assert write(lambda c: save_campaign_job(c, campaign, READ, now=NOW)) == first
    job = write(lambda c: take_job(c, [KIND], worker="w", lease=timedelta(minutes=1), now=NOW))
    assert write(lambda c: load_campaign_problems(c, campaign.id)) == ()
    write(lambda c: finish_job(c, job, result={"problems": ["no text"]}, now=NOW))
    assert write(lambda c: load_campaign_problems(c, campaign.id)) == ("no text",)
    assert write(lambda c: save_campaign_job(c, campaign, READ, now=NOW)).id != first.id


def test_a_step_that_failed_is_told(world):
    write, campaign = world.database.write, campaign_of(world)
    assert write(lambda c: load_campaign_problems(c, campaign.id)) == ()
    write(lambda c: save_campaign_job(c, campaign, PLAN, now=NOW))
    job = write(lambda c: take_job(c, [KIND], worker="w", lease=timedelta(minutes=1), now=NOW))
    write(lambda c: fail_job(c, job, "OSError in x.py:1", retry=False, now=NOW))
    (problem,) = write(lambda c: load_campaign_problems(c, campaign.id))
    assert "could not do this step (plan): OSError in x.py:1" in problem


def test_a_plan_that_failed_is_told_until_something_was_changed(world):
    write, campaign = world.database.write, campaign_of(world)
    write(lambda c: save_campaign_job(c, campaign, PLAN, now=NOW))
    job = write(lambda c: take_job(c, [KIND], worker="w", lease=timedelta(minutes=1), now=NOW))
    result = {"problems": ["no text"], "version": campaign.version}
    write(lambda c: finish_job(c, job, result=result, now=NOW))
    assert write(lambda c: load_campaign_problems(c, campaign.id)) == ("no text",)
    settings = CampaignSettings(slug="c", title="C", board_id=world.board.id, depth=2)
    write(lambda c: save_campaign_settings(c, campaign.id, settings, version=campaign.version, actor=None, now=NOW))
    assert write(lambda c: load_campaign_problems(c, campaign.id)) == ()


def test_a_scored_run_is_told_to_standing_campaigns_once(world):
    write, campaign = world.database.write, campaign_of(world, standing=True)
    assert write(lambda c: save_upkeep_jobs(c, world.board.id, 5, now=NOW)) == 0, "there is no plan yet"
    write(lambda c: save_planned(c, campaign.id, now=NOW))
    for _ in range(2):
        assert write(lambda c: save_upkeep_jobs(c, world.board.id, 5, now=NOW)) == 1
    assert [dict(job.payload)["run_id"] for job in write(lambda c: load_jobs(c, kinds=(KIND,)))] == [5]
