from dataclasses import replace

import pytest

from runoff.errors import UsageError
from runoff.preferences import candidates_of
from runoff.server.cases.judging.campaign_files import add_known_pairs
from runoff.server.cases.judging.sources import campaign_pools, load_sources
from runoff.server.cases.judging.start import pool_items
from runoff.server.store.campaign_pools import load_candidates, load_known_pairs, load_pool
from runoff.server.store.campaigns import load_campaign
from tests.server.store.backends import both_databases


@both_databases
def test_the_pool_knows_who_brought_a_document(campaigned):
    campaign = campaigned.opened()
    sources = campaigned.read(load_sources, campaigned.files, campaign)
    items = pool_items(campaign, campaigned.read(campaign_pools, campaign, sources), sources)
    stored = [replace(one, place=0) for one in campaigned.read(load_pool, campaign.id)]
    assert sorted(items, key=lambda one: (one.query_id, one.doc_id)) == stored
    for item in items:
        tops = [next(doc for query, doc, _ in run.top(1) if query == item.query_id) for run in sources.runs]
        assert item.runs == tops.count(item.doc_id)
        assert item.labelled == item.doc_id.startswith("a.")


def test_in_the_sequential_way_the_pool_is_the_candidates_in_their_order(campaigned):
    campaign = campaigned.opened(way="sequential", depth=2)
    sources = campaigned.read(load_sources, campaigned.files, campaign)
    expected = candidates_of(sources.qrels, sources.runs, depth=2)
    assert campaigned.read(load_candidates, campaign.id) == expected
    assert any(len(docs) > 3 for docs in expected.values())


def test_test_pairs_are_drawn_unless_there_are_enough(campaigned):
    drawn = campaigned.opened()
    assert all(one.drawn for one in campaigned.read(load_known_pairs, drawn.id))
    own = campaigned.draft(slug="own")
    pairs = [("q0", "a.q0", "a.q1")]
    options = {"actor": campaigned.organiser, "now": campaigned.now()}
    assert add_known_pairs(campaigned.database, campaigned.files, own.id, pairs, **options) == 1
    campaigned.start(own)
    assert [one.pair for one in campaigned.read(load_known_pairs, own.id)] == pairs


def test_what_cannot_be_planned_stays_a_draft(campaigned):
    draft = campaigned.draft()
    pool = campaigned.read(load_sources, campaigned.files, draft)
    query, first, second = campaigned.read(campaign_pools, draft, pool).pairs()[0]
    options = {"actor": campaigned.organiser, "now": campaigned.now()}
    add_known_pairs(campaigned.database, campaigned.files, draft.id, [(query, first, second)], **options)
    with pytest.raises(UsageError, match="are a test pair and a pair to judge"):
        campaigned.start(draft)
    found = campaigned.read(load_campaign, draft.id)
    assert (found.state, found.started_at) == ("draft", None)
