"""What a server keeps of its campaigns is never out of date."""

from __future__ import annotations

import pytest

from runoff.errors import ConflictError, NotAllowedError
from runoff.server.cases.accounts.permissions import Actor
from runoff.server.cases.judging.known_pairs import remove_known_pair
from runoff.server.cases.judging.live_results import CampaignMemory
from runoff.server.cases.judging.manage import change_campaign
from runoff.server.store.campaign_pools import load_known_pairs

ASKED = (
    CampaignMemory.assessors_of,
    CampaignMemory.figures_of,
    CampaignMemory.preview_of,
    CampaignMemory.proposal_of,
    CampaignMemory.results_of,
)


def test_results_are_made_once_per_state_of_the_judgments(campaigning):
    made, site = campaigning.campaigned, campaigning.site
    campaign = made.opened()
    how = {"actor": made.organiser}
    empty = site.campaigns.results_of(campaign, **how).value
    assert empty.results.tally is None
    assert site.campaigns.results_of(campaign, **how).value is empty
    assert empty.before["q0"] == ("a.q0",)
    with pytest.raises(ConflictError):
        site.campaigns.proposal_of(campaign, **how)
    made.do(campaign, made.assessor(campaign))
    first = site.campaigns.results_of(campaign, **how).value
    assert first.results.tally is not None
    assert site.campaigns.results_of(campaign, **how).value is first
    proposal = site.campaigns.proposal_of(campaign, **how).value
    assert site.campaigns.proposal_of(campaign, **how).value is proposal
    made.do(campaign, made.assessor(campaign))
    assert site.campaigns.results_of(campaign, **how).value is not first
    assert site.campaigns.proposal_of(campaign, **how).value is not proposal


def test_a_removed_test_pair_makes_other_results(campaigning):
    made, site = campaigning.campaigned, campaigning.site
    campaign = made.opened()
    made.do(campaign, made.assessor(campaign))
    assert made.do(campaign, made.assessor(campaign), wrong=True) == "discarded"
    before = site.campaigns.results_of(campaign, actor=made.organiser).value.results.tally
    assert before is not None
    assert before.quality.failed_tests > 0
    for one in made.read(load_known_pairs, campaign.id):
        remove_known_pair(made.database, campaign.id, one.id, actor=made.organiser, now=made.now())
    after = site.campaigns.results_of(campaign, actor=made.organiser).value.results.tally
    assert after is not None
    assert after.quality.failed_tests == after.quality.tests == 0


def test_figures_follow_tasks_that_are_given_and_previews_the_settings(campaigning):
    made, site = campaigning.campaigned, campaigning.site
    draft = made.draft(depth=2)
    first = site.campaigns.preview_of(draft, actor=made.organiser)
    assert first["full"].pairs == first["full"].full_pairs > first["sequential"].pairs
    assert site.campaigns.preview_of(draft, actor=made.organiser) is first
    settings = made.settings(depth=3)
    changed = change_campaign(
        made.database, draft.id, settings, version=draft.version, actor=made.organiser, now=made.now()
    )
    assert site.campaigns.preview_of(changed, actor=made.organiser)["full"].pairs > first["full"].pairs
    campaign = made.start(changed)
    before = site.campaigns.figures_of(campaign, actor=made.organiser)
    assert site.campaigns.figures_of(campaign, actor=made.organiser) is before
    made.offer(campaign, made.assessor(campaign))
    after = site.campaigns.figures_of(campaign, actor=made.organiser)
    assert (before.progress.tasks_given, after.progress.tasks_given) == (0, 1)
    assert [one.state for one in site.campaigns.assessors_of(campaign, actor=made.organiser).value] == ["active"]


@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
def test_nothing_is_for_anybody_else(campaigning, asked):
    campaign = campaigning.campaigned.opened()
    with pytest.raises(NotAllowedError):
        asked(campaigning.site.campaigns, campaign, actor=Actor(id=9, role="member"))
