"""What a link leads to, and how many wrong ones are looked at."""

from datetime import timedelta

import pytest

from runoff.errors import NotFoundError, QuotaError
from runoff.server.cases.accounts.permissions import Actor
from runoff.server.cases.judging.enter import consent, enter_campaign, look_at_link, make_campaign_link
from runoff.server.store.campaign_links import load_campaign_links
from tests.server.store.backends import both_databases


def look(campaigned, token, person=None, address="10.0.0.1"):
    return look_at_link(
        campaigned.database, token, person=person, address=address, failures=1, now=campaigned.now()
    )  # fmt: skip


@both_databases
def test_a_link_is_looked_at_without_a_change(campaigned):
    campaign = campaigned.draft()
    token = make_campaign_link(campaigned.database, campaign.id, actor=campaigned.organiser, now=campaigned.now())
    door = look(campaigned, token)
    assert (door.campaign.id, door.is_known, door.is_full, door.link.uses) == (campaign.id, False, False, 0)
    came = enter_campaign(campaigned.database, token, session=timedelta(hours=1), now=campaigned.now())
    assert look(campaigned, token).is_full
    again = look(campaigned, token, came.person)
    assert (again.is_known, again.is_full) == (False, False), "came in, and has not agreed yet"
    actor = Actor(id=came.person.id, role="assessor")
    consent(campaigned.database, campaign.id, actor=actor, now=campaigned.now())
    assert look(campaigned, token, came.person).is_known
    assert [link.uses for link in campaigned.read(load_campaign_links, campaign.id)] == [1]


def test_guesses_from_one_address_are_limited(campaigned):
    campaign = campaigned.draft()
    token = make_campaign_link(campaigned.database, campaign.id, actor=campaigned.organiser, now=campaigned.now())
    for number in range(10):
        with pytest.raises(NotFoundError, match="unknown, withdrawn or too old"):
            look(campaigned, f"guess {number}")
    with pytest.raises(QuotaError, match="wait 15 minutes"):
        look(campaigned, token)
    assert look(campaigned, token, address="10.0.0.2").campaign.id == campaign.id
    campaigned.wait(minutes=16)
    assert look(campaigned, token).campaign.id == campaign.id
