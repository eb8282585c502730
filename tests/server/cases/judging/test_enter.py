"""Assessors come in by invitation or with a worker id, without a password."""

from datetime import timedelta
from typing import Any

import pytest

from runoff.errors import ConflictError, NotAllowedError, NotFoundError, UsageError
from runoff.server.cases.accounts.permissions import Actor
from runoff.server.cases.judging.assessors import load_assessors
from runoff.server.cases.judging.enter import consent, enter_campaign, make_campaign_link, reinstate
from runoff.server.cases.judging.judge import finish_task, leave
from runoff.server.cases.judging.manage import change_campaign
from runoff.server.store.access import load_session_person
from runoff.server.store.campaign_links import (
    load_campaign_links,
    load_entries,
    load_workers,
    save_campaign_link_withdrawn,
)
from runoff.server.store.participation import consent_version
from runoff.server.store.people import load_password_hash, save_person
from tests.server.store.backends import both_databases

DAY = timedelta(days=1)


def link(campaigned, campaign, **options):
    return make_campaign_link(
        campaigned.database, campaign.id, actor=campaigned.organiser, now=campaigned.now(), **options
    )


def enter(campaigned, token, **options: Any):
    return enter_campaign(campaigned.database, token, session=DAY, now=campaigned.now(), **options)


def test_an_invitation_lets_in_so_many_people_each_a_new_assessor(campaigned):
    campaign = campaigned.draft()
    token = link(campaigned, campaign, most_uses=2)
    first, second = enter(campaigned, token), enter(campaigned, token)
    assert first.person.id != second.person.id
    assert first.person.role == "assessor"
    assert first.participation is None
    assert campaigned.read(load_session_person, first.token, campaigned.now()) == first.person
    assert campaigned.read(load_password_hash, first.person.id) is None
    with pytest.raises(NotFoundError, match="used up"):
        enter(campaigned, token)
    again = enter(campaigned, token, person=first.person)
    assert (again.person, again.token) == (first.person, None)
    (kept,) = campaigned.read(load_campaign_links, campaign.id)
    assert kept.uses == 2


def test_a_link_ends_when_it_is_withdrawn_or_too_old(campaigned):
    campaign = campaigned.draft()
    old = link(campaigned, campaign, expires_at=campaigned.now())
    gone = link(campaigned, campaign)
    number = campaigned.read(load_campaign_links, campaign.id)[1].id
    campaigned.database.write(
        lambda c: save_campaign_link_withdrawn(c, campaign.id, number, actor=None, now=campaigned.now())
    )
    for token in (old, gone, "guessed"):
        with pytest.raises(NotFoundError, match="unknown, withdrawn or too old"):
            enter(campaigned, token)
    with pytest.raises(NotAllowedError):
        make_campaign_link(campaigned.database, campaign.id, actor=Actor(), now=campaigned.now())


@both_databases
def test_the_same_worker_is_the_same_assessor_and_stays_barred(campaigned):
    campaign = campaigned.opened()
    token = link(campaigned, campaign, site="turk", most_uses=None)
    with pytest.raises(UsageError, match="no worker id"):
        enter(campaigned, token)
    came = enter(campaigned, token, worker_id="A1", reference="hit 1")
    actor = Actor(id=came.person.id, role="assessor")
    for _ in range(2):
        assert consent(campaigned.database, campaign.id, actor=actor, now=campaigned.now()).stopped_at is None
    assert campaigned.do(campaign, actor, wrong=True) == "discarded"
    again = enter(campaigned, token, worker_id=" A1 ", reference="hit 2", person=came.person)
    assert again.person == came.person
    assert again.token is None
    assert again.participation.stopped_at is not None
    assert campaigned.offer(campaign, actor).state == "stopped"
    assert "A1" not in again.person.email + again.person.display_name
    assert campaigned.read(load_workers, campaign.id)[came.person.id].worker_id == "A1"
    assert [one.reference for one in campaigned.read(load_entries, campaign.id)] == ["hit 1", "hit 2"]
    reinstate(campaigned.database, campaign.id, came.person.id, actor=campaigned.organiser, now=campaigned.now())
    assert campaigned.offer(campaign, actor).state == "given"


def test_a_worker_who_left_comes_back_with_another_assignment(campaigned):
    campaign = campaigned.opened()
    token = link(campaigned, campaign, site="turk", most_uses=None)
    came = enter(campaigned, token, worker_id="A1", reference="hit 1")
    actor = Actor(id=came.person.id, role="assessor")
    consent(campaigned.database, campaign.id, actor=actor, now=campaigned.now())
    codes: list[Any] = []
    for number in (1, 2):
        enter(campaigned, token, worker_id="A1", reference=f"hit {number}", person=came.person)
        campaigned.do(campaign, actor)
        codes.append(leave(campaigned.database, campaign.id, actor=actor, now=campaigned.now()))
        enter(campaigned, token, worker_id="A1", reference=f"hit {number}", person=came.person)
        assert campaigned.offer(campaign, actor).state == "left", "the same assignment again is no return"
    assert [(one.reference, one.tasks, one.pay) for one in codes] == [("hit 1", 1, 2.0), ("hit 2", 1, 2.0)]
    assert codes[0].code != codes[1].code


def test_consent_is_for_those_who_may_judge(campaigned):
    campaign = campaigned.draft()
    with pytest.raises(NotAllowedError):
        consent(campaigned.database, campaign.id, actor=Actor(id=1, role="member"), now=campaigned.now())


def test_a_member_of_a_team_comes_in_as_another_person(campaigned):
    campaign = campaigned.draft()
    row: dict[str, Any] = {"email": "ann@example.org", "display_name": "Ann", "role": "member"}
    member = campaigned.database.write(lambda c: save_person(c, **row, actor=None, now=campaigned.now()))
    came = enter(campaigned, link(campaigned, campaign), person=member)
    assert (came.person.id != member.id, came.person.role, came.token is None) == (True, "assessor", False)


def test_a_text_that_was_changed_meanwhile_has_to_be_read_again(campaigned):
    campaign = campaigned.opened(consent="I agree.")
    token = make_campaign_link(campaigned.database, campaign.id, actor=campaigned.organiser, now=campaigned.now())
    came = enter_campaign(campaigned.database, token, session=timedelta(hours=1), now=campaigned.now())
    options = {"actor": Actor(id=came.person.id, role="assessor"), "now": campaigned.now()}
    with pytest.raises(ConflictError, match="was changed while you read it"):
        consent(campaigned.database, campaign.id, seen=consent_version("I agree to less."), **options)
    part = consent(campaigned.database, campaign.id, seen=consent_version("I agree."), **options)
    assert part.consent_hash == consent_version("I agree.")
    later = consent(campaigned.database, campaign.id, seen=consent_version("other"), **options)
    assert later == part, "said twice is said once"


def test_who_is_stopped_in_one_campaign_may_judge_in_another(campaigned):
    one, two = campaigned.opened(), campaigned.opened(slug="two")
    actor = campaigned.assessor(one)
    consent(campaigned.database, two.id, actor=actor, now=campaigned.now())
    assert campaigned.do(one, actor, wrong=True) == "discarded"
    assert campaigned.offer(one, actor).state == "stopped"
    assert campaigned.offer(two, actor).state == "given"
    (view,) = campaigned.read(load_assessors, two, actor=campaigned.organiser)
    assert view.state == "active"


@pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
def test_who_agreed_to_an_older_text_is_asked_again_at_the_next_task(campaigned):
    campaign = campaigned.opened(consent="Old words.")
    actor, other = campaigned.assessor(campaign), campaigned.assessor(campaign)
    held = campaigned.offer(campaign, actor).sheet
    settings = campaigned.settings(consent="New words.")
    organiser = {"actor": campaigned.organiser, "now": campaigned.now()}
    changed = change_campaign(campaigned.database, campaign.id, settings, version=campaign.version, **organiser)
    assert campaigned.offer(changed, other).state == "new consent"
    assert campaigned.offer(changed, actor).sheet == held, "a task in hand is not taken away"
    campaigned.answer(held, actor)
    finish_task(campaigned.database, held.assignment.id, actor=actor, now=campaigned.now())
    assert campaigned.offer(changed, actor).state == "new consent"
    options = {"actor": actor, "now": campaigned.now()}
    with pytest.raises(ConflictError, match="was changed while you read it"):
        consent(campaigned.database, campaign.id, seen=consent_version("Old words."), **options)
    part = consent(campaigned.database, campaign.id, seen=consent_version("New words."), **options)
    assert part.consent_hash == consent_version("New words.")
    assert campaigned.offer(changed, actor).state == "given"
    views = campaigned.read(load_assessors, changed, actor=campaigned.organiser)
    assert [[one.text for one in view.consents] for view in views] == [["Old words.", "New words."], ["Old words."]]
