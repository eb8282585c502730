import pytest

from runoff.errors import ConflictError
from runoff.server.store.campaign_pools import (
    PoolItem,
    load_campaign_runs,
    load_candidates,
    load_pool,
    load_text_ids,
    load_texts,
    load_tops,
    save_campaign_run_gone,
    save_campaign_runs,
    save_pool,
    save_texts,
    save_tops,
    save_tops_forgotten,
)
from runoff.server.store.campaigns import save_campaign
from runoff.server.store.submissions import save_run
from runoff.tables.campaign_settings import CampaignSettings
from tests.server.store.world import NOW, later


@pytest.fixture
def write(world):
    return world.database.write


@pytest.fixture
def campaign(write):
    return write(lambda c: save_campaign(c, CampaignSettings(slug="c", title="C"), actor=None, now=NOW)).id


def item(query, doc, runs=1, *, labelled=False, place=0):
    return PoolItem(query_id=query, doc_id=doc, runs=runs, labelled=labelled, place=place)


def test_runs_with_their_tops(write, campaign, world):
    runs = [write(lambda c, one=one: save_run(c, world.run(one), now=later(days=40 * one))).id for one in (1, 2)]
    assert write(lambda c: save_campaign_runs(c, campaign, runs, actor=None, now=NOW)) == tuple(runs)
    assert write(lambda c: save_campaign_runs(c, campaign, runs, actor=None, now=NOW)) == ()
    write(lambda c: save_tops(c, campaign, runs[0], {"q": ["d2", "d1"]}, depth=10))
    assert write(lambda c: load_tops(c, campaign)) == {runs[0]: {"q": ["d2", "d1"]}}
    assert write(lambda c: load_campaign_runs(c, campaign, unread=True)) == (runs[1],)
    assert write(lambda c: load_campaign_runs(c, campaign, unread=True, depth=10)) == (runs[1],)
    assert write(lambda c: load_campaign_runs(c, campaign, unread=True, depth=11)) == tuple(runs)
    write(lambda c: save_tops_forgotten(c, campaign))
    assert write(lambda c: load_campaign_runs(c, campaign, unread=True)) == tuple(runs)
    write(lambda c: save_campaign_run_gone(c, campaign, runs[0], actor=None, now=NOW))
    assert write(lambda c: load_campaign_runs(c, campaign)) == (runs[1],)
    write(lambda c: save_pool(c, campaign, [item("q", "d")]))
    with pytest.raises(ConflictError, match="pooled already"):
        write(lambda c: save_campaign_run_gone(c, campaign, runs[1], actor=None, now=NOW))


def test_a_document_is_in_the_pool_once_as_it_came_in(write, campaign):
    assert write(lambda c: save_pool(c, campaign, [item("q", "d"), item("p", "d", labelled=True)])) == 2
    assert write(lambda c: save_pool(c, campaign, [item("q", "d", 9), item("q", "e")])) == 1
    assert write(lambda c: load_pool(c, campaign)) == (
        item("p", "d", labelled=True, place=1), item("q", "d", place=1), item("q", "e", place=2)
    )  # fmt: skip


def test_candidates_are_in_the_order_in_which_they_came(write, campaign):
    write(lambda c: save_pool(c, campaign, [item("q", "z"), item("q", "b")]))
    write(lambda c: save_pool(c, campaign, [item("q", "y"), item("q", "b"), item("q", "a"), item("p", "x")]))
    assert write(lambda c: load_candidates(c, campaign)) == {"p": ("x",), "q": ("z", "b", "y", "a")}


def test_texts_are_kept_once_and_found_by_the_hundred(write, campaign):
    many = {f"d{number}": f"text {number}" for number in range(1000)}
    assert write(lambda c: save_texts(c, campaign, "document", many)) == 1000
    assert write(lambda c: save_texts(c, campaign, "document", {"d1": "other", "new": "n"})) == 1
    assert write(lambda c: save_texts(c, campaign, "query", {"d1": "a query"})) == 1
    assert write(lambda c: load_texts(c, campaign, "document", [*many, "unknown"])) == many
    assert write(lambda c: load_texts(c, campaign, "query", ["d1"])) == {"d1": "a query"}
    assert write(lambda c: load_text_ids(c, campaign, "query")) == {"d1"}
    assert write(lambda c: load_text_ids(c, campaign, "document")) == {*many, "new"}
