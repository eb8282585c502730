import pytest

from runoff.errors import NotFoundError, UsageError
from runoff.server.store.campaign_pools import (
    load_known_pairs,
    load_removed_known_pairs,
    save_known_pair_removed,
    save_known_pairs,
)
from runoff.server.store.campaigns import save_campaign
from runoff.tables.campaign_settings import CampaignSettings
from tests.server.store.world import NOW

ONE, TWO = ("q", "right", "wrong"), ("p", "right", "wrong")


def test_test_pairs_are_added_once_and_removed(world):
    write = world.database.write
    campaign = write(lambda c: save_campaign(c, CampaignSettings(slug="c", title="C"), actor=None, now=NOW)).id

    def add(*pairs, drawn=False):
        return write(lambda c: save_known_pairs(c, campaign, pairs, drawn=drawn, actor=None, now=NOW))

    assert add(ONE, TWO, ONE, drawn=True) == 2
    assert add(ONE) == 0
    first, second = write(lambda c: load_known_pairs(c, campaign))
    assert (first.pair, first.drawn, second.pair) == (ONE, True, TWO)
    write(lambda c: save_known_pair_removed(c, campaign, first.id, actor=None, now=NOW))
    assert [one.pair for one in write(lambda c: load_known_pairs(c, campaign))] == [TWO]
    assert write(lambda c: load_removed_known_pairs(c, campaign)) == (ONE,)
    with pytest.raises(NotFoundError, match="has no test pair"):
        write(lambda c: save_known_pair_removed(c, campaign, first.id, actor=None, now=NOW))
    assert add(ONE, drawn=True) == 0, "a draw does not bring back what somebody removed"
    assert add(ONE) == 1
    assert len(write(lambda c: load_known_pairs(c, campaign))) == 2
    with pytest.raises(UsageError, match="two different documents"):
        add(("q", "d", "d"))
