import pytest

from runoff.errors import ConflictError, NotFoundError
from runoff.server.store.campaigns import save_campaign
from runoff.server.store.participation import (
    consent_version,
    load_consents,
    load_participation,
    load_participations,
    save_consent,
    save_consent_renewed,
    save_reinstated,
    save_returned,
    save_stopped,
)
from runoff.tables.campaign_settings import CampaignSettings
from tests.server.store.world import NOW, later


def test_consent_comes_first_and_people_leave_return_and_are_stopped(world):
    write, person = world.database.write, world.assessor.id
    campaign = write(lambda c: save_campaign(c, CampaignSettings(slug="c", title="C"), actor=None, now=NOW)).id
    assert write(lambda c: load_participation(c, campaign, person)) is None
    with pytest.raises(NotFoundError, match="is not taking part"):
        write(lambda c: save_stopped(c, campaign, person, left=True, now=NOW))
    write(lambda c: save_consent(c, campaign, person, now=NOW))
    with pytest.raises(ConflictError, match="already takes part in campaign 1"):
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


def test_a_consent_keeps_the_text_that_it_was_given_to(world):
    write, person = world.database.write, world.assessor.id
    text = "I agree to \u00e4ll of it."
    for place, said in enumerate((text, text, None)):
        settings = CampaignSettings(slug=f"c{place}", title="C")
        campaign = write(lambda c, settings=settings: save_campaign(c, settings, actor=None, now=NOW)).id
        write(lambda c, campaign=campaign, said=said: save_consent(c, campaign, person, now=NOW, text=said))
        kept = write(lambda c, campaign=campaign: load_participation(c, campaign, person)).consent_hash
        assert kept == (None if said is None else consent_version(text))
        found = write(lambda c, campaign=campaign: load_consents(c, campaign))
        assert [one.text for one in found] == ([] if said is None else [text])


def test_a_text_that_is_new_is_agreed_to_beside_the_old_one(world):
    write, person = world.database.write, world.assessor.id
    campaign = write(lambda c: save_campaign(c, CampaignSettings(slug="c", title="C"), actor=None, now=NOW)).id
    write(lambda c: save_consent(c, campaign, person, now=NOW, text="old"))
    write(lambda c: save_consent_renewed(c, campaign, person, now=later(days=1), text="new"))
    part = write(lambda c: load_participation(c, campaign, person))
    assert (part.consented_at, part.consent_hash) == (NOW, consent_version("new"))
    said = write(lambda c: load_consents(c, campaign))
    assert [(one.person_id, one.at, one.text) for one in said] == [(person, NOW, "old"), (person, later(days=1), "new")]
    with pytest.raises(NotFoundError):
        write(lambda c: save_consent_renewed(c, campaign, 10_000, now=NOW, text="new"))
