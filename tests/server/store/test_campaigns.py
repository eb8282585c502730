from dataclasses import fields, replace

import pytest

from runoff.errors import ConflictError, NotFoundError, UsageError
from runoff.server.store.campaigns import (
    load_campaign,
    load_campaign_by_slug,
    load_campaigns,
    save_campaign,
    save_campaign_settings,
    save_campaign_state,
    save_extension,
    save_planned,
    save_started,
)
from runoff.tables.campaign_settings import CampaignSettings
from tests.server.store.world import NOW, later

SETTINGS = CampaignSettings(slug="tops", title="Top documents", instructions="Compare.", sample=5)


@pytest.fixture
def write(world):
    return world.database.write


@pytest.fixture
def campaign(write):
    return write(lambda c: save_campaign(c, SETTINGS, actor=None, now=NOW))


def test_a_campaign_is_a_draft_that_opens_pauses_and_closes(write, campaign):
    assert campaign.state == "draft"
    for state in ("open", "paused", "open", "closed", "open", "paused", "closed"):
        write(lambda c, state=state: save_campaign_state(c, campaign.id, state, actor=None, now=NOW))
        assert write(lambda c: load_campaign(c, campaign.id)).state == state
    for state in ("closed", "draft", "paused"):
        with pytest.raises(ConflictError, match=f"'tops' is closed and cannot become {state}"):
            write(lambda c, state=state: save_campaign_state(c, campaign.id, state, actor=None, now=NOW))
    assert [one.slug for one in write(load_campaigns)] == ["tops"]
    assert write(lambda c: load_campaigns(c, board_id=1)) == ()
    assert write(lambda c: load_campaign_by_slug(c, "tops")).id == campaign.id
    with pytest.raises(NotFoundError, match="no campaign 'other'"):
        write(lambda c: load_campaign_by_slug(c, "other"))
    with pytest.raises(ConflictError, match="called 'tops' already"):
        write(lambda c: save_campaign(c, SETTINGS, actor=None, now=NOW))


def test_every_setting_is_kept(write, world):
    chosen = CampaignSettings(
        slug="all", title="All", instructions="i", consent="c", board_id=world.board.id, label_set="public", sample=9,
        seed=3, depth=2, judgments_per_pair=3, pairs_per_task=5, tests_per_task=1, pay=1.5, fee=0.25, currency="EUR",
        seconds_per_pair=12.5, too_fast=1.5, lease_minutes=30, way="sequential", standing=True, single_best=True,
        query_texts="a" * 64, doc_texts="b" * 64,
    )  # fmt: skip
    standard = CampaignSettings(slug="x", title="x")
    assert all(getattr(chosen, one.name) != getattr(standard, one.name) for one in fields(CampaignSettings))
    made = write(lambda c: save_campaign(c, chosen, actor=None, now=NOW))
    assert all(getattr(made, one.name) == getattr(chosen, one.name) for one in fields(CampaignSettings))


def test_settings_change_until_the_start_and_nobody_overwrites_what_they_did_not_see(write, campaign):
    changed = replace(SETTINGS, depth=2, title="Others")
    found = write(lambda c: save_campaign_settings(c, campaign.id, changed, version=1, actor=None, now=NOW))
    assert (found.depth, found.title, found.version) == (2, "Others", 2)
    with pytest.raises(ConflictError, match="since been changed"):
        write(lambda c: save_campaign_settings(c, campaign.id, changed, version=1, actor=None, now=NOW))
    write(lambda c: save_started(c, campaign.id, actor=None, now=later(days=1)))
    with pytest.raises(ConflictError, match="been started already"):
        write(lambda c: save_started(c, campaign.id, actor=None, now=NOW))
    with pytest.raises(ConflictError, match="has started, and depth can no longer be changed"):
        write(
            lambda c: save_campaign_settings(c, campaign.id, replace(changed, depth=3), version=2, actor=None, now=NOW)
        )
    dearer = replace(changed, pay=3.0)
    assert write(lambda c: save_campaign_settings(c, campaign.id, dearer, version=2, actor=None, now=NOW)).pay == 3.0
    for when in (later(days=2), later(days=3)):
        write(lambda c, when=when: save_planned(c, campaign.id, now=when))
    found = write(lambda c: load_campaign(c, campaign.id))
    assert (found.started_at, found.planned_at) == (later(days=1), later(days=2))


def test_an_extension_asks_for_more_and_never_for_less(write, campaign):
    def extend(judgments, sample, depth=3):
        row = {"judgments_per_pair": judgments, "sample": sample, "depth": depth}
        return write(lambda c: save_extension(c, campaign.id, **row, actor=None, now=NOW))

    assert (extend(2, 7).judgments_per_pair, extend(2, 7).sample) == (2, 7)
    assert extend(2, 7).depth == 3
    with pytest.raises(UsageError, match="depth 2; expected 3 or more"):
        extend(2, 7, depth=2)
    with pytest.raises(UsageError, match="expected 2 or more"):
        extend(1, 7)
    with pytest.raises(UsageError, match="expected 7 or more, or all"):
        extend(2, 6)
    assert extend(2, None).sample is None
    with pytest.raises(UsageError, match="all queries are judged"):
        extend(2, 9)


@pytest.mark.parametrize(
    "wrong, words",
    [
        ({"sample": 0}, "sample=0"),
        ({"pay": -1.0}, "pay=-1.0"),
        ({"way": "fast"}, "expected one of full, sequential"),
        ({"query_texts": "a"}, "expected both or neither"),
    ],
)
def test_settings_that_cannot_be(wrong, words):
    with pytest.raises(UsageError, match=words):
        CampaignSettings(slug="c", title="C", **wrong)


@pytest.mark.parametrize("text", ["a currency with a very long name", "E\nUR"])
def test_a_currency_is_a_short_word(text):
    with pytest.raises(UsageError, match="20 characters at most"):
        CampaignSettings(slug="x", title="x", currency=text)
