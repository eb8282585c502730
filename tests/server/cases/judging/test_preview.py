from runoff.server.cases.judging.start import preview_ways
from runoff.server.store.campaign_plans import load_progress
from runoff.verbs.pool import PoolOptions, pool
from tests.server.store.backends import both_databases


@both_databases
def test_the_preview_is_what_pool_says_and_what_the_plan_becomes(campaigned):
    draft = campaigned.draft(judgments_per_pair=2, depth=2)
    found = campaigned.read(preview_ways, campaigned.files, draft)[draft.way]
    folder = campaigned.folder / "described"
    options = PoolOptions(depth=2, judgments_per_pair=2, pairs_per_task=4)
    filed = pool([folder / f"run{one}.txt" for one in range(3)], folder / "qrels.txt", options=options)
    assert (found.full_pairs, found.cost) == (filed.chosen.pair_count, filed.cost)
    assert dict(found.sizes) == {size: n for size, n in enumerate(filed.chosen.histogram.tolist()) if n}
    assert (found.runs, found.queries, found.documents) == (3, 8, len(filed.chosen.item_doc))
    assert found.hours == (found.judgments + found.cost.tasks) * 20.0 / 3600
    progress = campaigned.read(load_progress, campaigned.start(draft).id)
    assert (progress.tasks, progress.judgments) == (found.cost.tasks, found.judgments)


def test_the_sequential_way_takes_one_pair_fewer_than_documents(campaigned):
    draft = campaigned.draft(way="sequential", depth=2)
    found = campaigned.read(preview_ways, campaigned.files, draft)[draft.way]
    assert found.pairs == sum((size - 1) * queries for size, queries in found.sizes) < found.full_pairs
