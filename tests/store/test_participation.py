import pytest

from runoff.errors import ConflictError, NotFoundError
from runoff.store.campaigns import CampaignSettings, save_campaign
from runoff.store.participation import (
    load_participation,
    load_participations,
    save_consent,
    save_reinstated,
    save_returned,
    save_stopped,
)
from tests.store.world import NOW, later


def test_consent_comes_first_and_people_leave_return_and_are_stopped(world):
    write, person = world.database.write, world.assessor.id
    campaign = write(lambda c: save_campaign(c, CampaignSettings(slug="c", title="C"), actor=None, now=NOW)).id
    assert write(lambda c: load_participation(c, campaign, person)) is None
    with pytest.raises(NotFoundError, match="takes no part"):
        write(lambda c: save_stopped(c, campaign, person, left=True, now=NOW))
    write(lambda c: save_consent(c, campaign, person, now=NOW))
    with pytest.raises(ConflictError, match="takes part in campaign 1 already"):
        write(lambda c: save_consent(c, campaign, person, now=NOW))
    with pytest.raises(NotFoundError, match="no campaign 99 or"):
        write(lambda c: save_consent(c, 99, person, now=NOW))

    def part():
        found = write(lambda c: load_participation(c, campaign, person))
        return found.consented_at, found.left_at, found.stopped_at

    write(lambda c: save_stopped(c, campaign, person, left=True, now=later(days=1)))
    assert part() == (NOW, later(days=1), None)
    write(lambda c: save_stopped(c, campaign, person, left=False, now=later(days=2)))
    write(lambda c: save_returned(c, campaign, person, now=NOW))
    assert part() == (NOW, None, later(days=2)), "coming back does not undo being stopped"
    write(lambda c: save_reinstated(c, campaign, person, actor=None, now=NOW))
    assert part() == (NOW, None, None)
    assert [one.person_id for one in write(lambda c: load_participations(c, campaign))] == [person]
