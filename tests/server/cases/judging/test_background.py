from datetime import timedelta

import pytest

from runoff.errors import UsageError
from runoff.server.cases.judging.background import CAMPAIGN_KINDS, do_campaign_job
from runoff.server.store.campaigns import KIND, PLAN, load_campaign, save_campaign_job
from runoff.server.store.jobs import load_jobs, take_job
from tests.server.store.backends import both_databases


@both_databases
def test_a_campaign_is_planned_by_a_job(campaigned):
    draft = campaigned.draft()
    campaigned.database.write(lambda c: save_campaign_job(c, draft, PLAN, now=campaigned.now()))
    assert campaigned.work() == ["plan"]
    assert campaigned.read(load_campaign, draft.id).state == "open"
    assert [job.result["state"] for job in campaigned.read(load_jobs, kinds=(KIND,))] == ["planned", "read"]


def test_an_unknown_step_is_an_error(campaigned):
    draft = campaigned.draft()
    campaigned.database.write(lambda c: save_campaign_job(c, draft, "dance", now=campaigned.now()))
    job = campaigned.database.write(
        lambda c: take_job(c, CAMPAIGN_KINDS, worker="w", lease=timedelta(minutes=1), now=campaigned.now())
    )
    with pytest.raises(UsageError, match="no step 'dance'"):
        do_campaign_job(campaigned.database, campaigned.files, job, now=campaigned.now)
