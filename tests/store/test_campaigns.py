import pytest

from runoff.errors import ConflictError, NotFoundError, UsageError
from runoff.store.campaigns import (
    PlannedPair,
    load_campaign,
    load_campaigns,
    load_participation,
    load_progress,
    save_campaign,
    save_campaign_state,
    save_consent,
    save_stopped,
    save_task,
)
from tests.store.world import NOW, later

PAIR = PlannedPair(query_id="q1", left_doc="d1", right_doc="d2")


@pytest.fixture
def write(world):
    return world.database.write


@pytest.fixture
def campaign(write):
    return write(
        lambda c: save_campaign(c, slug="tops", title="Top documents", instructions="Compare.", actor=None, now=NOW)
    )


def test_a_campaign_is_a_draft_that_opens_and_closes(write, campaign):
    assert campaign.state == "draft"
    for state in ("open", "closed", "open"):
        write(lambda c, state=state: save_campaign_state(c, campaign.id, state, actor=None, now=NOW))
        assert write(lambda c: load_campaign(c, campaign.id)).state == state
    for state in ("open", "draft"):
        with pytest.raises(ConflictError, match=f"'tops' is open and cannot become {state}"):
            write(lambda c, state=state: save_campaign_state(c, campaign.id, state, actor=None, now=NOW))
    assert [one.slug for one in write(load_campaigns)] == ["tops"]
    with pytest.raises(ConflictError, match="called 'tops' already"):
        write(lambda c: save_campaign(c, slug="tops", title="T", instructions="", actor=None, now=NOW))


def test_a_plan_has_each_place_once(write, campaign):
    write(lambda c: [save_task(c, campaign.id, 1, copy, [PAIR]) for copy in (1, 2)])
    with pytest.raises(ConflictError, match="has a task 1/2 already"):
        write(lambda c: save_task(c, campaign.id, 1, 2, [PAIR]))
    with pytest.raises(UsageError, match="task 2/1 has no pairs"):
        write(lambda c: save_task(c, campaign.id, 2, 1, []))
    assert write(lambda c: load_progress(c, campaign.id)) == {"open": 2, "given": 0, "done": 0}


def test_consent_comes_first_and_ends(write, campaign, world):
    person = world.assessor.id
    assert write(lambda c: load_participation(c, campaign.id, person)) is None
    with pytest.raises(NotFoundError, match="takes no part"):
        write(lambda c: save_stopped(c, campaign.id, person, left=True, now=NOW))
    write(lambda c: save_consent(c, campaign.id, person, now=NOW))
    with pytest.raises(ConflictError, match="takes part in campaign 1 already"):
        write(lambda c: save_consent(c, campaign.id, person, now=NOW))
    with pytest.raises(NotFoundError, match="no campaign 99 or"):
        write(lambda c: save_consent(c, 99, person, now=NOW))
    write(lambda c: save_stopped(c, campaign.id, person, left=True, now=later(days=1)))
    part = write(lambda c: load_participation(c, campaign.id, person))
    assert (part.consented_at, part.left_at, part.stopped_at) == (NOW, later(days=1), None)
