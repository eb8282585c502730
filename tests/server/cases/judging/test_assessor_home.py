"""What an assessor finds, and that looking gives no task."""

import pytest

from runoff.errors import NotAllowedError, NotFoundError
from runoff.server.cases.accounts.permissions import Actor
from runoff.server.cases.judging.enter import CONSENT, consent_hash, consent_text
from runoff.server.cases.judging.judge import leave, load_desk, load_own_campaigns
from runoff.server.cases.judging.manage import close_campaign, pause_campaign
from runoff.server.store.campaign_plans import load_progress
from runoff.server.store.people import load_person, save_person
from tests.server.store.backends import both_databases


def desk(campaigned, campaign, actor):
    person = campaigned.read(load_person, actor.id)
    return campaigned.read(load_desk, campaign.slug, person=person, actor=actor)


def named(campaigned, role, email):
    row = {"email": email, "display_name": "N", "role": role, "distinct_name": False}
    person = campaigned.database.write(lambda c: save_person(c, **row, actor=None, now=campaigned.now()))
    return Actor(id=person.id, role=role)


@both_databases
def test_looking_gives_no_task_and_tells_what_is_due(campaigned):
    campaign = campaigned.opened(judgments_per_pair=2)
    actor = campaigned.assessor(campaign)
    assert desk(campaigned, campaign, actor).state == "ready"
    assert campaigned.read(load_progress, campaign.id).tasks_given == 0
    sheet = campaigned.offer(campaign, actor).sheet
    campaigned.answer(sheet, actor, pairs=2)
    found = desk(campaigned, campaign, actor)
    assert (found.state, found.tasks, found.is_owed) == ("given", 0, False)
    assert found.sheet.pairs[2] == found.sheet.next_pair
    assert found.due == round(campaign.pay * 2 / len(sheet.pairs), 2)
    campaigned.answer(found.sheet, actor)
    paid = leave(campaigned.database, campaign.id, actor=actor, now=campaigned.now())
    after = desk(campaigned, campaign, actor)
    assert (after.state, after.due, after.completions) == ("left", 0.0, (paid,))


def test_states(campaigned):
    campaign = campaigned.opened()
    good, bad = campaigned.assessor(campaign), campaigned.assessor(campaign)
    campaigned.do(campaign, bad, wrong=True)
    assert (desk(campaigned, campaign, bad).state, desk(campaigned, campaign, bad).is_owed) == ("stopped", True)
    campaigned.offer(campaign, good)
    for change in (pause_campaign, close_campaign):
        change(campaigned.database, campaign.id, actor=campaigned.organiser, now=campaigned.now())
        assert desk(campaigned, campaign, good).state == "given"
    leave(campaigned.database, campaign.id, actor=good, now=campaigned.now())
    late = campaigned.assessor(campaign)
    assert desk(campaigned, campaign, late).state == "closed"


def test_who_was_not_asked_in_finds_nothing(campaigned):
    campaign, other = campaigned.opened(), campaigned.draft(slug="other", title="Other")
    came = campaigned.assessor(campaign)
    account, member = named(campaigned, "assessor", "a@x.org"), named(campaigned, "member", "m@x.org")
    with pytest.raises(NotFoundError, match="there is no campaign 'other'"):
        desk(campaigned, other, came)
    assert desk(campaigned, campaign, account).state == "no consent"
    with pytest.raises(NotFoundError):
        desk(campaigned, other, account)
    with pytest.raises(NotAllowedError):
        desk(campaigned, campaign, member)
    for actor, slugs in ((came, ["best"]), (account, ["best"]), (campaigned.organiser, ["best", "other"])):
        person = campaigned.read(load_person, actor.id)
        found = campaigned.read(load_own_campaigns, person=person, actor=actor)
        assert [one.slug for one in found] == slugs


def test_a_consent_text_has_a_hash_of_its_own(campaigned):
    plain, own = campaigned.draft(), campaigned.draft(slug="own", title="Own", consent=" I agree. ")
    assert (consent_text(plain), consent_text(own)) == (CONSENT, "I agree.")
    assert consent_hash(plain) != consent_hash(own)
