"""The page of the assessors."""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import timedelta

import pytest

from runoff.server.cases.accounts.permissions import Actor
from runoff.server.cases.judging.enter import CONSENT, consent, enter_campaign, make_campaign_link
from runoff.server.cases.judging.live_results import CampaignMemory
from runoff.server.cases.judging.manage import change_campaign
from runoff.server.store.campaigns import load_campaign
from runoff.tables.campaign_settings import CampaignSettings
from tests.server.cases.judging.campaigned import Campaigned
from tests.server.store.backends import both_databases
from tests.server.web.campaigning import ADDRESS, words_of
from tests.server.web.checks import checked


def worker(made: Campaigned, campaign, name):
    token = make_campaign_link(
        made.database, campaign.id, site="Prolific", most_uses=None, actor=made.organiser, now=made.now()
    )
    came = enter_campaign(made.database, token, worker_id=name, session=timedelta(hours=1), now=made.now())
    actor = Actor(id=came.person.id, role="assessor")
    consent(made.database, campaign.id, actor=actor, now=made.now())
    return actor


def save_text(made, campaign, text):
    before = made.read(load_campaign, campaign.id)
    settings = {field.name: getattr(before, field.name) for field in fields(CampaignSettings)}
    change_campaign(
        made.database, campaign.id, CampaignSettings(**settings | {"consent": text}), version=before.version,
        actor=made.organiser, now=made.now(),
    )  # fmt: skip


@both_databases
def test_assessors_with_their_numbers_and_who_is_reinstated(campaigning):
    made = campaigning.campaigned
    campaign = made.opened(judgments_per_pair=2)
    address = f"{ADDRESS}/{campaign.id}/assessors"
    assert "There are no assessors yet." in words_of(campaigning.see(address))
    made.do(campaign, worker(made, campaign, "W1 <b>"), wrong=True)
    made.judge_all(campaign, [made.assessor(campaign), made.assessor(campaign)])
    page = campaigning.see(address)
    words = words_of(page)
    assert "3 assessors: 2 active, 1 barred." in words
    assert "Prolific: W1 <b>" in words
    assert "1 of 1" in words
    assert "100% of" in words
    assert "nan" not in words
    assert "text 1 on 2026-03-15" in words
    assert "Text 1 (current): 3 people" in words
    assert CONSENT in words
    save_text(made, campaign, "Other words.")
    later = " ".join(words_of(campaigning.see(address)).split())
    assert "Text 1: 3 people" in later
    assert "Text 2 (current): nobody yet Other words." in later
    (back,) = [str(one["action"]) for one in page.all("form") if "reinstate" in str(one["action"])]
    assert campaigning.post(back).headers["location"] == f"{address}?done=reinstated"
    assert "3 active" in words_of(campaigning.see(address))
    assert campaigning.post(f"{address}/999/reinstate").status_code == 404


@pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
def test_nothing_is_claimed_of_what_nobody_else_judged(campaigning):
    made = campaigning.campaigned
    campaign = made.opened()
    made.do(campaign, made.assessor(campaign))
    page = campaigning.see(f"{ADDRESS}/{campaign.id}/assessors")
    assert "nan" not in words_of(page)
    assert "0 of" in words_of(page)


@pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
def test_assessors_without_an_account_are_not_among_the_people(campaigning):
    made = campaigning.campaigned
    campaign = made.opened()
    made.assessor(campaign)
    words = words_of(campaigning.see("/organise/people"))
    assert "olga@example.org" in words
    assert "assessor.invalid" not in words
    log = words_of(campaigning.see("/boards/trees/organise?thing=campaign"))
    assert "invite" in log
    assert "consent" in log


@pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
@pytest.mark.parametrize("part, function", [("assessors", "assessors_of"), ("results", "results_of")])
def test_a_page_with_earlier_numbers_looks_again(campaigning, monkeypatch, part, function):
    made = campaigning.campaigned
    campaign = made.opened()
    made.do(campaign, made.assessor(campaign))
    address, ask = f"{ADDRESS}/{campaign.id}/{part}", getattr(CampaignMemory, function)
    assert "refresh" not in campaigning.ask(address).headers

    def earlier(*arguments, **options):
        return replace(ask(*arguments, **options), is_current=False)

    monkeypatch.setattr(CampaignMemory, function, earlier)
    answer = campaigning.ask(address)
    assert answer.headers["refresh"] == "10"
    assert "the page reloads by itself" in words_of(checked(answer.text))
