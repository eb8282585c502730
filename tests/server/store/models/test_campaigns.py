"""What the tables of a campaign refuse, whatever the program does."""

import pytest

from runoff.server.store.campaigns import save_campaign
from runoff.server.store.models.campaigns import CAMPAIGN_LINK, CAMPAIGN_SETTINGS, CAMPAIGN_TEXT, KNOWN_PAIR, WORKER
from runoff.tables.campaign_settings import CampaignSettings
from tests.server.store.models.refusals import refused, taken
from tests.server.store.world import NOW


@pytest.fixture
def campaign(world):
    return world.database.write(lambda c: save_campaign(c, CampaignSettings(slug="c", title="C"), actor=None, now=NOW))


def test_a_campaign_has_settings_once(world, campaign):
    with world.database.read() as connection:
        row = dict(connection.execute(CAMPAIGN_SETTINGS.select()).mappings().one())
    refused(world.database, CAMPAIGN_SETTINGS, row, "(?i)unique|duplicate")
    assert row["campaign_id"] == campaign.id


def test_a_link_lets_in_no_more_than_it_may(world, campaign):
    row = {"token_hash": "a" * 64, "campaign_id": campaign.id, "most_uses": 2, "uses": 3, "created_at": NOW}
    refused(world.database, CAMPAIGN_LINK, row, "uses_within")
    taken(world.database, CAMPAIGN_LINK, row | {"uses": 2})
    taken(world.database, CAMPAIGN_LINK, row | {"token_hash": "b" * 64, "most_uses": None})


def test_a_worker_id_is_one_person_and_a_person_one_worker(world):
    row = {"site": "turk", "worker_id": "A1", "person_id": world.assessor.id}
    taken(world.database, WORKER, row)
    refused(world.database, WORKER, row | {"person_id": world.member.id}, "(?i)unique")
    refused(world.database, WORKER, row | {"worker_id": "A2"}, "(?i)unique")


def test_texts_and_test_pairs_make_sense(world, campaign):
    text = {"campaign_id": campaign.id, "kind": "picture", "text_id": "d", "content": ""}
    refused(world.database, CAMPAIGN_TEXT, text, "kind_known")
    pair = {"campaign_id": campaign.id, "query_id": "q", "right_doc": "d", "wrong_doc": "d", "drawn": True}
    refused(world.database, KNOWN_PAIR, pair, "two_documents")
