from runoff.server.store.campaigns import save_campaign
from runoff.server.store.label_sets import CampaignLabel, load_campaign_labels, save_campaign_label
from runoff.tables.campaign_settings import CampaignSettings
from tests.server.store.world import NOW


def test_versions_are_known_by_their_campaign(world):
    write = world.database.write
    campaign = write(lambda c: save_campaign(c, CampaignSettings(slug="c", title="C"), actor=None, now=NOW)).id
    made = CampaignLabel(label_set_id=world.labels.id, campaign_id=campaign, judgments=9, changed=2, at=NOW)
    write(lambda c: save_campaign_label(c, made, actor=None))
    assert write(lambda c: load_campaign_labels(c, campaign)) == (made,)
    assert write(lambda c: load_campaign_labels(c, 99)) == ()
