import pytest

from runoff.errors import UsageError
from runoff.files.runs import read_run
from runoff.preferences import make_pools, sample_queries
from runoff.server.cases.judging.sources import base_labels, board_of, campaign_pools, load_sources, run_names
from runoff.server.store.campaigns import save_campaign
from runoff.tables.campaign_settings import CampaignSettings


def test_runs_from_the_store_have_the_pools_of_their_files(campaigned):
    draft = campaigned.draft(depth=2, sample=4, seed=3)
    sources = campaigned.read(load_sources, campaigned.files, draft)
    folder = campaigned.folder / "described"
    runs = [read_run(folder / f"run{one}.txt", name=f"run {one}") for one in range(3)]
    whole = make_pools(runs, sources.qrels, depth=2)
    expected = whole.only(sample_queries(whole, 4, seed=3))
    found = campaigned.read(campaign_pools, draft, sources)
    assert found.query_ids == expected.query_ids
    assert found.pairs() == expected.pairs()
    assert tuple(run.name for run in sources.runs) == ("run 0", "run 1", "run 2")


def test_labels_and_names(campaigned):
    draft = campaigned.draft(runs=2)
    assert campaigned.read(base_labels, draft).version == 1
    assert list(campaigned.read(run_names, draft).values()) == ["run 0", "run 1"]
    bare = campaigned.database.write(
        lambda c: save_campaign(c, CampaignSettings(slug="bare", title="B"), actor=None, now=campaigned.now())
    )
    with pytest.raises(UsageError, match="has no board"):
        campaigned.read(board_of, bare)
