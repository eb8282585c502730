"""A campaign that goes on is extended: what is missing appears, and nothing that was judged is lost or asked again."""

from dataclasses import replace
from typing import Any

import pytest

from runoff.errors import NotAllowedError, UsageError
from runoff.files.qrels import read_qrels
from runoff.preferences import candidates_of
from runoff.server.cases.accounts.permissions import Actor
from runoff.server.cases.judging import extend as extending
from runoff.server.cases.judging.extend import extend_campaign, look_at_extension, looked_at, preview_extension
from runoff.server.cases.judging.sources import load_sources
from runoff.server.cases.judging.start import Extension
from runoff.server.cases.judging.votes import load_votes
from runoff.server.store.campaign_plans import load_progress, load_tasks
from runoff.server.store.campaign_pools import load_candidates, load_pool
from runoff.server.store.campaigns import LOOK, PLAN, load_campaign, load_campaign_problems
from runoff.server.store.jobs import load_jobs
from runoff.server.store.judgments import load_judgment_count
from runoff.server.store.label_sets import NewVersion, save_label_set
from tests.server.cases.judging.campaigned import QUERIES
from tests.server.cases.reading_here import HERE
from tests.server.store.backends import both_databases


def extended(campaigned, campaign, **more):
    options = {"actor": campaigned.organiser, "now": campaigned.now, "reader": HERE}
    return extend_campaign(campaigned.database, campaigned.files, campaign.id, Extension(**more), **options)


def previewed(campaigned, campaign, **more):
    options: dict[str, Any] = {"reader": HERE}
    return preview_extension(campaigned.database, campaigned.files, campaign.id, Extension(**more), **options)


def real(tasks):
    return [pair.key for task in tasks for pair in task.pairs if pair.expected is None]


def asked_of(campaigned, campaign):
    """What every assessor was given, pair by pair."""
    return [
        (row.assessor, row.query_id, *sorted((row.left, row.right)))
        for row in campaigned.read(load_votes, campaign)
        if row.expected is None
    ]


def test_an_extension_adds_copies_queries_and_runs_and_touches_nothing_that_is_planned(campaigned):
    campaign = campaigned.opened(runs=2, sample=3)
    before = campaigned.read(load_tasks, campaign.id)

    def extend(**more):
        extended(campaigned, campaign, **more)
        return campaigned.read(load_tasks, campaign.id)

    copied = extend(judgments_per_pair=3)
    assert [task for task in copied if task.copy == 1] == list(before)
    assert set(real(copied)) == set(real(before))
    assert campaigned.read(load_progress, campaign.id).judgments == 3 * len(real(before))
    assert len({tuple(pair.left_doc for pair in task.pairs) for task in copied if task.batch == 1}) > 1
    wider = extend(sample=5)
    assert set(before) <= set(wider)
    assert len({query for query, *_ in real(wider)}) == 5
    more = extend(run_ids=tuple(campaigned.run_ids))
    assert set(real(more)) > set(real(wider))
    assert len({query for query, *_ in real(more)}) == 5
    everything = extend(all_queries=True)
    assert len({query for query, *_ in real(everything)}) >= 7
    assert extend() == everything, "nothing more was asked for"


def test_a_deeper_pool_of_a_running_campaign_brings_the_missing_pairs_and_only_those(campaigned):
    campaign = campaigned.opened(depth=1)
    actors = [campaigned.assessor(campaign) for _ in range(2)]
    campaigned.do(campaign, actors[0])
    held = campaigned.offer(campaign, actors[1]).sheet
    before, votes = campaigned.read(load_tasks, campaign.id), campaigned.read(load_votes, campaign)
    seen = previewed(campaigned, campaign, depth=3)
    deeper = extended(campaigned, campaign, depth=3)
    after = campaigned.read(load_tasks, campaign.id)
    assert (deeper.depth, deeper.version) == (3, campaign.version + 1)
    assert after[: len(before)] == before, "the task in hand is as it was"
    assert list(campaigned.read(load_votes, campaign)) == list(votes)
    assert campaigned.offer(deeper, actors[1]).sheet == held
    sources = campaigned.read(load_sources, campaigned.files, deeper)
    pools: dict[str, set[str]] = {query: {f"a.{query}"} for query in QUERIES}
    for run in sources.runs:
        for query, doc, _ in run.top(3):
            pools[query].add(doc)
    wanted = {(query, one, two) for query, docs in pools.items() for one in docs for two in docs if one < two}
    assert set(real(after)) == wanted
    assert len(real(after)) == len(wanted), "each is there once"
    assert seen.pairs == seen.judgments == len(wanted) - len(real(before))
    assert (seen.tasks, seen.queries, seen.runs) == (len(after) - len(before), 0, 0)
    assert seen.tests == seen.tasks * campaign.tests_per_task
    assert seen.cost == pytest.approx(seen.tasks * (campaign.pay + campaign.fee))
    assert seen.hours == pytest.approx((seen.judgments + seen.tests) * campaign.seconds_per_pair / 3600)
    campaigned.judge_all(deeper, actors)
    asked = asked_of(campaigned, deeper)
    assert sorted(asked_pair for _, *asked_pair in asked) == sorted(list(pair) for pair in wanted)


def test_all_kinds_of_more_at_once_cost_what_the_preview_said(campaigned):
    campaign = campaigned.opened(runs=2, sample=3)
    more = {"depth": 2, "judgments_per_pair": 2, "sample": 6, "run_ids": tuple(campaigned.run_ids)}
    before, pool = campaigned.read(load_progress, campaign.id), campaigned.read(load_pool, campaign.id)
    seen = previewed(campaigned, campaign, **more)
    assert campaigned.read(load_campaign, campaign.id) == campaign, "looking changes nothing"
    found = extended(campaigned, campaign, **more)
    after = campaigned.read(load_progress, campaign.id)
    assert (found.depth, found.judgments_per_pair, found.sample) == (2, 2, 6)
    assert seen.tasks == after.tasks - before.tasks
    assert seen.judgments == after.judgments - before.judgments
    assert seen.documents == len(campaigned.read(load_pool, campaign.id)) - len(pool)
    assert (seen.runs, seen.queries) == (1, 3)
    assert previewed(campaigned, found).tasks == 0


@both_databases
def test_in_sequence_deeper_candidates_come_last_and_meet_the_best(campaigned):
    campaign = campaigned.opened(way="sequential", depth=1)
    actors = [campaigned.assessor(campaign) for _ in range(9)]
    campaigned.judge_all(campaign, actors)
    before, count = campaigned.read(load_candidates, campaign.id), campaigned.read(load_judgment_count, campaign.id)
    seen = previewed(campaigned, campaign, depth=3)
    deeper = extended(campaigned, campaign, depth=3)
    after = campaigned.read(load_candidates, campaign.id)
    assert all(after[query][: len(docs)] == docs for query, docs in before.items())
    sources = campaigned.read(load_sources, campaigned.files, deeper)
    expected = candidates_of(sources.qrels, sources.runs, depth=3)
    assert {query: set(docs) for query, docs in after.items()} == {query: set(docs) for query, docs in expected.items()}
    assert seen.pairs == sum(map(len, after.values())) - sum(map(len, before.values()))
    assert seen.judgments == round(4.5 * seen.pairs)
    campaigned.judge_all(deeper, actors)
    assert campaigned.read(load_judgment_count, campaign.id) > count
    asked = asked_of(campaigned, deeper)
    assert len(set(asked)) == len(asked), "nobody was asked for a pair twice"


@pytest.mark.parametrize("way", ["full", "sequential"])
def test_labels_that_are_newer_than_the_plan_are_taken_in(campaigned, way):
    campaign = campaigned.opened(way=way, runs=1)
    lines = "".join(f"{query} 0 {'z' if query == 'q1' else 'a'}.{query} 1\n" for query in QUERIES)
    content = campaigned.files.save([lines.encode()], limit=1000).content_hash
    new = NewVersion(board_id=campaigned.board.id, name="dev", queries=8, content_hash=content)
    campaigned.database.write(lambda c: save_label_set(c, new, judged=8, actor=None, now=campaigned.now()))
    assert list(read_qrels(campaigned.files.path(content)))[1][1] == "z.q1"
    seen = previewed(campaigned, campaign)
    assert (seen.documents, seen.queries) == (1, 0)
    assert seen.pairs == 1, "run 0 has one top document"
    extended(campaigned, campaign)
    assert "z.q1" in campaigned.read(load_candidates, campaign.id)["q1"]


def test_less_is_refused_and_so_are_strangers_and_foreign_runs(campaigned):
    draft = campaigned.draft(depth=2, judgments_per_pair=2, sample=4)
    with pytest.raises(UsageError, match="has no plan yet; change its settings instead"):
        extended(campaigned, draft, depth=3)
    campaign = campaigned.start(draft)
    for less, words in (
        ({"depth": 1}, "1 ranks of each run; expected 2 or more"),
        ({"judgments_per_pair": 1}, "1 judgments per pair; expected 2 or more"),
        ({"sample": 3}, "a sample of 3 queries; expected 4 or more, or all"),
    ):
        with pytest.raises(UsageError, match=words):
            extended(campaigned, campaign, **less)
    stranger = Actor(id=1, role="assessor")
    for function in (look_at_extension, extend_campaign):
        with pytest.raises(NotAllowedError):
            function(
                campaigned.database, campaigned.files, campaign.id, Extension(), actor=stranger, now=campaigned.now
            )


def test_where_much_is_to_be_read_looking_and_extending_are_jobs(campaigned, monkeypatch):
    campaign = campaigned.opened(runs=2)
    monkeypatch.setattr(extending, "INLINE_BYTES", 10)
    more = Extension(depth=12, run_ids=(campaigned.run_ids[2],))
    options = {"actor": campaigned.organiser}
    assert (
        look_at_extension(campaigned.database, campaigned.files, campaign.id, more, now=campaigned.now(), **options)
        is None
    )
    assert campaigned.work() == [LOOK]
    newest = campaigned.read(load_jobs, kinds=("campaign",))[0]
    assert looked_at(campaign, newest) == (more, previewed(campaigned, campaign, depth=12, run_ids=more.run_ids))
    assert looked_at(replace(campaign, version=99), newest) is None
    assert extended(campaigned, campaign, depth=12, run_ids=more.run_ids) == campaign, "not yet"
    assert campaigned.work() == [PLAN]
    found = campaigned.read(load_campaign, campaign.id)
    assert (found.depth, found.version) == (12, campaign.version + 1)
    assert len(campaigned.read(load_sources, campaigned.files, found).runs) == 3


def test_an_extension_that_cannot_be_planned_leaves_the_campaign_as_it_was(campaigned):
    texts = "".join(f"{doc}.{query}\ttext\n" for query in QUERIES for doc in "abcde")
    docs = campaigned.files.save([texts.encode()], limit=10_000).content_hash
    queries = campaigned.files.save(
        ["".join(f"{query}\ttext\n" for query in QUERIES[:6]).encode()], limit=1000
    ).content_hash
    draft = campaigned.draft(query_texts=queries, doc_texts=docs, sample=1, tests_per_task=0, runs=2)
    campaign = campaigned.start(draft)
    assert campaign.state == "open", campaigned.read(load_campaign_problems, draft.id)
    pool = campaigned.read(load_pool, campaign.id)
    extended(campaigned, campaign, all_queries=True, depth=2, run_ids=tuple(campaigned.run_ids))
    campaigned.work()
    assert any("no text of query 'q6'" in one for one in campaigned.read(load_campaign_problems, campaign.id))
    assert campaigned.read(load_campaign, campaign.id) == campaign
    assert campaigned.read(load_pool, campaign.id) == pool
    assert len(campaigned.read(load_sources, campaigned.files, campaign).runs) == 2
