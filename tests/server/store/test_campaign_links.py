import threading

import pytest

from runoff.errors import ConflictError, NotFoundError, UsageError
from runoff.server.store.campaign_links import (
    CrowdWorker,
    NewCampaignLink,
    clean_worker_id,
    load_campaign_link,
    load_campaign_links,
    load_entries,
    load_worker,
    load_workers,
    save_campaign_link,
    save_campaign_link_used,
    save_campaign_link_withdrawn,
    save_entry,
    save_worker,
)
from runoff.server.store.campaigns import save_campaign
from runoff.tables.campaign_settings import CampaignSettings
from tests.server.store.world import NOW, later


@pytest.fixture
def write(world):
    return world.database.write


@pytest.fixture
def campaign(write):
    return write(lambda c: save_campaign(c, CampaignSettings(slug="c", title="C"), actor=None, now=NOW)).id


def test_of_people_at_once_no_more_come_in_than_may(write, campaign):
    new = NewCampaignLink(campaign_id=campaign, token="secret", most_uses=3, expires_at=later(days=1))
    number = write(lambda c: save_campaign_link(c, new, actor=None, now=NOW))
    came = []

    def enter():
        try:
            came.append(write(lambda c: save_campaign_link_used(c, "secret", NOW)).uses)
        except NotFoundError:
            came.append(0)

    threads = [threading.Thread(target=enter) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(came) == [0, 0, 0, 1, 2, 3]
    assert write(lambda c: load_campaign_link(c, "secret", NOW)).uses == 3
    assert write(lambda c: load_campaign_link(c, "secret", later(days=1))) is None
    write(lambda c: save_campaign_link_withdrawn(c, campaign, number, actor=None, now=NOW))
    assert write(lambda c: load_campaign_link(c, "secret", NOW)) is None
    with pytest.raises(NotFoundError, match="no open link"):
        write(lambda c: save_campaign_link_withdrawn(c, campaign, number, actor=None, now=NOW))
    assert [one.withdrawn_at for one in write(lambda c: load_campaign_links(c, campaign))] == [NOW]
    with pytest.raises(UsageError, match="expected 1 or more"):
        NewCampaignLink(campaign_id=campaign, token="x", most_uses=0)


def test_workers_and_entries(write, campaign, world):
    worker = CrowdWorker(site="turk", worker_id="A1", person_id=world.assessor.id)
    assert write(lambda c: load_worker(c, "turk", "A1")) is None
    write(lambda c: save_worker(c, worker))
    assert write(lambda c: load_worker(c, "turk", "A1")) == worker
    assert write(lambda c: load_worker(c, "other", "A1")) is None
    with pytest.raises(ConflictError):
        write(lambda c: save_worker(c, CrowdWorker(site="turk", worker_id="A1", person_id=world.member.id)))
    assert write(lambda c: load_workers(c, campaign)) == {}
    for expected in (True, False):
        row = {"link_id": None, "reference": "hit", "now": NOW}
        assert write(lambda c, row=row: save_entry(c, campaign, world.assessor.id, **row)) == expected
    assert write(lambda c: load_workers(c, campaign)) == {world.assessor.id: worker}
    assert [one.reference for one in write(lambda c: load_entries(c, campaign, person_id=world.assessor.id))] == ["hit"]


@pytest.mark.parametrize("wrong", ["", " ", "a\nb", "x" * 201])
def test_worker_ids_that_cannot_be(wrong):
    with pytest.raises(UsageError, match="is not a worker id"):
        clean_worker_id(wrong)
